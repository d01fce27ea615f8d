"""What API_COMM reads. The facts of a shop are read before each call to STORES, so they go directly to the driver."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from tsudoi.core.clock import parse_utc
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.gateway.api_comm.breaker import OutsideCondition
from tsudoi.gateway.api_comm.parameters import FoundValue, Source
from tsudoi.gateway.api_comm.shop_data import STORES
from tsudoi.shops.links.models import CustomerLink
from tsudoi.shops.secrets.models import ShopSecret
from tsudoi.shops.secrets.rules import STORES_API_TOKEN
from tsudoi.shops.shop.models import Shop, ShopInternalInfo

MERCHANT_INFO = "stores_merchant_canonical_id"

# In the order in which the places are asked: the shop's own options first.
_PARAMETERS = """SELECT m.option_code AS key, CAST(so.value AS TEXT) AS value, 1 AS place
    FROM shop_options so JOIN options_master m ON m.id = so.option_id WHERE so.shop_id = :shop_id
    UNION ALL SELECT key, value, 2 FROM sys_params WHERE scope = 'shop' AND scope_id = :shop_id
    UNION ALL SELECT key, value, 3 FROM sys_params WHERE scope = 'global'"""
_STORED_PARAMETERS = RawSql(f"{_PARAMETERS} ORDER BY place")
# One statement, because each one is a round trip to the server. The shop is repeated for each of the parameters.
_SHOP = RawSql(
    f"""SELECT p.key, p.value, p.place, s.id, s.code, i.value, t.v_enc,
        o.failures_in_a_row, o.last_success_at_utc, o.open_until_utc, o.probe_until_utc
    FROM shops s
    LEFT JOIN shop_internal_info i ON i.shop_id = s.id AND i.info_type = :merchant
    LEFT JOIN shop_secrets t ON t.shop_id = s.id AND t.k = :token
    LEFT JOIN outside_states o ON o.shop_id = s.id AND o.system = :system
    LEFT JOIN ({_PARAMETERS}) p ON 1 = 1
    WHERE s.id = :shop_id ORDER BY p.place"""  # noqa: S608 (words of ours)
)
_PLACES: dict[int, Source] = {1: "shop", 2: "sys_params_shop", 3: "sys_params_global"}


@dataclass(frozen=True, slots=True)
class StoredShop:
    """A shop as the tables have it, with its token still sealed."""

    id: int
    code: str
    merchant_canonical_id: str | None
    sealed_token: str | None
    parameters: Mapping[str, Sequence[FoundValue]]
    condition: OutsideCondition


def stored_shop(tx: ReadTx, shop_id: int) -> StoredShop | None:
    names = {"merchant": MERCHANT_INFO, "token": STORES_API_TOKEN, "system": STORES}
    rows = _SHOP.all(tx, {**names, "shop_id": shop_id})
    if not rows:
        return None
    number, code, merchant, sealed, failures, *times = rows[0][3:]
    condition = OutsideCondition(failures or 0, *(_time(one) for one in times))
    return StoredShop(number, code, merchant, sealed, _by_key(rows), condition)


def stored_parameters(tx: ReadTx, shop_id: int | None) -> dict[str, list[FoundValue]]:
    # No shop has the number 0.
    return _by_key(_STORED_PARAMETERS.all(tx, {"shop_id": shop_id or 0}))


def _by_key(rows: Sequence[tuple[Any, ...]]) -> dict[str, list[FoundValue]]:
    found: dict[str, list[FoundValue]] = {}
    for key, value, place, *_ in rows:
        if key is not None:
            found.setdefault(key, []).append(FoundValue(_PLACES[place], value))
    return found


def shop_code(tx: ReadTx, shop_id: int) -> str | None:
    return tx.execute(select(Shop.code).where(Shop.id == shop_id)).scalar()


def first_open_shop(tx: ReadTx) -> int | None:
    """The open shop with the smallest number that could ask STORES."""
    found = (
        select(Shop.id)
        .join(ShopSecret, ShopSecret.shop_id == Shop.id)
        .join(ShopInternalInfo, ShopInternalInfo.shop_id == Shop.id)
        .where(Shop.shop_status == "open", ShopSecret.k == STORES_API_TOKEN)
        .where(ShopInternalInfo.info_type == MERCHANT_INFO)
        .order_by(Shop.id)
        .limit(1)
    )
    return tx.execute(found).scalar()


def line_link(tx: ReadTx, shop_id: int, line_user_id: str) -> str | None:
    found = select(CustomerLink.stores_customer_id).where(
        CustomerLink.shop_id == shop_id,
        CustomerLink.channel_type == "line",
        CustomerLink.external_user_id == line_user_id,
    )
    return tx.execute(found).scalar()


def _time(text: str | None) -> datetime | None:
    return None if text is None else parse_utc(text)
