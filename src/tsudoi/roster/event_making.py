"""How one context makes an event of another: both know the roster, and neither knows the other."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from tsudoi.core.db.interface import Tx


@dataclass(frozen=True, slots=True)
class MemberEvent:
    """An event for these members, who have been told of it and have said that they can come: nothing is sent."""

    title: str
    body: str | None
    held_at: datetime
    member_ids: tuple[int, ...]
    admin_id: int
    # How the audit trail names the administrator.
    actor: str


@dataclass(frozen=True, slots=True)
class EventMaker:
    """A part of the runtime where events are on: makes the event in the caller's transaction, returns its id."""

    make: Callable[[Tx, MemberEvent], int]
