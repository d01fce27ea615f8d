from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import RowMapping, func, select

from tsudoi.alarms.outages.models import OutsideState
from tsudoi.alarms.tickets.models import Ticket
from tsudoi.core.db.interface import ReadTx
from tsudoi.gateway.api_comm.breaker import OutsideCondition
from tsudoi.shops.links.models import CustomerLink
from tsudoi.shops.overview.rules import SHARED_SYSTEMS, SHOWN_AFTER_FAILURE, UNCALLED, SystemState, breaker_of, light_of
from tsudoi.shops.overview.schemas import ShopItem, ShopList, SystemItem
from tsudoi.shops.secrets.models import ShopSecret
from tsudoi.shops.secrets.rules import STORES_API_TOKEN
from tsudoi.shops.shop.queries import shop_row, shop_rows

_STORES = "stores"
# Calls that are made for no shop.
_NO_SHOP = 0
_SHOWN = (
    *("id", "code", "name", "shop_status", "shop_email", "phone", "stores_public_url", "merchant_public_id"),
    *("merchant_canonical_id", "updated_at"),
)


def shop_list(tx: ReadTx, base_url: str) -> ShopList:
    states = _states(tx)
    failed = [system for system in SHOWN_AFTER_FAILURE if (_NO_SHOP, system) in states]
    shared = [_system_item(tx, system, states.get((_NO_SHOP, system))) for system in (*SHARED_SYSTEMS, *failed)]
    return ShopList(shops=_items(tx, shop_rows(tx), states, base_url), systems=shared)


def shop_item(tx: ReadTx, shop_id: int, base_url: str) -> ShopItem:
    return _items(tx, [shop_row(tx, shop_id)], _states(tx), base_url)[0]


def _items(
    tx: ReadTx, rows: Sequence[RowMapping], states: Mapping[tuple[int, str], SystemState], base_url: str
) -> list[ShopItem]:
    tokens = _counted(tx, ShopSecret.shop_id, ShopSecret.k == STORES_API_TOKEN)
    tickets = _counted(tx, Ticket.shop_id, Ticket.status != "closed")
    links = _counted(tx, CustomerLink.shop_id, CustomerLink.channel_type == "line")
    return [
        ShopItem(
            **{name: row[name] for name in _SHOWN},
            has_token=row["id"] in tokens,
            open_tickets=tickets.get(row["id"], 0),
            links=links.get(row["id"], 0),
            help_url=f"{base_url}/help/{row['code']}",
            systems=[_system_item(tx, _STORES, states.get((row["id"], _STORES)))],
        )
        for row in rows
    ]


def _counted(tx: ReadTx, column: Any, condition: Any) -> dict[int, int]:
    found = tx.execute(select(column.label("shop"), func.count().label("number")).where(condition).group_by(column))
    return {row.shop: row.number for row in found}


def _states(tx: ReadTx) -> dict[tuple[int, str], SystemState]:
    found: dict[tuple[int, str], SystemState] = {}
    for row in tx.execute(select(*OutsideState.__table__.c)):
        times = (row.last_success_at_utc, row.open_until_utc, row.probe_until_utc)
        condition = OutsideCondition(row.failures_in_a_row, *times)
        found[row.shop_id, row.system] = SystemState(condition, row.last_failure_at_utc, row.last_error)
    return found


def _system_item(tx: ReadTx, system: str, state: SystemState | None) -> SystemItem:
    state = state or UNCALLED
    return SystemItem(
        system=system,
        light=light_of(system, state, tx.now),
        failures_in_a_row=state.condition.failures_in_a_row,
        last_success_at=state.condition.last_success_at,
        last_failure_at=state.last_failure_at,
        last_error=state.last_error,
        breaker=breaker_of(state, tx.now),
        open_until=state.condition.open_until,
    )
