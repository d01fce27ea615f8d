"""An event as a calendar program reads it (RFC 5545). Pure."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid5

from tsudoi.core import icalendar_file
from tsudoi.core.clock import jst_text
from tsudoi.events.event.rules import LASTS

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
    place: str | None = None
    end_at: datetime | None = None


def uid_of(event_id: int, created_at: datetime, calendar_key: str | None) -> str:
    """The event's identifier in all calendars. It never changes, so it does not contain the site's address.

    It is a hash, because anybody who knows the key may fetch the file. Rows that other programs wrote have no key;
    their id and creation time are used instead, which do not change either.
    """
    return str(uuid5(_EVENTS, calendar_key or f"{event_id} {jst_text(created_at)}"))


def calendar_file(entry: CalendarEntry, link: str, now: datetime) -> bytes:
    """`METHOD` and `STATUS` say whether it takes place; `SEQUENCE` lets a program see which of two files is newer."""
    properties = {
        "uid": entry.uid,
        "dtstamp": now,
        "last-modified": entry.updated_at,
        "dtstart": entry.held_at,
        "dtend": entry.end_at or entry.held_at + LASTS,
        "summary": entry.title,
        "location": entry.place,
        "description": description(entry, link),
        "url": link,
        "sequence": entry.sequence,
        "status": "CANCELLED" if entry.cancelled else "CONFIRMED",
        "transp": "TRANSPARENT" if entry.cancelled else "OPAQUE",
    }
    return icalendar_file.calendar_file("CANCEL" if entry.cancelled else "PUBLISH", properties)


def description(entry: CalendarEntry, link: str) -> str:
    if entry.cancelled:
        return "\n".join(part for part in ("中止になりました。", entry.cancel_reason) if part)
    return "\n".join(part for part in (entry.body, link) if part)
