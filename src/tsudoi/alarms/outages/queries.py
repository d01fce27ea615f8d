from sqlalchemy import select

from tsudoi.alarms.outages.models import OutsideState
from tsudoi.alarms.outages.rules import FAILURES, NO_SHOP, OUTAGES
from tsudoi.core.db.interface import ReadTx
from tsudoi.gateway.api_comm.shop_data import AlarmChannel
from tsudoi.gateway.call_reports import WatchedSystem


def has_failures(tx: ReadTx, system: WatchedSystem) -> bool:
    """Whether a success would change anything, so that it has to be written."""
    mine = (OutsideState.shop_id == NO_SHOP, OutsideState.system == system)
    return bool(tx.scalar(select(OutsideState.failures_in_a_row).where(*mine)))


def channels_out(tx: ReadTx) -> frozenset[AlarmChannel]:
    """The channels of alarms that do not work now, because their system is out."""
    out = select(OutsideState.system).where(OutsideState.shop_id == NO_SHOP, OutsideState.failures_in_a_row >= FAILURES)
    found = set(tx.execute(out).scalars())
    return frozenset(one.channel for one in OUTAGES.values() if one.channel is not None and one.system in found)
