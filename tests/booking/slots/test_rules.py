from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tsudoi.booking.slots.errors import REFUSALS
from tsudoi.booking.slots.rules import SlotState, begins_at, ends_at, full_because, not_open_because, period_key
from tsudoi.core.clock import JST

NOW = datetime(2025, 8, 16, 12, 0, tzinfo=JST)
MOMENT = timedelta(microseconds=1)
OPEN = SlotState(
    type_active=True,
    status="published",
    service_date_local="2025-08-20",
    start_minute_of_day=540,
    booking_start=None,
    booking_end=None,
    capacity=2,
    booked_count=1,
)


def refusal(slot: SlotState, now: datetime) -> str | None:
    return not_open_because(slot, now) or full_because(slot)


@pytest.mark.row("3.1.5", "3.5.19")
@pytest.mark.parametrize(
    ("day", "key"),
    [
        ("2025-04-01", "FY2025"),
        ("2025-12-31", "FY2025"),
        ("2026-01-01", "FY2025"),
        ("2026-03-31", "FY2025"),
        ("2026-04-01", "FY2026"),
        ("2028-02-29", "FY2027"),
    ],
)
def test_the_fiscal_year_begins_on_april_1(day: str, key: str) -> None:
    assert period_key(day) == key


def test_a_slot_is_in_japanese_time() -> None:
    assert begins_at("2025-08-20", 540).isoformat() == "2025-08-20T09:00:00+09:00"
    assert ends_at("2025-08-20", 1410, 30).isoformat() == "2025-08-21T00:00:00+09:00"


@pytest.mark.row("3.4.7")
@pytest.mark.parametrize("status", ["draft", "closed"])
def test_only_a_published_slot_is_open(status: str) -> None:
    assert refusal(replace(OPEN, status=status), NOW) == "SLOT_NOT_PUBLISHED"


@pytest.mark.row("3.4.8", "3.4.9")
@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (None, None, None),
        (NOW, None, None),
        (None, NOW, None),
        (NOW, NOW, None),
        (NOW + MOMENT, None, "BOOKING_NOT_OPEN"),
        (None, NOW - MOMENT, "BOOKING_CLOSED"),
    ],
)
def test_both_ends_of_the_window_belong_to_it(
    start: datetime | None, end: datetime | None, expected: str | None
) -> None:
    assert refusal(replace(OPEN, booking_start=start, booking_end=end), NOW) == expected


@pytest.mark.row("3.4.10")
def test_a_slot_that_has_begun_is_closed() -> None:
    assert refusal(OPEN, OPEN.begins_at - MOMENT) is None
    assert refusal(OPEN, OPEN.begins_at) == "BOOKING_CLOSED"
    late = replace(OPEN, booking_end=OPEN.begins_at + timedelta(days=1))
    assert refusal(late, OPEN.begins_at) == "BOOKING_CLOSED"


def test_seats_run_out_for_all_and_for_a_department() -> None:
    assert full_because(replace(OPEN, booked_count=2, department_seats=0)) == "SLOT_FULL"
    assert full_because(replace(OPEN, department_seats=1, department_booked=1)) == "DEPARTMENT_FULL"
    assert full_because(replace(OPEN, department_seats=1, department_booked=0)) is None


def test_the_first_reason_in_the_order_of_the_document_counts() -> None:
    worst = replace(OPEN, type_active=False, status="draft", booking_end=NOW - MOMENT, booked_count=2)
    codes = []
    for mend in ({"type_active": True}, {"status": "published"}, {"booking_end": None}, {"booked_count": 0}, {}):
        codes.append(refusal(worst, NOW))
        worst = replace(worst, **mend)
    assert codes == ["TYPE_INACTIVE", "SLOT_NOT_PUBLISHED", "BOOKING_CLOSED", "SLOT_FULL", None]


def test_every_refusal_has_an_error_of_its_own() -> None:
    assert {code: error.status for code, error in REFUSALS.items()} == dict.fromkeys(
        ["TYPE_INACTIVE", "SLOT_NOT_PUBLISHED", "BOOKING_NOT_OPEN", "BOOKING_CLOSED", "SLOT_FULL", "DEPARTMENT_FULL"],
        409,
    )
