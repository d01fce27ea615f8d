"""What `GET /api/slots` promises to a person is what a booking or a move of this person gets."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event

from tests.booking.reservations.conftest import PersonMaker
from tests.booking.reservations.hospital import Hospital, Person, code
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.reservations.queries.open_slots import open_slots
from tsudoi.booking.slots.schemas import OpenSlotListing
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import ReadTx

_PERSONAL = {"ALREADY_BOOKED_THIS_YEAR", "TOO_SOON_AFTER_LAST", "OVERLAPS"}


def listed(person: Person) -> dict[int, dict[str, Any]]:
    answer = person.http.get("/api/slots", params={"limit": 200})
    assert answer.status_code == 200, answer.text
    return {item["id"]: item for item in answer.json()["items"]}


def tried(hospital: Hospital, person: Person, slot_id: int) -> str | None:
    """What a booking says now. One that succeeds is taken back."""
    hospital.sql("DELETE FROM rate_limits")
    answer = person.book(slot_id)
    if answer.status_code != 201:
        assert answer.status_code == 409, answer.text
        return str(answer.json()["code"])
    assert person.cancel(answer.json()["id"]).status_code == 204
    return None


def assert_true(hospital: Hospital, person: Person) -> dict[int, str | None]:
    """Every slot of the list says what a booking gets, and `replaceable` what a move gets."""
    promised = listed(person)
    for slot_id, item in promised.items():
        assert item["bookable"] is (item["reason"] is None), slot_id
        assert item["reason"] == tried(hospital, person, slot_id), slot_id
        assert item["replaceable"] is None or item["reason"] in _PERSONAL, slot_id
        for one in hospital.reservations(staff_uid=person.uid, canceled_at=None):
            if item["reason"] not in _PERSONAL:
                continue
            moved = person.move(one.id, slot_id)
            if one.id == item["replaceable"]:
                assert moved.status_code == 200, (slot_id, moved.text)
            if moved.status_code == 200:
                assert item["replaceable"] is not None, slot_id
                assert person.move(one.id, one.slot_id).status_code == 200
    return {slot_id: item["reason"] for slot_id, item in promised.items()}


@pytest.mark.found("24.B7")
@pytest.mark.row("6.4.11", "6.4.12")
class TestWhatTheListPromises:
    def test_a_slot_is_bookable_exactly_when_a_booking_would_succeed(
        self, hospital: Hospital, person: PersonMaker
    ) -> None:
        anna, ben = person(), person()
        flu, twice = hospital.type("インフルエンザ"), hospital.type("健診", limit_per_year=2, minimum_days_between=28)
        free, calm = hospital.type("相談", limit_per_year=None), hospital.type("講習", overlap_allowed=1)
        for type_id, start in ((flu, 540), (twice, 600), (free, 700), (calm, 700)):
            mine = hospital.slot(type_id, "2025-09-10", start, capacity=2)
            anna.booked(mine)
            # Free, full, at the same time, near in days, in the next fiscal year, and closed.
            hospital.slot(type_id, "2025-09-11", 800)
            ben.booked(hospital.slot(type_id, "2025-09-12", start))
            hospital.sql(f"UPDATE reservations SET canceled_at = created_at WHERE staff_uid = '{ben.uid}'")
            hospital.slot(type_id, "2025-09-10", start + 5)
            hospital.slot(type_id, "2025-10-20", 540)
            hospital.slot(type_id, "2026-04-02", 540)
            hospital.slot(type_id, "2025-10-21", booking_end=hospital.now - timedelta(seconds=1))
        reasons = assert_true(hospital, anna)
        assert set(reasons.values()) == {None, "ALREADY_IN_SLOT", "SLOT_FULL", "BOOKING_CLOSED", *_PERSONAL}
        assert set(assert_true(hospital, person()).values()) == {None, "SLOT_FULL", "BOOKING_CLOSED"}

    @sqlite_only
    def test_the_reservation_that_can_move_is_named_until_its_deadline(
        self, hospital: Hospital, person: PersonMaker, clock: ManualClock
    ) -> None:
        type_id = hospital.type(cancel_until_hours=24)
        old, new = hospital.slot(type_id, "2025-08-18", 720), hospital.slot(type_id, "2025-09-01")
        anna = person()
        reservation_id = anna.booked(old)
        assert (listed(anna)[new]["reason"], listed(anna)[new]["replaceable"]) == (
            "ALREADY_BOOKED_THIS_YEAR",
            reservation_id,
        )
        clock.advance(timedelta(days=1))
        found = listed(anna)[new]
        assert (found["reason"], found["replaceable"]) == ("ALREADY_BOOKED_THIS_YEAR", None)
        assert code(anna.move(reservation_id, new)) == (409, "TOO_LATE")

    @sqlite_only
    def test_of_several_the_latest_that_fits_is_named(self, hospital: Hospital, person: PersonMaker) -> None:
        type_id, anna = hospital.type(limit_per_year=2), person()
        _first, second = (anna.booked(hospital.slot(type_id, day)) for day in ("2025-09-01", "2025-10-01"))
        target = hospital.slot(type_id, "2025-09-20")
        assert listed(anna)[target]["replaceable"] == second
        beside = hospital.slot(hospital.type("相談"), "2025-09-20")
        anna.booked(beside)
        assert listed(anna)[target]["replaceable"] is None, "the other type overlaps, and does not move"

    def test_a_hold_that_ran_out_stands_in_the_way_only_where_somebody_waits(
        self, hospital: Hospital, person: PersonMaker
    ) -> None:
        type_id, anna, ben = hospital.type(limit_per_year=2), person(), person()
        waited, other, third = (hospital.slot(type_id, f"2025-09-0{day}") for day in (1, 2, 3))
        held = [anna.booked(slot_id) for slot_id in (waited, other)]
        assert person().wait(waited).status_code == 201
        past = hospital.now - timedelta(minutes=1)
        for reservation_id in held:
            hospital.change(Reservation, reservation_id, confirmed_at=None, hold_expires_at=past, once_per_year=0)
        hospital.change(ReservationType, type_id, limit_per_year=1)
        seen = {slot_id: item["reason"] for slot_id, item in listed(ben).items()}
        assert seen == {waited: "SLOT_FULL", other: None, third: None}
        assert assert_true(hospital, ben) == seen
        assert listed(anna)[third]["reason"] == tried(hospital, anna, third) == "ALREADY_BOOKED_THIS_YEAR"

    @sqlite_only
    def test_a_seat_with_a_price_is_not_offered_while_nothing_can_be_paid(
        self, hospital: Hospital, make_product: ProductMaker
    ) -> None:
        slot_id = hospital.slot(hospital.type(price_jpy=3000))
        product = make_product(stripe_secret_key=None, stripe_webhook_secret=None)
        headers = {"authorization": f"Bearer {hospital.token(hospital.staff())}"}
        [item] = product.http.get("/api/slots", headers=headers).json()["items"]
        answer = product.http.post("/api/reservations", json={"slotId": slot_id}, headers=headers)
        assert (item["bookable"], item["reason"]) == (False, answer.json()["code"])

    def test_the_number_of_statements_does_not_grow_with_the_slots(
        self, hospital: Hospital, person: PersonMaker
    ) -> None:
        type_id, anna = hospital.type(limit_per_year=None), person()
        anna.booked(hospital.slot(type_id))
        few = statements_of_the_list(hospital, anna)
        for day in range(10, 18):
            anna.booked(hospital.slot(type_id, f"2025-10-{day}"))
            hospital.slot(type_id, f"2025-11-{day}")
        assert statements_of_the_list(hospital, anna) == few


def statements_of_the_list(hospital: Hospital, person: Person) -> int:
    seen: list[str] = []

    def note(*given: Any) -> None:
        seen.append(given[2])

    def read(tx: ReadTx) -> None:
        event.listen(tx.connection, "before_cursor_execute", note)
        open_slots(tx, person.uid, "3A", OpenSlotListing(limit=200), payments_on=True)
        event.remove(tx.connection, "before_cursor_execute", note)

    hospital.db.read_now(read)
    return len(seen)
