"""The reception notes who came: by list or by QR code, and takes it back."""

from datetime import timedelta

import httpx2

from tests.booking.reservations.conftest import PersonMaker
from tests.booking.reservations.hospital import Hospital, code
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.core.clock import ManualClock

pytestmark = sqlite_only


class TestAttendance:
    def test_is_noted_taken_back_and_audited(
        self, hospital: Hospital, office: httpx2.Client, person: PersonMaker
    ) -> None:
        reservation_id = person().booked(hospital.slot(hospital.type(), "2025-08-16", 1000))
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
