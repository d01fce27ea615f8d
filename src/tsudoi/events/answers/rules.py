"""When an answer counts, and in which order a member sees what is asked. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tsudoi.core.clock import jst_moment_text
from tsudoi.events.answers.errors import BadMemo
from tsudoi.events.event.rules import LONGEST_EXTRA_TEXT, ExtraText

PENDING = "pending"
# One line, as the document says; some programs break lines at the last two as well.
_NOT_ONE_LINE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ANYTHING = "x"


def kept_memo(field: ExtraText, status: str, text: str | None) -> str | None:
    """What is stored of a memo. One that the event ignores may say what it likes: nobody will read it."""
    if text is None or field.kept(status, _ANYTHING) is None:
        return None
    if len(text) > LONGEST_EXTRA_TEXT:
        raise BadMemo("TOO_LONG")
    if _NOT_ONE_LINE.search(text):
        raise BadMemo("INVALID_FORMAT")
    return field.kept(status, text)


def moment(now: datetime, before: str | None) -> str:
    """When an answer is given, as stored. Never before the one that it replaces: a clock that was set back would
    otherwise leave the old one standing, although the new one was accepted.
    """
    return max(jst_moment_text(now), before or "")


def shown(responded_at: str) -> str:
    """A stored moment as people and programs see it: to the second."""
    return f"{responded_at[:19]}+09:00"


@dataclass(frozen=True, slots=True)
class MyEvent:
    id: int
    title: str
    held_at: datetime
    my_status: str
    my_responded_at: str | None
    cancelled: bool


def in_order(events: Iterable[MyEvent], now: datetime) -> list[MyEvent]:
    """What waits for an answer first, then by date; what is over after that, the latest first.

    A cancelled event waits for nothing.
    """
    events = list(events)
    coming = sorted((e for e in events if e.held_at >= now), key=lambda e: (not _waits(e), e.held_at, e.id))
    over = sorted((e for e in events if e.held_at < now), key=lambda e: (e.held_at, e.id), reverse=True)
    return coming + over


def _waits(event: MyEvent) -> bool:
    return event.my_status == PENDING and not event.cancelled
