"""What a slot is in time, and whether it can be booked. Pure.

A slot is a Japanese calendar day and minutes since midnight there. The checks come in the order that the document
gives; the check whether the person already has a seat in the slot lies between `not_open_because` and `full_because`.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from tsudoi.booking.slots.errors import (
    BookingClosed,
    BookingNotOpen,
    DepartmentFull,
    SlotFull,
    SlotNotPublished,
    TypeInactive,
)
from tsudoi.core.clock import JST

_FIRST_MONTH_OF_FISCAL_YEAR = 4


@dataclass(frozen=True, slots=True)
class SlotState:
    """Everything that decides whether a person of one department can book a slot."""

    type_active: bool
    status: str
    service_date_local: str
    start_minute_of_day: int
    booking_start: datetime | None
    booking_end: datetime | None
    capacity: int
    booked_count: int
    # The seats that the person's department may have; None: the slot has no quota for it.
    department_seats: int | None = None
    department_booked: int = 0

    @property
    def begins_at(self) -> datetime:
        return begins_at(self.service_date_local, self.start_minute_of_day)

    @property
    def seats_left(self) -> int:
        """How many more people of the department can have a seat; 0 when there are fewer seats than reservations."""
        left = self.capacity - self.booked_count
        if self.department_seats is not None:
            left = min(left, self.department_seats - self.department_booked)
        return max(left, 0)


def period_key(service_date_local: str) -> str:
    """The Japanese fiscal year of a day, which begins on April 1: `FY2025` for 2026-03-31."""
    day = date.fromisoformat(service_date_local)
    year = day.year if day.month >= _FIRST_MONTH_OF_FISCAL_YEAR else day.year - 1
    return f"FY{year:04d}"


def begins_at(service_date_local: str, start_minute_of_day: int) -> datetime:
    midnight = datetime.combine(date.fromisoformat(service_date_local), time(), JST)
    return midnight + timedelta(minutes=start_minute_of_day)


def ends_at(service_date_local: str, start_minute_of_day: int, duration_minutes: int) -> datetime:
    return begins_at(service_date_local, start_minute_of_day + duration_minutes)


def not_open_because(slot: SlotState, now: datetime) -> str | None:
    """The code of the first reason why nobody can book the slot at this time, or None. Both window ends are in it."""
    if not slot.type_active:
        return TypeInactive.code
    if slot.status != "published":
        return SlotNotPublished.code
    if slot.booking_start is not None and now < slot.booking_start:
        return BookingNotOpen.code
    if (slot.booking_end is not None and now > slot.booking_end) or now >= slot.begins_at:
        return BookingClosed.code
    return None


def full_because(slot: SlotState) -> str | None:
    """The code of the reason why there is no seat for the person's department, or None."""
    if slot.booked_count >= slot.capacity:
        return SlotFull.code
    if slot.department_seats is not None and slot.department_booked >= slot.department_seats:
        return DepartmentFull.code
    return None
