"""How the outside systems are doing, shop by shop: failures in a row, and the circuit breaker."""

from datetime import datetime, timedelta

from sqlalchemy import select, update

from tsudoi.alarms.outages import service as outages
from tsudoi.alarms.outages.models import OutsideState
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.gateway.api_comm.shop_data import STORES
from tsudoi.shops.secrets.models import ShopSecret
from tsudoi.shops.secrets.rules import STORES_API_TOKEN

_TAKE_PROBE = RawSql(
    """UPDATE outside_states SET probe_until_utc = :until
    WHERE shop_id = :shop_id AND system = :system AND open_until_utc <= :now
        AND (probe_until_utc IS NULL OR probe_until_utc <= :now)"""
)
_OPEN = RawSql(
    """UPDATE outside_states SET open_until_utc = :until, probe_until_utc = NULL
    WHERE shop_id = :shop_id AND system = :system"""
)
_SUCCESS = RawSql(
    """UPDATE outside_states
    SET failures_in_a_row = 0, last_success_at_utc = :now, open_until_utc = NULL, probe_until_utc = NULL
    WHERE shop_id = :shop_id AND system = :system"""
)


def take_probe(tx: Tx, shop_id: int, system: str, until: datetime) -> bool:
    values = {"shop_id": shop_id, "system": system, "until": utc_text(until), "now": utc_text(tx.now)}
    return _TAKE_PROBE.changed(tx, values) == 1


def note_failure(tx: Tx, shop_id: int, system: str, error: str, open_after: int | None, open_seconds: int) -> int:
    """A system that answers, though with a refusal, closes the breaker: nobody has to wait for it."""
    of_system = {"shop_id": shop_id, "system": system}
    failures = outages.count_failure(tx, shop_id, system, error)
    if open_after is None:
        _OPEN.changed(tx, {**of_system, "until": None})
    elif failures >= open_after:
        _OPEN.changed(tx, {**of_system, "until": utc_text(tx.now + timedelta(seconds=open_seconds))})
    return failures


def note_success(tx: Tx, shop_id: int, system: str) -> int:
    state = (OutsideState.shop_id == shop_id, OutsideState.system == system)
    failures = tx.scalar(select(OutsideState.failures_in_a_row).where(*state).with_for_update())
    _SUCCESS.changed(tx, {"shop_id": shop_id, "system": system, "now": utc_text(tx.now)})
    _note_use_of_token(tx, shop_id, system)
    return int(failures or 0)


def note_working(tx: Tx, shop_id: int, system: str) -> None:
    outages.note_working(tx, shop_id, system)
    _note_use_of_token(tx, shop_id, system)


def _note_use_of_token(tx: Tx, shop_id: int, system: str) -> None:
    if system == STORES:
        mine = (ShopSecret.shop_id == shop_id, ShopSecret.k == STORES_API_TOKEN)
        tx.execute(update(ShopSecret).where(*mine).values(last_used_at=tx.now))
