from typing import Any

from sqlalchemy import Row, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.settings import Settings
from tsudoi.events.calendar_keys.models import CalendarRenewal
from tsudoi.events.calendar_keys.rules import member_key


def calendar_address(tx: ReadTx, event: Row[Any], member_id: int, settings: Settings) -> str:
    """The address of the file for this member. Rows that other programs wrote have no key, and need the session."""
    key = f"?key={member_key(event.calendar_key, member_id, renewals_of(tx, member_id))}" if event.calendar_key else ""
    return f"{settings.public_base_url}/api/liff/events/{event.id}.ics{key}"


def renewals_of(tx: ReadTx, member_id: int) -> int:
    return tx.scalar(select(CalendarRenewal.times).where(CalendarRenewal.member_id == member_id)) or 0
