"""Moving and cancelling by the owner, and the owner's list."""

from datetime import timedelta

import pytest

from tests.booking.reservations.conftest import PersonMaker
from tests.booking.reservations.hospital import Hospital, code
from tests.product_fixtures import sqlite_only
from tsudoi.booking.reservations.service.changing import cancel_future
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.core import audit
from tsudoi.core.clock import ManualClock


class TestMove:
    @pytest.mark.row("3.5.13", "3.5.26", "3.5.10")
    def test_everything_follows_the_new_slot(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, type_id = person(), hospital.type()
        old = hospital.slot(type_id, "2026-03-31", capacity=2)
        new = hospital.slot(type_id, "2026-04-01", 600, capacity=2, duration_minutes=30)
        reservation_id = anna.booked(old)
        answer = anna.move(reservation_id, new)
        assert answer.status_code == 200
        shown = answer.json()
        assert (shown["id"], shown["slotId"], shown["periodKey"]) == (reservation_id, new, "FY2026")
        [row] = hospital.reservations()
        assert (row.slot_id, row.service_date_local, row.start_minute_of_day) == (new, "2026-04-01", 600)
        assert (row.duration_minutes, row.period_key, row.revision) == (30, "FY2026", 1)
        assert (hospital.booked(old), hospital.booked(new)) == (0, 1)
        [entry] = hospital.audit("RESERVE_UPDATE")
        assert entry.actor == f"staff:{anna.uid}"
        assert f'"slot_id":{old}' in entry.old
        assert f'"slot_id":{new}' in entry.new

    @pytest.mark.row("3.5.14", "3.5.12", "3.5.16")
    def test_a_refusal_leaves_the_old_seat(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, type_id = person(), hospital.type()
        old = hospital.slot(type_id)
        full, closed = hospital.slot(type_id, "2025-09-11"), hospital.slot(type_id, "2025-09-12", status="closed")
        foreign = hospital.slot(hospital.type("健診"), "2025-09-13")
        person().booked(full)
        reservation_id = anna.booked(old)
        refusals = [code(anna.move(reservation_id, slot_id)) for slot_id in (full, closed, foreign, foreign + 99)]
        expected = [(409, "SLOT_FULL"), (409, "SLOT_NOT_PUBLISHED"), (409, "TYPE_MISMATCH"), (404, "NOT_FOUND")]
        assert refusals == expected
        assert code(person().move(reservation_id, hospital.slot(type_id, "2025-09-14"))) == (404, "NOT_FOUND")
        assert hospital.live(old) == [anna.uid]
        assert (hospital.booked(old), hospital.booked(full), hospital.booked(foreign)) == (1, 1, 0)
        assert anna.cancel(reservation_id).status_code == 204
        assert code(anna.move(reservation_id, hospital.slot(type_id, "2025-09-15"))) == (409, "CANCELED")

    @pytest.mark.row("3.5.15")
    @sqlite_only
    def test_to_the_same_slot_changes_nothing(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, slot_id = person(), hospital.slot(hospital.type())
        reservation_id = anna.booked(slot_id)
        before = hospital.reservations()
        hospital.change(ReservationSlot, slot_id, status="closed")
        answer = anna.move(reservation_id, slot_id)
        assert (answer.status_code, answer.json()["slotId"]) == (200, slot_id)
        assert hospital.reservations() == before
        assert hospital.audit("RESERVE_UPDATE") == []

    @sqlite_only
    def test_its_own_row_is_left_out_of_the_rules(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, type_id = person(), hospital.type(minimum_days_between=28)
        reservation_id = anna.booked(hospital.slot(type_id, start=540))
        assert anna.move(reservation_id, hospital.slot(type_id, start=545)).status_code == 200

    @sqlite_only
    def test_not_after_the_deadline_of_the_old_slot(
        self, hospital: Hospital, person: PersonMaker, clock: ManualClock
    ) -> None:
        anna, type_id = person(), hospital.type(cancel_until_hours=24)
        ended = hospital.now + timedelta(hours=1)
        reservation_id = anna.booked(hospital.slot(type_id, "2025-08-18", 720, booking_end=ended))
        later = hospital.slot(type_id, "2025-09-20")
        clock.advance(timedelta(hours=24) - timedelta(microseconds=1))
        assert anna.move(reservation_id, later).status_code == 200
        back = hospital.slot(type_id, "2025-08-18", 780)
        assert anna.move(reservation_id, back).status_code == 200
        clock.advance(timedelta(hours=1, microseconds=1))
        assert code(anna.move(reservation_id, later)) == (409, "TOO_LATE")


class TestCancel:
    @pytest.mark.row("3.5.17", "3.5.26")
    def test_the_seat_and_the_year_are_free_at_once(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, type_id = person(), hospital.type()
        slot_id = hospital.slot(type_id)
        reservation_id = anna.booked(slot_id)
        assert [anna.cancel(reservation_id).status_code for _ in range(2)] == [204, 204]
        [row] = hospital.reservations()
        assert (row.canceled_at, row.canceled_by) == (hospital.now, f"staff:{anna.uid}")
        assert hospital.booked(slot_id) == 0
        assert len(hospital.audit("RESERVE_CANCEL")) == 1
        assert anna.booked(slot_id) != reservation_id

    @pytest.mark.row("3.5.12")
    @sqlite_only
    def test_somebody_elses_is_not_found(self, hospital: Hospital, person: PersonMaker) -> None:
        slot_id = hospital.slot(hospital.type())
        reservation_id = person().booked(slot_id)
        assert code(person().cancel(reservation_id)) == (404, "NOT_FOUND")
        assert hospital.booked(slot_id) == 1

    @sqlite_only
    def test_until_the_deadline_of_the_type(self, hospital: Hospital, person: PersonMaker, clock: ManualClock) -> None:
        for hours, type_id in ((0, hospital.type()), (2, hospital.type(cancel_until_hours=2))):
            first, second = person(), person()
            slot_id = hospital.slot(type_id, "2025-08-17", 720, capacity=2)
            kept, canceled = first.booked(slot_id), second.booked(slot_id)
            begin = timedelta(hours=24 - hours)
            clock.advance(begin - timedelta(microseconds=1))
            assert second.cancel(canceled).status_code == 204, hours
            clock.advance(timedelta(microseconds=1))
            assert code(first.cancel(kept)) == (409, "TOO_LATE"), hours
            clock.advance(-begin)

    @pytest.mark.row("3.4.15")
    @sqlite_only
    def test_a_closed_slot_keeps_its_reservations(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, slot_id = person(), hospital.slot(hospital.type())
        reservation_id = anna.booked(slot_id)
        hospital.change(ReservationSlot, slot_id, status="closed")
        assert [item["id"] for item in anna.http.get("/api/reservations/me").json()["items"]] == [reservation_id]
        assert anna.cancel(reservation_id).status_code == 204


class TestCancelFuture:
    def test_what_lies_ahead_is_cancelled_and_the_rest_stays(
        self, hospital: Hospital, person: PersonMaker, clock: ManualClock
    ) -> None:
        anna, ben = person(), person()
        past = anna.booked(hospital.slot(hospital.type(), "2025-08-17"))
        slots = [hospital.slot(hospital.type(), f"2025-09-1{number}") for number in range(3)]
        ahead = [anna.booked(slot_id) for slot_id in slots]
        assert ben.wait(slots[1]).status_code == 201
        waits = hospital.slot(hospital.type(), "2025-09-20")
        ben.booked(waits)
        assert anna.wait(waits).status_code == 201
        clock.advance(timedelta(days=2))
        assert hospital.db.write_now(cancel_future, anna.uid, "admin:jimukyoku", "退職") == ahead
        by_id = {row.id: row for row in hospital.reservations()}
        assert by_id[past].canceled_at is None
        assert {by_id[one].cancel_reason for one in ahead} == {"退職"}
        assert hospital.live(slots[1]) == [ben.uid]
        assert [hospital.booked(slot_id) for slot_id in slots] == [0, 1, 0]
        assert [place.outcome for place in hospital.places(staff_uid=anna.uid)] == ["withdrawn"]
        assert len(hospital.audit("RESERVE_CANCEL")) == 3
        assert hospital.db.read_now(audit.verify).broken_at is None


class TestMine:
    @pytest.mark.row("3.5.11", "3.7.25")
    def test_own_ones_in_pages_the_latest_day_first(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, ben = person(), person()
        type_id = hospital.type(limit_per_year=None)
        slots = [hospital.slot(type_id, f"2025-09-{day}", capacity=2) for day in range(11, 18)]
        mine = [anna.booked(slot_id) for slot_id in slots]
        ben.booked(slots[0])
        anna.cancel(mine[3])
        seen, cursor = [], None
        for page in range(3):
            query = {"limit": 3, **({"cursor": cursor} if cursor else {})}
            found = anna.http.get("/api/reservations/me", params=query).json()
            seen += found["items"]
            cursor = found["nextCursor"]
            if page == 0:
                anna.booked(hospital.slot(type_id, "2025-09-20"))
        assert cursor is None
        assert [item["id"] for item in seen] == mine[::-1]
        assert [item["canceledAt"] is not None for item in seen] == [item["id"] == mine[3] for item in seen]
        assert anna.http.get("/api/reservations/me", params={"cursor": "x"}).status_code == 400

    @pytest.mark.row("3.5.21")
    @sqlite_only
    def test_reading_and_cancelling_need_no_complete_profile(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, slot_id = person(), hospital.slot(hospital.type())
        reservation_id = anna.booked(slot_id)
        hospital.sql("UPDATE staffs SET sex_code = NULL")
        assert anna.http.get("/api/reservations/me").status_code == 200
        assert code(anna.move(reservation_id, slot_id)) == (428, "PROFILE_INCOMPLETE")
        assert anna.cancel(reservation_id).status_code == 204
        hospital.sql("UPDATE staffs SET pin_must_change = 1")
        assert code(anna.http.get("/api/reservations/me")) == (428, "PIN_CHANGE_REQUIRED")
