"""`GET /api/slots`: what a staff person sees."""

from datetime import timedelta
from typing import Any

import httpx2
import pytest

from tests.booking.slots.hospital import (
    MONDAY,
    Portal,
    details,
    make_department,
    make_slot,
    make_staff,
    make_type,
    office_client,
    set_columns,
    staff_client,
    take_seat,
    wait,
)
from tests.conftest import NOON
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.clock import JST, ManualClock

OPEN = "/api/slots"


@pytest.fixture
def office(product: Product) -> httpx2.Client:
    make_department(product.db)
    return office_client(product)


@pytest.fixture
def type_id(office: httpx2.Client, product: Product) -> int:
    return make_type(product.db)


def publish(http: httpx2.Client, type_id: int, day: str = MONDAY, **more: Any) -> dict[str, Any]:
    return make_slot(http, type_id, day, status="published", **more)


def listed(client: Portal, **query: Any) -> list[dict[str, Any]]:
    answer = client.get(OPEN, params=query)
    assert answer.status_code == 200, answer.text
    return list(answer.json()["items"])


@pytest.mark.row("3.4.16", "3.1.6", "3.7.17")
def test_shows_published_slots_of_active_types_with_the_seats_that_are_left(
    product: Product, office: httpx2.Client, type_id: int
) -> None:
    inactive = make_type(product.db, "旧健診", active=0)
    shown = publish(office, type_id, bookingEnd="2025-08-31T17:00:00+09:00", notes="健診室")
    make_slot(office, type_id)
    make_slot(office, type_id, status="closed")
    publish(office, inactive)
    me = make_staff(product.db)
    client = staff_client(product, me)
    take_seat(product.db, shown, make_staff(product.db, 2))
    assert listed(client) == [
        {
            "id": shown["id"],
            "reservationTypeId": type_id,
            "reservationTypeName": "職員健診",
            "typeDescription": None,
            "serviceDateLocal": MONDAY,
            "startMinuteOfDay": 540,
            "durationMinutes": 30,
            "capacity": 3,
            "seatsLeft": 2,
            "bookable": True,
            "reason": None,
            "replaceable": None,
            "bookingStart": None,
            "bookingEnd": "2025-08-31T17:00:00+09:00",
            "notes": "健診室",
            "priceJpy": None,
            "holdMinutes": 35,
            "refundUntilHours": None,
            "place": None,
            "waitingCount": 0,
            "waitable": False,
            "myReservationId": None,
            "myWaitingId": None,
            "mailFallback": False,
        }
    ]


@pytest.mark.row("3.4.16")
@sqlite_only
def test_is_for_staff_with_a_pin_of_their_own(product: Product, office: httpx2.Client) -> None:
    assert Portal(product.http, "nobody").get(OPEN).status_code == 401
    assert office.get(OPEN).status_code == 401, "a token of the office is no access token"
    me = make_staff(product.db, emr_patient_id=None)
    client = staff_client(product, me)
    assert client.get(OPEN).status_code == 200, "looking needs no complete profile"
    set_columns(product.db, StaffAccount, me, pin_must_change=1)
    assert client.get(OPEN).status_code == 428
    set_columns(product.db, StaffAccount, me, status="suspended")
    assert client.get(OPEN).status_code == 403
    assert client.get(OPEN, params={"from": "2025-13-01"}).status_code == 403, "first of all: who asks"


@pytest.mark.row("3.4.8", "3.4.9", "3.4.10")
@sqlite_only
def test_says_why_a_slot_cannot_be_booked_now(
    product: Product, office: httpx2.Client, type_id: int, clock: ManualClock
) -> None:
    noon = NOON.astimezone(JST)

    def at(seconds: int) -> str:
        return (noon + timedelta(seconds=seconds)).isoformat()

    reasons = {
        publish(office, type_id)["id"]: None,
        publish(office, type_id, bookingStart=at(0))["id"]: None,
        publish(office, type_id, bookingStart=at(1))["id"]: "BOOKING_NOT_OPEN",
        publish(office, type_id, bookingEnd=at(0))["id"]: None,
        publish(office, type_id, bookingEnd=at(-1))["id"]: "BOOKING_CLOSED",
        publish(office, type_id, "2025-08-16", startMinuteOfDay=720)["id"]: "BOOKING_CLOSED",
        publish(office, type_id, "2025-08-16", startMinuteOfDay=721)["id"]: None,
    }
    client = staff_client(product, make_staff(product.db))
    assert {item["id"]: item["reason"] for item in listed(client)} == reasons
    assert all(item["bookable"] is (item["reason"] is None) for item in listed(client))
    clock.advance(timedelta(seconds=1))
    later = {item["reason"] for item in listed(client)}
    assert later == {None, "BOOKING_CLOSED"}


def test_counts_seats_for_the_persons_own_department(product: Product, office: httpx2.Client, type_id: int) -> None:
    make_department(product.db, "REHA")
    quotas = [{"departmentId": "3A", "seats": 1}]
    slot = publish(office, type_id, quotas=quotas)
    mine, other = (staff_client(product, make_staff(product.db, n, d)) for n, d in ((1, "3A"), (2, "REHA")))
    assert [listed(each)[0]["seatsLeft"] for each in (mine, other)] == [1, 3]
    take_seat(product.db, slot, make_staff(product.db, 3), "3A")
    seen = listed(mine)[0]
    assert (seen["seatsLeft"], seen["bookable"], seen["reason"]) == (0, False, "DEPARTMENT_FULL")
    seen = listed(other)[0]
    assert (seen["seatsLeft"], seen["bookable"], seen["reason"]) == (2, True, None)
    for number in (4, 5):
        take_seat(product.db, slot, make_staff(product.db, number, "REHA"), "REHA")
    assert {listed(each)[0]["reason"] for each in (mine, other)} == {"SLOT_FULL"}


def test_shows_the_persons_own_seat_and_place(product: Product, office: httpx2.Client, type_id: int) -> None:
    first, second = publish(office, type_id), publish(office, type_id, startMinuteOfDay=600)
    me, somebody = make_staff(product.db), make_staff(product.db, 2)
    mine = take_seat(product.db, first, me)
    place = wait(product.db, second["id"], me)
    wait(product.db, second["id"], somebody)
    seat, line = listed(staff_client(product, me))
    assert (seat["myReservationId"], seat["myWaitingId"], seat["reason"]) == (mine, None, "ALREADY_IN_SLOT")
    assert (line["myReservationId"], line["myWaitingId"], line["waitingCount"]) == (None, place, 2)
    theirs, _line = listed(staff_client(product, somebody))
    assert (theirs["myReservationId"], theirs["bookable"]) == (None, True)


@pytest.mark.row("3.7.25")
def test_pages_have_a_stable_order_without_gaps(product: Product, office: httpx2.Client, type_id: int) -> None:
    other = make_type(product.db, "予防接種")
    wanted = [publish(office, type_id, f"2025-09-0{day}", startMinuteOfDay=m)["id"] for day in (1, 2) for m in (5, 9)]
    publish(office, other)
    client = staff_client(product, make_staff(product.db))
    query = {"reservationTypeId": type_id, "limit": 1}
    seen, cursor = [], None
    while True:
        page = client.get(OPEN, params={**query, **({"cursor": cursor} if cursor else {})}).json()
        seen += [item["id"] for item in page["items"]]
        publish(office, type_id, "2025-08-20")
        cursor = page["nextCursor"]
        if cursor is None:
            break
    assert seen == wanted
    days = {item["serviceDateLocal"] for item in listed(client, **{"from": "2025-09-01", "to": "2025-09-01"})}
    assert days == {"2025-09-01"}


@sqlite_only
def test_starts_today_unless_another_day_is_given(product: Product, office: httpx2.Client, type_id: int) -> None:
    past, today = (publish(office, type_id, day)["id"] for day in ("2025-08-15", "2025-08-16"))
    client = staff_client(product, make_staff(product.db))
    assert [item["id"] for item in listed(client)] == [today]
    assert [item["id"] for item in listed(client, **{"from": "2025-08-01"})] == [past, today]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"from": "2025-02-30"}, "from"),
        ({"to": "20250901"}, "to"),
        ({"from": "2025-09-02", "to": "2025-09-01"}, "to"),
        ({"reservationTypeId": "0"}, "reservationTypeId"),
        ({"reservationTypeId": str(2**63)}, "reservationTypeId"),
        ({"limit": "201"}, "limit"),
        ({"cursor": "x"}, "cursor"),
    ],
)
@sqlite_only
def test_bad_filters_are_named(product: Product, query: dict[str, str], field: str) -> None:
    make_department(product.db)
    client = staff_client(product, make_staff(product.db))
    assert [name for name, _reason in details(client.get(OPEN, params=query))] == [field]


@sqlite_only
def test_a_change_by_sql_acts_at_once(product: Product, office: httpx2.Client, type_id: int) -> None:
    slot = publish(office, type_id)
    client = staff_client(product, make_staff(product.db))
    set_columns(product.db, ReservationSlot, slot["id"], booked_count=3)
    assert listed(client)[0]["reason"] == "SLOT_FULL"
    set_columns(product.db, ReservationType, type_id, active=0)
    assert listed(client) == []
