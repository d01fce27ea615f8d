from sqlalchemy import update

from tsudoi.booking.reservations.schemas import CalendarLinksRenewed
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core import audit
from tsudoi.core.db.interface import Tx


def renew_calendar_keys(tx: Tx, staff_uid: str, actor: str) -> CalendarLinksRenewed:
    """All addresses of calendar files that the person has passed on no longer work; the portal shows new ones."""
    again = {"calendar_renewals": StaffAccount.calendar_renewals + 1, "updated_at": tx.now}
    tx.execute(update(StaffAccount).where(StaffAccount.staff_uid == staff_uid).values(again))
    audit.record(tx, actor, "STAFF_CALENDAR_RENEW", f"staff:{staff_uid}")
    return CalendarLinksRenewed(renewed_at=tx.now)
