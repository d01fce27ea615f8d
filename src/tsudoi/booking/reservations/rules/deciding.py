"""Whether a person can have a seat in a slot, and until when a reservation can change. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from tsudoi.booking.reservations.errors import AlreadyBookedThisYear, AlreadyInSlot, Overlaps, TooSoonAfterLast
from tsudoi.booking.slots.errors import BookingClosed, SlotNotPublished, TypeInactive
from tsudoi.booking.slots.rules import SlotState, begins_at, full_because, not_open_because, period_key

# Nobody is given a seat from the waiting list later than this before the slot begins.
PROMOTION_ENDS = timedelta(hours=24)
# Refusals that may go away when the person moves a reservation of the same type instead of booking another one.
_ENDED_BY_A_MOVE = (AlreadyBookedThisYear.code, TooSoonAfterLast.code, Overlaps.code)


@dataclass(frozen=True, slots=True)
class OwnReservation:
    """A live reservation of the person."""

    id: int
    slot_id: int
    type_id: int
    period_key: str
    service_date_local: str
    start_minute_of_day: int
    duration_minutes: int
    overlap_allowed: bool = False
    # An absence that does not count: the person books anew. Only the same slot stays taken.
    freed: bool = False


@dataclass(frozen=True, slots=True)
class BookingFacts:
    """Everything that decides whether one person can have a seat in one slot."""

    slot_id: int
    type_id: int
    slot: SlotState
    duration_minutes: int
    limit_per_year: int | None
    minimum_days_between: int | None
    overlap_allowed: bool
    own: tuple[OwnReservation, ...]
    now: datetime

    @property
    def period_key(self) -> str:
        return period_key(self.slot.service_date_local)

    @property
    def counting(self) -> tuple[OwnReservation, ...]:
        """The reservations that the rules over a person compare with."""
        return tuple(one for one in self.own if not one.freed)

    @property
    def booked_this_year(self) -> int:
        """How many reservations of this type and fiscal year the person has."""
        return sum(one.period_key == self.period_key for one in self.counting if one.type_id == self.type_id)


def refusal(facts: BookingFacts) -> str | None:
    """The code of the first reason why the person cannot book the slot now, or None. The order is documented."""
    return (
        not_open_because(facts.slot, facts.now)
        or already_in_slot(facts)
        or full_because(facts.slot)
        or person_refused_because(facts)
    )


def office_refusal(facts: BookingFacts) -> str | None:
    """The same for the office, which may ignore what is only about time: the window, the begin, the days between.

    It may also book in a slot that is closed for staff, but not in a draft.
    """
    if not facts.slot.type_active:
        return TypeInactive.code
    if facts.slot.status == "draft":
        return SlotNotPublished.code
    return already_in_slot(facts) or full_because(facts.slot) or year_used_up(facts) or overlaps(facts)


def waiting_refusal(facts: BookingFacts) -> str | None:
    """The code of the first reason why the person cannot wait for the slot, apart from seats that are still free."""
    return (
        not_open_because(facts.slot, facts.now)
        or (BookingClosed.code if facts.now > promotion_until(facts.slot) else None)
        or already_in_slot(facts)
        or person_refused_because(facts)
    )


def person_refused_because(facts: BookingFacts) -> str | None:
    return year_used_up(facts) or too_soon(facts) or overlaps(facts)


def replaced_by_a_move(facts: BookingFacts, reason: str | None, movable: Iterable[OwnReservation]) -> int | None:
    """The latest reservation that the person could move to the slot now, where they cannot book another one.

    `movable`: those of the slot's type that their owner may still move, the latest last.
    """
    if reason not in _ENDED_BY_A_MOVE:
        return None
    fits = [one.id for one in movable if refusal(replace(facts, own=_without(facts.own, one))) is None]
    return fits[-1] if fits else None


def _without(own: tuple[OwnReservation, ...], moving: OwnReservation) -> tuple[OwnReservation, ...]:
    return tuple(one for one in own if one.id != moving.id)


def already_in_slot(facts: BookingFacts) -> str | None:
    return AlreadyInSlot.code if any(one.slot_id == facts.slot_id for one in facts.own) else None


def year_used_up(facts: BookingFacts) -> str | None:
    limit = facts.limit_per_year
    return AlreadyBookedThisYear.code if limit is not None and facts.booked_this_year >= limit else None


def too_soon(facts: BookingFacts) -> str | None:
    """Days count in both directions, so that the order in which two doses are booked does not matter."""
    if facts.minimum_days_between is None:
        return None
    near = (distance < facts.minimum_days_between for distance in _distances(facts))
    return TooSoonAfterLast.code if any(near) else None


def overlaps(facts: BookingFacts) -> str | None:
    """Two reservations may be at the same time if the type of one of them allows it."""
    if facts.overlap_allowed:
        return None
    slot = facts.slot
    first, last = slot.start_minute_of_day, slot.start_minute_of_day + facts.duration_minutes
    for one in facts.counting:
        starts, ends = one.start_minute_of_day, one.start_minute_of_day + one.duration_minutes
        same_day = one.service_date_local == slot.service_date_local
        if same_day and not one.overlap_allowed and starts < last and first < ends:
            return Overlaps.code
    return None


def _distances(facts: BookingFacts) -> Iterator[int]:
    day = date.fromisoformat(facts.slot.service_date_local)
    for one in facts.counting:
        if one.type_id == facts.type_id:
            yield abs((day - date.fromisoformat(one.service_date_local)).days)


def cancelable_until(service_date_local: str, start_minute_of_day: int, cancel_until_hours: int) -> datetime:
    """The person may cancel and move before this time; the office always may."""
    return begins_at(service_date_local, start_minute_of_day) - timedelta(hours=cancel_until_hours)


def promotion_until(slot: SlotState) -> datetime:
    """The last moment at which a freed seat is given to the waiting list."""
    last = slot.begins_at - PROMOTION_ENDS
    return last if slot.booking_end is None else min(slot.booking_end, last)


def period_days(key: str) -> tuple[str, str]:
    """The first and the last day of a fiscal year."""
    year = int(key.removeprefix("FY"))
    return f"{year:04d}-04-01", f"{year + 1:04d}-03-31"
