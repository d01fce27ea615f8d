"""The rules as pure functions: one refusal at a time, in the documented order."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsudoi.booking.reservations.errors import REFUSALS
from tsudoi.booking.reservations.rules.deciding import (
    BookingFacts,
    OwnReservation,
    office_refusal,
    overlaps,
    period_days,
    promotion_until,
    refusal,
    waiting_refusal,
)
from tsudoi.booking.slots.rules import SlotState, period_key

NOW = datetime(2025, 8, 16, 3, tzinfo=UTC)
FREE = SlotState(
    type_active=True,
    status="published",
    service_date_local="2025-09-10",
    start_minute_of_day=540,
    booking_start=None,
    booking_end=None,
    capacity=2,
    booked_count=1,
)
FACTS = BookingFacts(
    slot_id=1,
    type_id=1,
    slot=FREE,
    duration_minutes=15,
    limit_per_year=1,
    minimum_days_between=None,
    overlap_allowed=False,
    own=(),
    now=NOW,
)
OTHER = OwnReservation(7, 2, 1, "FY2025", "2025-10-01", 540, 15)
HERE = replace(OTHER, slot_id=1)
# Each makes one thing wrong; the order is the documented one.
WRONG: dict[str, dict[str, Any]] = {
    "TYPE_INACTIVE": {"slot": {"type_active": False}},
    "SLOT_NOT_PUBLISHED": {"slot": {"status": "closed"}},
    "BOOKING_NOT_OPEN": {"slot": {"booking_start": NOW + timedelta(seconds=1)}},
    "BOOKING_CLOSED": {"slot": {"booking_end": NOW - timedelta(seconds=1)}},
    "ALREADY_IN_SLOT": {"own": HERE},
    "SLOT_FULL": {"slot": {"booked_count": 2}},
    "DEPARTMENT_FULL": {"slot": {"department_seats": 1, "department_booked": 1}},
    "ALREADY_BOOKED_THIS_YEAR": {"own": OTHER},
    "TOO_SOON_AFTER_LAST": {"minimum_days_between": 28, "own": replace(OTHER, period_key="FY2024")},
    "OVERLAPS": {"own": replace(OTHER, type_id=2, service_date_local="2025-09-10", start_minute_of_day=554)},
}
ORDER = list(WRONG)


def facts_with(names: set[str]) -> BookingFacts:
    changes = [WRONG[name] for name in ORDER if name in names]
    slot = replace(FREE, **{key: value for change in changes for key, value in change.get("slot", {}).items()})
    days = max((change.get("minimum_days_between", 0) for change in changes), default=0) or None
    own = tuple(change["own"] for change in changes if "own" in change)
    return replace(FACTS, slot=slot, own=own, minimum_days_between=days)


class TestRefusal:
    def test_nothing_is_wrong(self) -> None:
        assert refusal(FACTS) is None

    @pytest.mark.row("3.5.5")
    @given(st.sets(st.sampled_from(ORDER), min_size=1))
    def test_the_first_thing_that_is_wrong_answers(self, names: set[str]) -> None:
        # A near reservation of the same type is too near only within so many days; here the distance is 21.
        assert refusal(facts_with(names)) == next(name for name in ORDER if name in names)

    def test_every_refusal_has_an_error(self) -> None:
        assert set(ORDER) == set(REFUSALS)
        assert all(REFUSALS[name].status == 409 and REFUSALS[name].code == name for name in ORDER)

    @given(st.sets(st.sampled_from(ORDER)))
    def test_the_office_is_never_refused_for_time_alone(self, names: set[str]) -> None:
        kept = {"TYPE_INACTIVE", "ALREADY_IN_SLOT", "SLOT_FULL", "DEPARTMENT_FULL", "ALREADY_BOOKED_THIS_YEAR"}
        expected = next((name for name in ORDER if name in names & (kept | {"OVERLAPS"})), None)
        assert office_refusal(facts_with(names)) == expected

    def test_the_office_does_not_book_a_draft(self) -> None:
        draft = replace(FACTS, slot=replace(FREE, status="draft"))
        assert office_refusal(draft) == "SLOT_NOT_PUBLISHED"

    @given(st.sets(st.sampled_from(ORDER)))
    def test_waiting_looks_at_everything_but_seats(self, names: set[str]) -> None:
        expected = next((name for name in ORDER if name in names - {"SLOT_FULL", "DEPARTMENT_FULL"}), None)
        assert waiting_refusal(facts_with(names)) == expected


class TestOverlap:
    @given(st.integers(0, 1425), st.integers(1, 15), st.booleans(), st.booleans())
    def test_is_symmetric(self, start: int, minutes: int, mine: bool, theirs: bool) -> None:
        own = OwnReservation(1, 9, 9, "FY2025", "2025-09-10", start, minutes, theirs)
        one = replace(FACTS, own=(own,), overlap_allowed=mine)
        other_slot = replace(FREE, start_minute_of_day=start)
        back = OwnReservation(2, 1, 1, "FY2025", "2025-09-10", 540, 15, mine)
        other = replace(FACTS, slot=other_slot, duration_minutes=minutes, own=(back,), overlap_allowed=theirs)
        assert overlaps(one) == overlaps(other)
        both_need_the_time = not mine and not theirs
        shared = len(set(range(start, start + minutes)) & set(range(540, 555)))
        assert (overlaps(one) is not None) == (both_need_the_time and shared > 0)


@given(st.dates(date(1900, 1, 1), date(2999, 1, 1)))
def test_every_day_lies_in_the_days_of_its_fiscal_year(day: date) -> None:
    text = day.isoformat()
    first, last = period_days(period_key(text))
    assert first <= text <= last
    assert first.endswith("-04-01")
    assert last.endswith("-03-31")


@given(st.none() | st.datetimes(datetime(2025, 8, 1), datetime(2025, 10, 1)))  # noqa: DTZ001 (made aware below)
def test_promotion_ends_a_day_before_or_with_booking(end: datetime | None) -> None:
    ends = None if end is None else end.replace(tzinfo=UTC)
    found = promotion_until(replace(FREE, booking_end=ends))
    assert found <= FREE.begins_at - timedelta(hours=24)
    assert ends is None or found <= ends
