"""Whether an answer is accepted, and the order of a member's list of events. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tsudoi.core.clock import jst_text
from tsudoi.events.answers.errors import BadMemo
from tsudoi.events.event.errors import DeadlinePassed, EventCancelled, EventOver
from tsudoi.events.event.rules import LONGEST_EXTRA_TEXT, ExtraText, is_over

PENDING = "pending"
# The memo is one line, as the specification says; some programs break lines at the last two as well.
_NOT_ONE_LINE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ANYTHING = "x"


def kept_memo(field: ExtraText, status: str, text: str | None) -> str | None:
    """The memo to store. A memo that the event ignores is not checked, because nobody will read it."""
    if text is None or field.kept(status, _ANYTHING) is None:
        return None
    if len(text) > LONGEST_EXTRA_TEXT:
        raise BadMemo("TOO_LONG")
    if _NOT_ONE_LINE.search(text):
        raise BadMemo("INVALID_FORMAT")
    return field.kept(status, text)


def require_open(
    held_at: datetime, cancelled_at: str | None, deadline_at: str | None, now: datetime, *, close_after_day: bool
) -> None:
    """Raise unless a member may still answer. `cancelled_at` and `deadline_at` are text as the database stores them.

    Without a deadline a member may answer as often and as long as they like, as the specification says. With
    `close_after_day` the end of the day of the event is the end of answers too.
    """
    if cancelled_at is not None:
        raise EventCancelled
    if deadline_at is not None and deadline_at < jst_text(now):
        raise DeadlinePassed
    if close_after_day and is_over(held_at, now):
        raise EventOver


def shown(responded_at: str) -> str:
    """A stored time as clients see it: to the second."""
    return f"{responded_at[:19]}+09:00"


@dataclass(frozen=True, slots=True)
class MyEvent:
    """An event as one member sees it in the list."""

    id: int
    title: str
    held_at: datetime
    my_status: str
    my_responded_at: str | None
    cancelled: bool


def in_order(events: Iterable[MyEvent], now: datetime) -> list[MyEvent]:
    """Unanswered events first, then by date; past events after that, the latest first.

    A cancelled event does not wait for an answer.
    """
    events = list(events)
    coming = [event for event in events if not is_over(event.held_at, now)]
    over = [event for event in events if is_over(event.held_at, now)]
    coming.sort(key=lambda event: (event.my_status != PENDING or event.cancelled, event.held_at, event.id))
    over.sort(key=lambda event: (event.held_at, event.id), reverse=True)
    return coming + over
