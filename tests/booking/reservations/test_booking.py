"""Booking a seat: what is stored, in which order it is refused, and what a repeated request gets."""

from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from tests.booking.reservations.conftest import PersonMaker
from tests.booking.reservations.hospital import Hospital, code
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.identity.errors import NotActive
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.reservations.service.booking import book
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.clock import ManualClock


class TestBooked:
    @pytest.mark.quick("happy_path")
    @pytest.mark.row("3.5.1", "3.1.4", "3.5.20", "3.7.22")
    def test_p0_a_seat_of_a_published_slot_is_taken_with_everything_from_the_slot(
        self, hospital: Hospital, person: PersonMaker
    ) -> None:
        type_id = hospital.type(cancel_until_hours=24)
        slot_id = hospital.slot(type_id, "2026-03-31", 600, capacity=2, notes="2階の処置室")
        anna = person()
        answer = anna.book(slot_id)
        assert answer.status_code == 201
        [row] = hospital.reservations()
        assert answer.json() == {
            "id": row.id,
            "staffUid": anna.uid,
            "staffId": anna.uid.removeprefix("uid-"),
            "reservationTypeId": type_id,
            "reservationTypeName": "インフルエンザ",
            "typeDescription": None,
            "slotId": slot_id,
            "serviceDateLocal": "2026-03-31",
            "startMinuteOfDay": 600,
            "durationMinutes": 15,
            "periodKey": "FY2025",
            "createdAt": "2025-08-16T12:00:00+09:00",
            "updatedAt": "2025-08-16T12:00:00+09:00",
            "canceledAt": None,
            "attendance": None,
            "freesYear": False,
            "cancelableUntil": "2026-03-30T10:00:00+09:00",
            "notes": "2階の処置室",
            "confirmedAt": "2025-08-16T12:00:00+09:00",
            "holdExpiresAt": None,
            "holdExpired": False,
            "refundUntil": None,
            "payment": None,
            "place": None,
            "revision": 0,
        }
        stored = (row.staff_uid, row.staff_id, row.reservation_type_id, row.slot_id, row.service_date_local)
        assert stored == (anna.uid, anna.uid.removeprefix("uid-"), type_id, slot_id, "2026-03-31")
        assert (row.start_minute_of_day, row.duration_minutes, row.period_key) == (600, 15, "FY2025")
        assert (row.once_per_year, row.department_id, row.revision) == (1, "3A", 0)
        assert hospital.booked(slot_id) == 1

    @pytest.mark.found("24.C3")
    def test_what_the_office_says_about_the_type_is_told_before_the_booking_and_after_it(
        self, hospital: Hospital, person: PersonMaker
    ) -> None:
        slot_id = hospital.slot(hospital.type(description="問診票をお持ちください。"))
        anna = person()
        offered = anna.http.get("/api/slots").json()["items"]
        booked = anna.book(slot_id).json()
        mine = anna.http.get("/api/reservations/me").json()["items"]
        told = [one["typeDescription"] for one in (*offered, booked, *mine)]
        assert told == ["問診票をお持ちください。"] * 3

    @pytest.mark.row("3.5.19", "3.1.5")
    @sqlite_only
    def test_the_fiscal_year_begins_in_april(self, hospital: Hospital, person: PersonMaker, clock: ManualClock) -> None:
        clock.advance(timedelta(days=-180))
        anna, days = person(), ("2025-04-01", "2026-03-31", "2026-04-01")
        keys = [anna.book(hospital.slot(hospital.type(), day)).json()["periodKey"] for day in days]
        assert keys == ["FY2025", "FY2025", "FY2026"]

    @pytest.mark.row("3.5.26", "3.7.18")
    def test_it_is_audited(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, slot_id = person(), hospital.slot(hospital.type())
        reservation_id = anna.booked(slot_id)
        [row] = hospital.audit("RESERVE_CREATE")
        assert (row.actor, row.subject) == (f"staff:{anna.uid}", f"reservation:{reservation_id}")


class TestRefused:
    @pytest.mark.row("3.5.2", "3.5.3", "3.1.1")
    @sqlite_only
    def test_only_a_slot_id_is_accepted(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, slot_id = person(), hospital.slot(hospital.type())
        for field in ("periodKey", "staffUid", "reservationTypeId", "staffId"):
            answer = anna.http.post("/api/reservations", json={"slotId": slot_id, field: "999"})
            assert answer.status_code == 400, field
            assert answer.json()["details"] == [{"field": field, "reason": "UNKNOWN_FIELD"}], field
        values: tuple[object, ...] = ("1", 1.0, 2**63, None, 0, -1, True, [1], {})
        for wrong in values:
            assert anna.book(wrong).status_code == 400, wrong
        for body in (b'{"slotId":1.0e300}', b'{"slotId":NaN}', b"{}", b"", b"[]"):
            headers = {"content-type": "application/json"}
            assert anna.http.post("/api/reservations", content=body, headers=headers).status_code == 400, body
        assert code(anna.book(slot_id + 1)) == (404, "NOT_FOUND")
        assert hospital.reservations() == []

    @pytest.mark.quick("refusal")
    @pytest.mark.row("3.5.5", "3.5.6", "3.4.7", "3.3.19")
    def test_the_first_reason_in_the_documented_order_answers(self, hospital: Hospital, person: PersonMaker) -> None:
        """Everything is wrong at first; each step puts the first thing right."""
        type_id, other_type = hospital.type(active=0, minimum_days_between=400), hospital.type("健診")
        anna, ben = person(), person()
        now = hospital.now
        slot_id = hospital.slot(type_id, capacity=1, status="draft", booking_start=now + timedelta(hours=1))
        hospital.quota(slot_id, 0)
        hospital.sql(f"UPDATE reservation_slots SET booked_count = 1 WHERE id = {slot_id}")
        hospital.change(ReservationType, type_id, active=1)
        elsewhere = hospital.slot(type_id, "2025-09-11", 540)
        anna.booked(elsewhere)
        anna.booked(hospital.slot(other_type, start=550))
        hospital.change(ReservationType, type_id, active=0)

        def refused() -> str | None:
            hospital.sql("DELETE FROM rate_limits")
            status, why = code(anna.book(slot_id))
            assert status == 409
            return why

        assert refused() == "TYPE_INACTIVE"
        hospital.change(ReservationType, type_id, active=1)
        assert refused() == "SLOT_NOT_PUBLISHED"
        hospital.change(ReservationSlot, slot_id, status="closed")
        assert refused() == "SLOT_NOT_PUBLISHED"
        hospital.change(ReservationSlot, slot_id, status="published")
        assert refused() == "BOOKING_NOT_OPEN"
        hospital.change(ReservationSlot, slot_id, booking_start=None, booking_end=now - timedelta(seconds=1))
        assert refused() == "BOOKING_CLOSED"
        hospital.change(ReservationSlot, slot_id, booking_end=now)
        assert refused() == "SLOT_FULL"
        hospital.change(ReservationSlot, slot_id, booked_count=0)
        assert refused() == "DEPARTMENT_FULL"
        hospital.sql("UPDATE slot_quotas SET seats = 1")
        assert refused() == "ALREADY_BOOKED_THIS_YEAR"
        hospital.change(ReservationType, type_id, limit_per_year=2)
        assert refused() == "TOO_SOON_AFTER_LAST"
        hospital.change(ReservationType, type_id, minimum_days_between=None)
        assert refused() == "OVERLAPS"
        hospital.change(ReservationType, other_type, overlap_allowed=1)
        anna.booked(slot_id)
        assert refused() == "ALREADY_IN_SLOT"
        assert code(ben.book(slot_id)) == (409, "SLOT_FULL")

    @pytest.mark.row("3.5.8", "3.7.22")
    def test_p0_the_same_slot_again(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, slot_id = person(), hospital.slot(hospital.type(), capacity=5)
        anna.booked(slot_id)
        assert code(anna.book(slot_id)) == (409, "ALREADY_IN_SLOT")
        assert hospital.booked(slot_id) == 1

    @pytest.mark.row("3.5.9", "3.7.22")
    def test_p0_once_per_fiscal_year_and_type(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, type_id = person(), hospital.type()
        anna.booked(hospital.slot(type_id, "2025-10-01"))
        assert code(anna.book(hospital.slot(type_id, "2026-03-31"))) == (409, "ALREADY_BOOKED_THIS_YEAR")
        assert anna.book(hospital.slot(type_id, "2026-04-01")).status_code == 201
        assert anna.book(hospital.slot(hospital.type("健診"), "2026-03-31")).status_code == 201

    @pytest.mark.row("3.5.6", "3.7.22")
    def test_p0_a_conflict_over_the_last_seat_is_409(self, hospital: Hospital, person: PersonMaker) -> None:
        slot_id = hospital.slot(hospital.type(), capacity=1)
        person().booked(slot_id)
        assert code(person().book(slot_id)) == (409, "SLOT_FULL")
        assert hospital.booked(slot_id) == len(hospital.live(slot_id)) == 1

    @pytest.mark.row("3.5.5")
    @sqlite_only
    def test_a_full_slot_is_full_also_for_somebody_who_has_booked_this_year(
        self, hospital: Hospital, person: PersonMaker
    ) -> None:
        anna, type_id = person(), hospital.type()
        slot_id = hospital.slot(type_id, capacity=1)
        person().booked(slot_id)
        anna.booked(hospital.slot(type_id, "2025-09-11"))
        assert code(anna.book(slot_id)) == (409, "SLOT_FULL")
        hospital.change(ReservationSlot, slot_id, status="closed")
        assert code(anna.book(slot_id)) == (409, "SLOT_NOT_PUBLISHED")

    @pytest.mark.row("3.4.8", "3.4.9", "3.4.10")
    @sqlite_only
    def test_outside_the_window_or_after_the_begin(self, hospital: Hospital, person: PersonMaker) -> None:
        type_id, now = hospital.type(limit_per_year=None, overlap_allowed=1), hospital.now
        second = timedelta(seconds=1)
        windows = {
            "no window": (None, None, 201),
            "it opens now": (now, None, 201),
            "it closes now": (None, now, 201),
            "it opens later": (now + second, None, 409),
            "it has closed": (None, now - second, 409),
        }
        anna = person()
        for name, (start, end, status) in windows.items():
            slot_id = hospital.slot(type_id, booking_start=start, booking_end=end)
            assert anna.book(slot_id).status_code == status, name
        assert code(anna.book(hospital.slot(type_id, "2025-08-16", 720))) == (409, "BOOKING_CLOSED")
        assert anna.book(hospital.slot(type_id, "2025-08-16", 721)).status_code == 201

    @pytest.mark.row("3.5.21", "3.5.22", "3.5.23", "3.7.22")
    @sqlite_only
    def test_p0_the_guard_answers_before_the_slot_in_a_fixed_order(
        self, hospital: Hospital, person: PersonMaker, product: Product
    ) -> None:
        anna = person(status="suspended", pin_must_change=1, emr_patient_id=None, date_of_birth=None, sex_code=None)
        nobody = product.http.post("/api/reservations", json={"slotId": 999})
        assert code(nobody) == (401, "UNAUTHENTICATED")
        assert code(anna.book(999)) == (403, "STAFF_NOT_ACTIVE")
        hospital.change(StaffAccount, anna.uid, status="left")
        assert code(anna.book(999)) == (403, "STAFF_NOT_ACTIVE")
        hospital.change(StaffAccount, anna.uid, status="active")
        answer = anna.book(999)
        assert code(answer) == (428, "PIN_CHANGE_REQUIRED")
        assert answer.json()["details"] == [{"field": "pin", "reason": "MUST_CHANGE"}]
        hospital.change(StaffAccount, anna.uid, pin_must_change=0)
        for missing in (["emrPatientId", "dateOfBirth", "sexCode"], ["dateOfBirth", "sexCode"], ["sexCode"]):
            answer = anna.book(999)
            assert code(answer) == (428, "PROFILE_INCOMPLETE")
            assert answer.json()["details"] == [{"field": field, "reason": "REQUIRED"} for field in missing]
            columns = {"emrPatientId": "emr_patient_id", "dateOfBirth": "date_of_birth", "sexCode": "sex_code"}
            hospital.change(StaffAccount, anna.uid, **{columns[missing[0]]: "1"})
        assert code(anna.book(999)) == (404, "NOT_FOUND")


class TestWhoHasLeft:
    def test_gets_no_seat_although_the_request_was_let_in(self, hospital: Hospital) -> None:
        """The office may change the status between the check of the token and the lock."""
        anna, slot_id = hospital.staff(status="left"), hospital.slot(hospital.type())
        with pytest.raises(NotActive):
            hospital.db.write_now(book, anna, slot_id, f"staff:{anna}")
        assert hospital.booked(slot_id) == 0


class TestLimitsOfAType:
    @sqlite_only
    def test_none_or_several_per_year(self, hospital: Hospital, person: PersonMaker) -> None:
        unlimited, twice = (hospital.type(limit_per_year=limit, overlap_allowed=1) for limit in (None, 2))
        anna = person()
        statuses = [
            anna.book(hospital.slot(type_id, f"2025-10-0{number}")).status_code
            for type_id in (unlimited, twice)
            for number in (1, 2, 3)
        ]
        assert statuses == [201, 201, 201, 201, 201, 409]

    @sqlite_only
    def test_the_second_dose_not_before_day_28(self, hospital: Hospital, person: PersonMaker) -> None:
        type_id, anna = hospital.type(limit_per_year=2, minimum_days_between=28), person()
        anna.booked(hospital.slot(type_id, "2025-10-29"))
        assert code(anna.book(hospital.slot(type_id, "2025-11-25"))) == (409, "TOO_SOON_AFTER_LAST")
        assert code(anna.book(hospital.slot(type_id, "2025-10-02"))) == (409, "TOO_SOON_AFTER_LAST")
        assert anna.book(hospital.slot(type_id, "2025-11-26")).status_code == 201

    @sqlite_only
    def test_no_two_at_the_same_time_unless_a_type_allows_it(self, hospital: Hospital, person: PersonMaker) -> None:
        first, second, third = hospital.type(), hospital.type("健診"), hospital.type("講習", overlap_allowed=1)
        anna = person()
        anna.booked(hospital.slot(first, start=540, duration_minutes=30))
        assert code(anna.book(hospital.slot(second, start=569, duration_minutes=30))) == (409, "OVERLAPS")
        assert anna.book(hospital.slot(second, start=570, duration_minutes=30)).status_code == 201
        assert anna.book(hospital.slot(third, start=540, duration_minutes=60)).status_code == 201

    def test_a_quota_counts_the_people_of_a_department(self, hospital: Hospital, person: PersonMaker) -> None:
        hospital.department("REHA", "リハビリテーション科")
        slot_id = hospital.slot(hospital.type(), capacity=5)
        hospital.quota(slot_id, 1)
        first = person().booked(slot_id)
        assert code(person().book(slot_id)) == (409, "DEPARTMENT_FULL")
        assert person(department_id="REHA").book(slot_id).status_code == 201
        hospital.sql(f"UPDATE reservations SET canceled_at = created_at WHERE id = {first}")
        assert person().book(slot_id).status_code == 201


class TestTheDatabaseHasTheLastWord:
    @pytest.mark.row("3.5.7", "3.4.13", "3.5.10")
    def test_constraints(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, type_id, other = person(), hospital.type(), hospital.type("健診")
        slot_id, next_slot = hospital.slot(type_id, capacity=3), hospital.slot(type_id, "2025-09-11")
        reservation_id = anna.booked(slot_id)
        [row] = hospital.reservations()
        copy = {name: getattr(row, name) for name in row._fields if name != "id"}
        again = {"slot and person": {}, "year": {"slot_id": next_slot}, "type": {"reservation_type_id": other}}
        for name, change in again.items():
            with pytest.raises(IntegrityError):
                hospital.insert(Reservation, **{**copy, **change})
            assert len(hospital.reservations()) == 1, name
        with pytest.raises(IntegrityError):
            hospital.sql(f"UPDATE reservation_slots SET booked_count = 99 WHERE id = {slot_id}")
        assert anna.cancel(reservation_id).status_code == 204
        hospital.insert(Reservation, **copy)


class TestRepeated:
    @pytest.mark.row("3.5.24")
    def test_a_key_gets_the_same_bytes_also_for_a_refusal(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, ben, type_id = person(), person(), hospital.type()
        slot_id = hospital.slot(type_id, capacity=1)
        first, again = (anna.book(slot_id, **{"idempotency-key": "k"}) for _ in range(2))
        assert (first.status_code, first.content) == (201, again.content)
        assert again.headers["idempotent-replayed"] == "true"
        refused = ben.book(slot_id, **{"idempotency-key": "k"})
        assert code(refused) == (409, "SLOT_FULL")
        anna.cancel(first.json()["id"])
        replayed = ben.book(slot_id, **{"idempotency-key": "k"})
        assert (replayed.status_code, replayed.content) == (409, refused.content)
        assert ben.book(slot_id, **{"idempotency-key": "another"}).status_code == 201
        assert len(hospital.live(slot_id)) == hospital.booked(slot_id) == 1

    @pytest.mark.row("3.5.24")
    @sqlite_only
    def test_what_the_guard_refuses_leaves_the_key_unused(self, hospital: Hospital, person: PersonMaker) -> None:
        anna, slot_id = person(pin_must_change=1), hospital.slot(hospital.type())
        assert anna.book(slot_id, **{"idempotency-key": "k"}).status_code == 428
        hospital.change(StaffAccount, anna.uid, pin_must_change=0)
        assert anna.book(slot_id, **{"idempotency-key": "k"}).status_code == 201
        assert code(anna.book(slot_id + 1, **{"idempotency-key": "k"})) == (422, "IDEMPOTENCY_KEY_REUSED")
