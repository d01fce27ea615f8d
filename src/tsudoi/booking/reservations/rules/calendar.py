"""A reservation as a calendar program reads it (RFC 5545). Pure."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid5

from tsudoi.core import icalendar_file
from tsudoi.core.clock import utc_text

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
    canceled = reservation.canceled
    properties = {
        "uid": str(uuid5(_RESERVATIONS, f"{reservation.id} {utc_text(reservation.created_at)}")),
        "dtstamp": now,
        "last-modified": reservation.updated_at,
        "dtstart": reservation.begins_at,
        "dtend": reservation.ends_at,
        "summary": reservation.title,
        "description": reservation.notes or None,
        "sequence": reservation.revision + canceled,
        "status": "CANCELLED" if canceled else "TENTATIVE" if reservation.held else "CONFIRMED",
        "transp": "TRANSPARENT" if canceled else "OPAQUE",
    }
    return icalendar_file.calendar_file("CANCEL" if canceled else "PUBLISH", properties)
