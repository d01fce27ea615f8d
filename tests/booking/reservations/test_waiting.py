"""The waiting list: who may wait, who is promoted, who is passed over and why."""

from datetime import timedelta
from typing import Any

import pytest

from tests.booking.reservations.conftest import PersonMaker
from tests.booking.reservations.hospital import Hospital, code
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.reservations.service.waiting import expire, fill
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.clock import ManualClock


class TestJoin:
    @pytest.mark.row("3.5.28")
    def test_a_full_slot_has_a_line(self, hospital: Hospital, person: PersonMaker) -> None:
        slot_id = hospital.slot(hospital.type())
        person().booked(slot_id)
        ben, carl = person(), person()
        assert [waiting.wait(slot_id).json()["position"] for waiting in (ben, carl, ben)] == [1, 2, 1]
        assert len(hospital.places()) == 2
        assert len(hospital.audit("WAIT_JOIN")) == 2
        [item] = carl.http.get("/api/waiting/me").json()["items"]
        assert (item["slotId"], item["position"], item["outcome"]) == (slot_id, 2, None)
        assert item["promotionUntil"] == "2025-09-09T09:00:00+09:00"

    @pytest.mark.row("3.5.28")
    @sqlite_only
    def test_not_for_everybody(self, hospital: Hospital, person: PersonMaker) -> None:
        type_id = hospital.type()
        slot_id, free = hospital.slot(type_id), hospital.slot(type_id, "2025-09-11")
        anna, ben = person(), person()
        anna.booked(slot_id)
        assert code(ben.wait(free)) == (409, "NOT_FULL")
        assert code(anna.wait(slot_id)) == (409, "ALREADY_IN_SLOT")
        assert code(ben.wait(free + 99)) == (404, "NOT_FOUND")
        ben.booked(free)
        assert code(ben.wait(slot_id)) == (409, "ALREADY_BOOKED_THIS_YEAR")
        soon = hospital.slot(hospital.type("健診"), "2025-08-17", 719)
        person().booked(soon)
        assert code(person().wait(soon)) == (409, "BOOKING_CLOSED")
        hospital.change(ReservationSlot, slot_id, status="closed")
        assert code(person().wait(slot_id)) == (409, "SLOT_NOT_PUBLISHED")

    @sqlite_only
    def test_a_full_department_may_wait_too(self, hospital: Hospital, person: PersonMaker) -> None:
        slot_id = hospital.slot(hospital.type(), capacity=5)
        hospital.quota(slot_id, 1)
        anna, ben = person(), person()
        reservation_id = anna.booked(slot_id)
        assert ben.wait(slot_id).status_code == 201
        anna.cancel(reservation_id)
        assert hospital.live(slot_id) == [ben.uid]


class TestLeave:
    @pytest.mark.row("3.5.28")
    def test_gives_the_place_up(self, hospital: Hospital, person: PersonMaker) -> None:
        slot_id = hospital.slot(hospital.type())
        anna, ben, carl = person(), person(), person()
        reservation_id = anna.booked(slot_id)
        place = ben.wait(slot_id).json()["id"]
        carl.wait(slot_id)
        json = {"content-type": "application/json"}
        assert code(carl.http.delete(f"/api/waiting/{place}", headers=json)) == (404, "NOT_FOUND")
        statuses = [ben.http.delete(f"/api/waiting/{place}", headers=json).status_code for _ in range(2)]
        assert statuses == [204, 204]
        assert len(hospital.audit("WAIT_LEAVE")) == 1
        anna.cancel(reservation_id)
        assert hospital.live(slot_id) == [carl.uid]
        assert [row.outcome for row in hospital.places()] == ["left", "promoted"]


class TestPromotion:
    @pytest.mark.row("3.5.28")
    def test_a_cancelled_seat_goes_to_the_first_in_line(self, hospital: Hospital, person: PersonMaker) -> None:
        type_id = hospital.type()
        slot_id, other, next_year = (hospital.slot(type_id, day) for day in ("2025-09-10", "2025-09-11", "2026-04-01"))
        anna, ben, carl = person(), person(), person()
        reservation_id = anna.booked(slot_id)
        person().booked(other)
        person().booked(next_year)
        for full in (slot_id, other, next_year):
            assert ben.wait(full).status_code == 201
        carl.wait(slot_id)
        assert anna.cancel(reservation_id).status_code == 204
        assert hospital.live(slot_id) == [ben.uid]
        assert hospital.booked(slot_id) == 1
        here, elsewhere, later, behind = hospital.places()
        assert (here.outcome, here.ended_at, elsewhere.outcome) == ("promoted", hospital.now, "withdrawn")
        assert here.reservation_id == ben.http.get("/api/reservations/me").json()["items"][0]["id"]
        assert (later.outcome, behind.outcome) == (None, None)
        [entry] = hospital.audit("WAIT_PROMOTE")
        assert (entry.actor, entry.subject) == ("system", f"reservation:{here.reservation_id}")
        assert f'"freed_by":"staff:{anna.uid}"' in entry.new

    @pytest.mark.row("3.5.28")
    def test_who_is_passed_over_keeps_the_place_and_sees_why(
        self, hospital: Hospital, person: PersonMaker, product: Product
    ) -> None:
        slot_id, clash = hospital.slot(hospital.type()), hospital.slot(hospital.type("健診"), start=545)
        anna, ben, carl, dora = person(), person(), person(), person()
        reservation_id = anna.booked(slot_id)
        for waiting in (ben, carl, dora):
            waiting.wait(slot_id)
        in_the_way = ben.booked(clash)
        hospital.change(StaffAccount, carl.uid, status="suspended")
        anna.cancel(reservation_id)
        assert hospital.live(slot_id) == [dora.uid]
        [first, second, _] = hospital.places()
        assert (first.ended_at, first.skipped_because) == (None, "OVERLAPS")
        assert (second.ended_at, second.skipped_because) == (None, "STAFF_NOT_ACTIVE")
        [mine] = ben.http.get("/api/waiting/me").json()["items"]
        assert (mine["position"], mine["skippedBecause"]) == (1, "OVERLAPS")
        product.make_admin()
        product.log_in()
        line = product.http.get(f"/api/admin/slots/{slot_id}/waiting").json()["items"]
        assert [(item["staffUid"], item["skippedBecause"]) for item in line] == [
            (ben.uid, "OVERLAPS"),
            (carl.uid, "STAFF_NOT_ACTIVE"),
        ]
        ben.cancel(in_the_way)
        [(dora_has)] = [row.id for row in hospital.reservations(staff_uid=dora.uid)]
        dora.cancel(dora_has)
        assert hospital.live(slot_id) == [ben.uid]

    def test_a_move_frees_a_seat_too(self, hospital: Hospital, person: PersonMaker) -> None:
        type_id = hospital.type()
        slot_id, other = hospital.slot(type_id), hospital.slot(type_id, "2025-09-11")
        anna, ben = person(), person()
        reservation_id = anna.booked(slot_id)
        ben.wait(slot_id)
        assert anna.move(reservation_id, other).status_code == 200
        assert (hospital.live(slot_id), hospital.live(other)) == ([ben.uid], [anna.uid])

    def test_more_capacity_promotes_as_many_as_fit(self, hospital: Hospital, person: PersonMaker) -> None:
        slot_id = hospital.slot(hospital.type())
        person().booked(slot_id)
        waiting = [person() for _ in range(3)]
        for one in waiting:
            one.wait(slot_id)
        hospital.change(ReservationSlot, slot_id, capacity=3)
        made = hospital.db.write_now(fill, slot_id)
        assert len(made) == 2
        assert hospital.live(slot_id)[1:] == [one.uid for one in waiting[:2]]
        assert hospital.db.write_now(fill, slot_id) == []

    @pytest.mark.row("3.5.28")
    @sqlite_only
    def test_never_after_the_end_of_booking_or_on_the_last_day(
        self, hospital: Hospital, person: PersonMaker, clock: ManualClock
    ) -> None:
        type_id, hour = hospital.type(limit_per_year=None, overlap_allowed=1), timedelta(hours=1)
        ends: dict[str, dict[str, Any]] = {
            "booking ends": {"booking_end": hospital.now + hour},
            "24 hours": {"day": "2025-08-17", "start": 780},
        }
        for name, more in ends.items():
            slot_id = hospital.slot(type_id, capacity=2, **more)
            first, second, ben, carl = (person() for _ in range(4))
            early, late = first.booked(slot_id), second.booked(slot_id)
            assert (ben.wait(slot_id).status_code, carl.wait(slot_id).status_code) == (201, 201)
            clock.advance(hour)
            first.cancel(early)
            assert hospital.live(slot_id) == [second.uid, ben.uid], name
            clock.advance(timedelta(microseconds=1))
            second.cancel(late)
            assert hospital.live(slot_id) == [ben.uid], name
            assert hospital.db.write_now(expire) == 1, name
            assert carl.http.get("/api/waiting/me").json()["items"][0]["outcome"] == "expired", name
            clock.advance(-hour - timedelta(microseconds=1))

    @sqlite_only
    def test_booking_elsewhere_ends_the_wait(self, hospital: Hospital, person: PersonMaker) -> None:
        type_id = hospital.type()
        slot_id, other = hospital.slot(type_id), hospital.slot(type_id, "2025-09-11")
        person().booked(slot_id)
        ben = person()
        ben.wait(slot_id)
        ben.booked(other)
        assert [row.outcome for row in hospital.places()] == ["withdrawn"]
