"""The reception notes who came: by list or by QR code, and takes it back."""

from datetime import timedelta

import httpx2
import pytest
from sqlalchemy.exc import IntegrityError

from tests.booking.reservations.conftest import PersonMaker
from tests.booking.reservations.hospital import Hospital, code
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.reservations.models import Reservation
from tsudoi.core.clock import ManualClock


@sqlite_only
class TestAttendance:
    def test_is_noted_taken_back_and_audited(
        self, hospital: Hospital, office: httpx2.Client, person: PersonMaker, clock: ManualClock
    ) -> None:
        reservation_id = person().booked(hospital.slot(hospital.type(), "2025-08-16", 760))
        clock.advance(timedelta(hours=1))
        url = f"/api/admin/reservations/{reservation_id}/attendance"
        for attendance in ("came", "came", "absent", None):
            shown = office.put(url, json={"attendance": attendance})
            assert (shown.status_code, shown.json()["attendance"]) == (200, attendance)
        assert [(row.old, row.new) for row in hospital.audit("ATTENDANCE")] == [
            ('{"attendance":null}', '{"attendance":"came"}'),
            ('{"attendance":"came"}', '{"attendance":"absent"}'),
            ('{"attendance":"absent"}', '{"attendance":null}'),
        ]
        [row] = hospital.reservations()
        assert (row.attendance, row.attendance_at) == (None, None)
        for wrong in ({"attendance": "late"}, {}, {"attendance": 1}, {"attendance": "came", "at": "now"}):
            assert office.put(url, json=wrong).status_code == 400, wrong

    def test_not_before_the_day_nor_once_cancelled(
        self, hospital: Hospital, product: Product, office: httpx2.Client, person: PersonMaker, clock: ManualClock
    ) -> None:
        anna = person()
        reservation_id = anna.booked(hospital.slot(hospital.type(), "2025-08-17", 60))
        url = f"/api/admin/reservations/{reservation_id}/attendance"
        clock.advance(timedelta(hours=12) - timedelta(seconds=1))
        assert code(office.put(url, json={"attendance": "came"})) == (409, "TOO_EARLY")
        clock.advance(timedelta(seconds=1))
        office.headers["x-csrf-token"] = product.log_in().json()["csrf_token"]  # The session ends after 12 hours.
        assert office.put(url, json={"attendance": "came"}).status_code == 200
        anna.cancel(reservation_id)
        assert code(office.put(url, json={"attendance": None})) == (409, "CANCELED")
        assert code(office.put("/api/admin/reservations/999/attendance", json={"attendance": None})) == (
            404,
            "NOT_FOUND",
        )


@pytest.mark.found("24.B6")
@pytest.mark.row("6.4.13")
class TestFreedAbsence:
    """Who did not come books again in the same fiscal year, if the office says so. The record stays."""

    def test_the_person_books_again_and_the_record_stays(
        self, hospital: Hospital, office: httpx2.Client, person: PersonMaker, clock: ManualClock
    ) -> None:
        anna, type_id = person(), hospital.type(minimum_days_between=365)
        missed, again = hospital.slot(type_id, "2025-08-16", 760), hospital.slot(type_id, "2025-09-01")
        reservation_id = anna.booked(missed)
        clock.advance(timedelta(hours=1))
        noted(office, reservation_id, "absent")
        assert code(anna.book(again)) == (409, "ALREADY_BOOKED_THIS_YEAR")
        freed = noted(office, reservation_id, "absent", freesYear=True, reason="当日の急な欠勤")
        assert (freed["attendance"], freed["freesYear"]) == ("absent", True)
        [row] = [row for row in hospital.audit("ATTENDANCE") if row.reason]
        assert (row.actor, row.reason) == ("admin:jimukyoku", "当日の急な欠勤")
        assert (row.old, row.new) == ('{"attendance":"absent"}', '{"attendance":"absent","frees_year":true}')
        [offered] = [item for item in anna.http.get("/api/slots").json()["items"] if item["id"] == again]
        assert offered["bookable"] is True
        anna.booked(again)
        mine = {item["id"]: item for item in anna.http.get("/api/reservations/me").json()["items"]}
        assert (mine[reservation_id]["attendance"], mine[reservation_id]["freesYear"]) == ("absent", True)

    @pytest.mark.row("6.4.14")
    def test_the_database_still_allows_one_that_counts(
        self, hospital: Hospital, office: httpx2.Client, person: PersonMaker, clock: ManualClock
    ) -> None:
        anna, type_id = person(), hospital.type(absent_frees_year=1)
        reservation_id = anna.booked(hospital.slot(type_id, "2025-08-16", 760))
        clock.advance(timedelta(hours=1))
        assert noted(office, reservation_id, "absent")["freesYear"] is True, "the rule of the type"
        anna.booked(hospital.slot(type_id, "2025-09-01"))
        assert code(anna.book(hospital.slot(type_id, "2025-09-02"))) == (409, "ALREADY_BOOKED_THIS_YEAR")
        with pytest.raises(IntegrityError):
            hospital.change(Reservation, reservation_id, frees_year=0)
        with pytest.raises(IntegrityError):
            hospital.change(Reservation, reservation_id, attendance="came")

    @pytest.mark.row("6.4.15")
    def test_it_counts_again_unless_the_person_has_booked_anew(
        self, hospital: Hospital, office: httpx2.Client, person: PersonMaker, clock: ManualClock
    ) -> None:
        anna, type_id = person(), hospital.type(absent_frees_year=1)
        reservation_id = anna.booked(hospital.slot(type_id, "2025-08-16", 760))
        clock.advance(timedelta(hours=1))
        noted(office, reservation_id, "absent")
        for attendance, more in (("came", {}), ("absent", {}), ("absent", {"freesYear": False}), (None, {})):
            shown = noted(office, reservation_id, attendance, **more)
            assert shown["freesYear"] is (attendance == "absent" and not more), (attendance, more)
        noted(office, reservation_id, "absent")
        new = anna.booked(hospital.slot(type_id, "2025-09-01"))
        url = f"/api/admin/reservations/{reservation_id}/attendance"
        wrong: tuple[dict[str, object], ...] = (
            {"attendance": None},
            {"attendance": "came"},
            {"attendance": "absent", "freesYear": False},
        )
        for body in wrong:
            assert code(office.put(url, json=body)) == (409, "ALREADY_BOOKED_THIS_YEAR"), body
        anna.cancel(new)
        assert noted(office, reservation_id, "came")["freesYear"] is False
        assert code(anna.book(hospital.slot(type_id, "2025-09-02"))) == (409, "ALREADY_BOOKED_THIS_YEAR")

    def test_only_an_absence_frees_the_year(
        self, hospital: Hospital, office: httpx2.Client, person: PersonMaker
    ) -> None:
        reservation_id = person().booked(hospital.slot(hospital.type(), "2025-08-16", 760))
        url = f"/api/admin/reservations/{reservation_id}/attendance"
        for attendance in ("came", None):
            answer = office.put(url, json={"attendance": attendance, "freesYear": True})
            assert answer.json()["details"] == [{"field": "freesYear", "reason": "ONLY_ABSENT"}], attendance

    def test_a_limit_of_two_counts_a_freed_one_as_none(
        self, hospital: Hospital, office: httpx2.Client, person: PersonMaker, clock: ManualClock
    ) -> None:
        anna, type_id = person(), hospital.type(limit_per_year=2, absent_frees_year=1)
        reservation_id = anna.booked(hospital.slot(type_id, "2025-08-16", 760))
        clock.advance(timedelta(hours=1))
        noted(office, reservation_id, "absent")
        for day in ("2025-09-01", "2025-09-02"):
            anna.booked(hospital.slot(type_id, day))
        assert code(anna.book(hospital.slot(type_id, "2025-09-03"))) == (409, "ALREADY_BOOKED_THIS_YEAR")
        url = f"/api/admin/reservations/{reservation_id}/attendance"
        assert code(office.put(url, json={"attendance": None})) == (409, "ALREADY_BOOKED_THIS_YEAR")

    @pytest.mark.row("6.4.14")
    def test_coverage_and_reminders_see_somebody_who_has_not_booked(
        self, hospital: Hospital, office: httpx2.Client, person: PersonMaker, clock: ManualClock
    ) -> None:
        anna, type_id = person(line_user_id="U" + "a" * 32), hospital.type()
        hospital.slot(type_id, "2025-09-01")
        reservation_id = anna.booked(hospital.slot(type_id, "2025-08-16", 760))
        clock.advance(timedelta(hours=1))
        asked = {"reservationTypeId": type_id}

        def totals() -> dict[str, int]:
            found: dict[str, int] = office.get("/api/admin/coverage", params=asked).json()["totals"]
            return {name: found[name] for name in ("booked", "absent", "notBooked")}

        noted(office, reservation_id, "absent")
        assert totals() == {"booked": 1, "absent": 1, "notBooked": 0}
        noted(office, reservation_id, "absent", freesYear=True)
        assert totals() == {"booked": 0, "absent": 1, "notBooked": 1}
        for state in ("absent", "notBooked"):
            people = office.get("/api/admin/coverage/people", params={**asked, "state": state}).json()["items"]
            assert [one["staffUid"] for one in people] == [anna.uid], state
            assert (people[0]["booked"], people[0]["held"], people[0]["attendance"]) == (False, False, "absent")
        preview = office.post("/api/admin/coverage/reminders/preview", json=asked)
        assert preview.status_code == 200, preview.text
        assert preview.json()["recipientsTotal"] + preview.json()["unreachableTotal"] == 1
        anna.booked(hospital.slot(type_id, "2025-09-02"))
        assert totals() == {"booked": 1, "absent": 1, "notBooked": 0}


@pytest.mark.found("24.C7")
@pytest.mark.row("6.4.16")
def test_nobody_is_absent_before_the_slot_begins(
    hospital: Hospital, office: httpx2.Client, person: PersonMaker, clock: ManualClock
) -> None:
    reservation_id = person().booked(hospital.slot(hospital.type(), "2025-08-16", 760))
    url = f"/api/admin/reservations/{reservation_id}/attendance"
    assert noted(office, reservation_id, "came")["attendance"] == "came", "on the day, also before it begins"
    clock.advance(timedelta(minutes=40) - timedelta(seconds=1))
    refused = office.put(url, json={"attendance": "absent"})
    assert code(refused) == (409, "TOO_EARLY")
    assert "時刻" in refused.json()["message"]
    clock.advance(timedelta(seconds=1))
    assert noted(office, reservation_id, "absent")["attendance"] == "absent"


def noted(office: httpx2.Client, reservation_id: int, attendance: str | None, **more: object) -> dict[str, object]:
    url = f"/api/admin/reservations/{reservation_id}/attendance"
    answer = office.put(url, json={"attendance": attendance, **more})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


@sqlite_only
class TestQrCode:
    def test_marks_the_person_as_come(self, hospital: Hospital, office: httpx2.Client, person: PersonMaker) -> None:
        anna = person()
        reservation_id = anna.booked(hospital.slot(hospital.type(), "2025-08-16", 1000))
        given = anna.http.get(f"/api/reservations/{reservation_id}/reception").json()["code"]
        for _ in range(2):
            answer = office.post("/api/admin/reception", json={"code": f" {given.upper()}\n"})
            assert (answer.status_code, answer.json()["id"]) == (200, reservation_id)
            assert (answer.json()["attendance"], answer.json()["fullName"][:2]) == ("came", "山田")
        assert len(hospital.audit("ATTENDANCE")) == 1
        assert anna.http.post("/api/admin/reception", json={"code": given}).status_code == 401

    def test_a_code_that_is_not_ours(self, hospital: Hospital, office: httpx2.Client, person: PersonMaker) -> None:
        anna = person()
        reservation_id = anna.booked(hospital.slot(hospital.type(), "2025-08-17"))
        given = anna.http.get(f"/api/reservations/{reservation_id}/reception").json()["code"]
        for forged in ("1", "x", f"{reservation_id}-0000000000000000", "9" * 30, given.replace("-", "0-", 1)):
            assert code(office.post("/api/admin/reception", json={"code": forged})) == (404, "UNKNOWN_CODE"), forged
        assert code(office.post("/api/admin/reception", json={"code": given})) == (409, "TOO_EARLY")
        anna.cancel(reservation_id)
        assert code(office.post("/api/admin/reception", json={"code": given})) == (409, "CANCELED")
        assert hospital.audit("ATTENDANCE") == []
