from tsudoi.core import audit
from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.events.calendar_keys.models import CalendarRenewal
from tsudoi.events.calendar_keys.schemas import CalendarKeysRenewed


def renew_keys(tx: Tx, member_id: int, actor: str) -> CalendarKeysRenewed:
    """All addresses of calendar files that the member has passed on no longer work; the pages show new ones."""
    first = upsert(tx, CalendarRenewal).values(member_id=member_id, times=1, renewed_at=tx.now)
    again = {"times": CalendarRenewal.times + 1, "renewed_at": tx.now}
    tx.execute(first.on_conflict_do_update(index_elements=["member_id"], set_=again))
    audit.record(tx, actor, "CALENDAR_RENEW", f"member:{member_id}")
    return CalendarKeysRenewed(renewed_at=jst_text(tx.now))
