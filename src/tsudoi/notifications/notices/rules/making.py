"""Which notices a reservation gets, and when. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

Kind = Literal["CONFIRMATION", "REMINDER", "CANCEL_COMPLETED"]
# Why there is no notice, or none any more.
DashReason = Literal[
    "NO_LINE_LINK", "LESS_THAN_48H", "CANCELLED", "MOVED", "NOT_CONFIRMED", "NOT_CANCELLED", "TOO_MANY_TODAY"
]

REMINDED_BEFORE = timedelta(hours=48)
# Every message costs a part of the month's quota, and a person can move a reservation as often as the limits allow. So
# the moves that follow a notice about a move within this time are told together, by the command.
MOVES_ARE_ONE_FOR = timedelta(seconds=30)
# Of each kind. What is over it is shown to the office and not sent.
MOST_A_DAY = 10


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


def told_at(last_move_told_at: datetime | None, now: datetime) -> datetime:
    """When to tell a move: at once, or a moment after the move before was told."""
    return now if last_move_told_at is None else max(now, last_move_told_at + MOVES_ARE_ONE_FOR)
