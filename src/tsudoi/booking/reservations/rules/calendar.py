"""A reservation as a calendar program reads it (RFC 5545). Pure."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

from tsudoi.core.clock import utc_text

# No calendar shows these characters, and some programs take them for the end of a line.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029]")
# This must never change: otherwise a calendar would take the next file for another reservation.
_RESERVATIONS = UUID("5b0e5a0c-6f0e-4b8a-8a3b-0d1c8a3f7f15")


@dataclass(frozen=True, slots=True)
class CalendarReservation:
    """The values of a reservation that its calendar file shows."""

    id: int
    title: str
    notes: str | None
    begins_at: datetime
    ends_at: datetime
    created_at: datetime
    updated_at: datetime
    revision: int
    canceled: bool
    # Waits for its payment.
    held: bool = False


def calendar_file(reservation: CalendarReservation, now: datetime) -> bytes:
    """`SEQUENCE` grows with each move and with the cancellation, so that a program sees which file is newer."""
    from icalendar import Calendar, Event  # noqa: PLC0415 (slow to import, and rarely needed)

    canceled = reservation.canceled
    calendar, event = Calendar(), Event()
    method = "CANCEL" if canceled else "PUBLISH"
    _add(calendar, prodid="-//Tsudoi//Tsudoi//JA", version="2.0", calscale="GREGORIAN", method=method)
    _add(
        event,
        uid=str(uuid5(_RESERVATIONS, f"{reservation.id} {utc_text(reservation.created_at)}")),
        dtstamp=_utc(now),
        last_modified=_utc(reservation.updated_at),
        dtstart=_utc(reservation.begins_at),
        dtend=_utc(reservation.ends_at),
        summary=_plain(reservation.title),
        sequence=reservation.revision + canceled,
        status="CANCELLED" if canceled else "TENTATIVE" if reservation.held else "CONFIRMED",
        transp="TRANSPARENT" if canceled else "OPAQUE",
    )
    if reservation.notes:
        event.add("description", _plain(reservation.notes))
    calendar.add_component(event)
    made: bytes = calendar.to_ical()
    return made


def _add(component: Any, **properties: Any) -> None:
    for name, value in properties.items():
        component.add(name.replace("_", "-"), value)


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)


def _plain(text: str) -> str:
    return _UNPRINTABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
