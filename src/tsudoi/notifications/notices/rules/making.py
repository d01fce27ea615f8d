"""Which notices a reservation gets, and when. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

Kind = Literal["CONFIRMATION", "REMINDER", "CANCEL_COMPLETED"]
# Why there is no notice, or none any more.
DashReason = Literal["NO_LINE_LINK", "LESS_THAN_48H", "CANCELLED", "MOVED", "NOT_CONFIRMED", "NOT_CANCELLED"]

REMINDED_BEFORE = timedelta(hours=48)


@dataclass(frozen=True, slots=True)
class Appointment:
    """What the notices about a reservation depend on."""

    reservation_id: int
    # Raised by each move. Notices of an older revision are not sent any more.
    revision: int
    begins_at: datetime
    # Whether the person has a LINE link at this moment.
    linked: bool


def reminder_at(begins_at: datetime, now: datetime) -> datetime | None:
    """None if that time is not ahead: the confirmation would come in the same second."""
    at = begins_at - REMINDED_BEFORE
    return at if at > now else None
