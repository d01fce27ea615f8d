"""An event as a calendar program reads it (RFC 5545). Pure."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

from tsudoi.core.clock import jst_text
from tsudoi.events.event.rules import LASTS

# No calendar shows these characters, and some programs take them for the end of a line.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029]")

# This must never change: otherwise a calendar would take the next file for a different event.
_EVENTS = UUID("7c1f4a52-0d3e-4a5b-9a86-2f6f0d9b1e47")


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """The values of an event that its calendar file shows."""

    uid: str
    title: str
    body: str | None
    held_at: datetime
    updated_at: datetime
    sequence: int
    cancelled: bool
    cancel_reason: str | None


def uid_of(event_id: int, created_at: datetime, calendar_key: str | None) -> str:
    """The event's identifier in all calendars. It never changes, so it does not contain the site's address.

    It is a hash, because anybody who knows the key may fetch the file. Rows that other programs wrote have no key;
    their id and creation time are used instead, which do not change either.
    """
    return str(uuid5(_EVENTS, calendar_key or f"{event_id} {jst_text(created_at)}"))


def calendar_file(entry: CalendarEntry, link: str, now: datetime) -> bytes:
    """`METHOD` and `STATUS` say whether it takes place; `SEQUENCE` lets a program see which of two files is newer."""
    from icalendar import Calendar, Event  # noqa: PLC0415 (slow to import, and rarely needed)

    calendar, event = Calendar(), Event()
    _add(
        calendar,
        prodid="-//Tsudoi//Tsudoi//JA",
        version="2.0",
        calscale="GREGORIAN",
        method="CANCEL" if entry.cancelled else "PUBLISH",
    )
    _add(
        event,
        uid=entry.uid,
        dtstamp=_utc(now),
        last_modified=_utc(entry.updated_at),
        # In UTC every phone shows the right hour, without a description of the time zone.
        dtstart=_utc(entry.held_at),
        dtend=_utc(entry.held_at + LASTS),
        summary=_plain(entry.title),
        description=_plain(description(entry, link)),
        url=link,
        sequence=entry.sequence,
        status="CANCELLED" if entry.cancelled else "CONFIRMED",
        transp="TRANSPARENT" if entry.cancelled else "OPAQUE",
    )
    calendar.add_component(event)
    made: bytes = calendar.to_ical()
    return made


def description(entry: CalendarEntry, link: str) -> str:
    if entry.cancelled:
        return "\n".join(part for part in ("中止になりました。", entry.cancel_reason) if part)
    return "\n".join(part for part in (entry.body, link) if part)


def _add(component: Any, **properties: Any) -> None:
    for name, value in properties.items():
        component.add(name.replace("_", "-"), value)


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)


def _plain(text: str) -> str:
    return _UNPRINTABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
