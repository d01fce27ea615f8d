"""How one context makes an event of another: both know the roster, and neither knows the other."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from tsudoi.core.db.interface import Tx


@dataclass(frozen=True, slots=True)
class MemberEvent:
    """An event for these members, who have been told of it and were asked before: nothing is sent."""

    title: str
    body: str | None
    held_at: datetime
    # Everybody who is invited. Who is in none of the two other lists has not answered.
    member_ids: tuple[int, ...]
    attending: tuple[int, ...]
    absent: tuple[int, ...]
    admin_id: int
    # How the audit trail names the administrator.
    actor: str
    place: str | None = None
    end_at: datetime | None = None
    # The entry that the members' calendars have already: the event goes on under its UID, with a higher SEQUENCE.
    calendar_uid: str | None = None
    sequence: int = 0


@dataclass(frozen=True, slots=True)
class EventMaker:
    """A part of the runtime where events are on: makes the event in the caller's transaction, returns its id."""

    make: Callable[[Tx, MemberEvent], int]
