"""What an invitee sees of a thread. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

WhyNot = Literal["EXPIRED", "FINALIZED", "CANCELLED"]
Mark = Literal["yes", "maybe", "no"]
MOST_LISTED = 50


@dataclass(frozen=True, slots=True)
class OwnAnswer:
    """The own answer as it is stored."""

    status: str
    first: str | None
    yes: frozenset[str]
    maybe: frozenset[str]
    responded_at: datetime | None

    def mark(self, slot_id: str, offered_at: datetime) -> Mark | None:
        """None: not answered. A slot that was added after the answer is still to be answered."""
        if self.status == "selected" and slot_id in self.maybe:
            return "maybe"
        if self.status == "selected" and (slot_id in self.yes or slot_id == self.first):
            return "yes"
        asked_before = self.responded_at is not None and offered_at <= self.responded_at
        return "no" if self.status != "pending" and asked_before else None


@dataclass(frozen=True, slots=True)
class NamedAnswer:
    """The answer of another person, where the thread shows who answered what."""

    name: str
    answer: OwnAnswer


def names_by_mark(others: Iterable[NamedAnswer], slot_id: str, offered_at: datetime) -> dict[Mark, list[str]]:
    found: dict[Mark, list[str]] = {"yes": [], "maybe": [], "no": []}
    for one in others:
        mark = one.answer.mark(slot_id, offered_at)
        if mark is not None:
            found[mark].append(one.name)
    return found


def why_not(status: str, expires_at: datetime, now: datetime) -> WhyNot | None:
    """Why the person cannot answer any more; None: can."""
    if status == "cancelled":
        return "CANCELLED"
    if status == "finalized":
        return "FINALIZED"
    return "EXPIRED" if expires_at <= now else None


@dataclass(frozen=True, slots=True)
class ListedThread:
    """A thread in the list of a member."""

    id: str
    title: str
    status: str
    expires_at: datetime
    answered: bool
    can_answer: bool
    final_start: datetime | None
    taking_part: bool | None


def in_order(found: Iterable[ListedThread], now: datetime) -> list[ListedThread]:
    """To answer first, the earliest deadline before the others; then what is decided and to come; then the rest."""
    return sorted(found, key=lambda one: _rank(one, now))[:MOST_LISTED]


def _rank(one: ListedThread, now: datetime) -> tuple[int, timedelta]:
    if one.can_answer and not one.answered:
        return 0, one.expires_at - now
    if one.final_start is not None and one.final_start > now:
        return 1, one.final_start - now
    if one.can_answer:
        return 2, one.expires_at - now
    # The newest of what is over comes first.
    return 3, now - (one.final_start or one.expires_at)
