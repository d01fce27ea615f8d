"""The calendar file and the QR code of a reservation."""

import hashlib
import hmac
import re
from datetime import timedelta

import pytest
import segno
from icalendar import Calendar
from sqlalchemy import update

from tests.booking.reservations.conftest import PersonMaker
from tests.booking.reservations.hospital import Hospital, Person, code
from tests.factories.product import JWT_SECRET, Product
from tests.product_fixtures import sqlite_only
from tsudoi.booking.reservations.rules.reception import reception_code, reservation_of
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.clock import ManualClock
from tsudoi.core.models import AuditLog
from tsudoi.core.qr_code import qr_path


def event_of(person: Person, reservation_id: int) -> tuple[str, dict[str, str]]:
    """The method of the file, and the properties of its event as they are written."""
    answer = person.http.get(f"/api/reservations/{reservation_id}.ics")
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    calendar = Calendar.from_ical(answer.content)
    [event] = calendar.walk("VEVENT")
    return str(calendar["METHOD"]), {name: value.to_ical().decode() for name, value in event.items()}


def _set_status(product: Product, status: str) -> None:
    product.db.write_now(lambda tx: tx.execute(update(StaffAccount).values(status=status)))


@sqlite_only
class TestCalendarFile:
    def test_a_newer_file_replaces_the_older_one(
        self, hospital: Hospital, person: PersonMaker, clock: ManualClock
    ) -> None:
        type_id, anna = hospital.type("職員健診"), person()
        reservation_id = anna.booked(hospital.slot(type_id, notes="2階\r\n受付"))
        method, first = event_of(anna, reservation_id)
        assert (method, first["SUMMARY"]) == ("PUBLISH", "職員健診")
        assert (first["DTSTART"], first["DTEND"]) == ("20250910T000000Z", "20250910T001500Z")
        clock.advance(timedelta(minutes=5))
        anna.move(reservation_id, hospital.slot(type_id, start=600))
        _, moved = event_of(anna, reservation_id)
        anna.cancel(reservation_id)
        method, canceled = event_of(anna, reservation_id)
        assert (method, canceled["STATUS"]) == ("CANCEL", "CANCELLED")
        assert first["UID"] == moved["UID"] == canceled["UID"]
        assert [one["SEQUENCE"] for one in (first, moved, canceled)] == ["0", "1", "2"]

    def test_only_for_the_owner(self, hospital: Hospital, person: PersonMaker, product: Product) -> None:
        reservation_id = person().booked(hospital.slot(hospital.type()))
        assert code(person().http.get(f"/api/reservations/{reservation_id}.ics")) == (404, "NOT_FOUND")
        assert product.http.get(f"/api/reservations/{reservation_id}.ics").status_code == 401

    def test_a_calendar_program_needs_its_address_alone(
        self, hospital: Hospital, person: PersonMaker, product: Product
    ) -> None:
        anna, other = person(), person()
        reservation_id = anna.booked(hospital.slot(hospital.type("職員健診")))
        address = anna.http.get(f"/api/reservations/{reservation_id}/calendar").json()["url"]
        made = hmac.new(JWT_SECRET.encode(), f"calendar:{reservation_id}".encode(), hashlib.sha256).hexdigest()
        assert address == f"{product.url}/api/reservations/{reservation_id}.ics?key={made[:32]}"
        assert "SUMMARY:職員健診" in product.http.get(address).text
        assert code(other.http.get(f"/api/reservations/{reservation_id}/calendar")) == (404, "NOT_FOUND")
        # The key of one reservation opens no other, and a log-in does not help a wrong key.
        for wrong in (f"{reservation_id + 1}.ics?key={made[:32]}", f"{reservation_id}.ics?key={made[:31]}x"):
            assert code(anna.http.get(f"/api/reservations/{wrong}")) == (404, "NOT_FOUND")
        # The address no longer works for somebody who has left or is suspended.
        for status in ("left", "suspended"):
            _set_status(product, status)
            assert code(product.http.get(address)) == (404, "NOT_FOUND"), status
        _set_status(product, "active")
        assert product.http.get(address).status_code == 200

    def test_its_owner_can_renew_the_address(self, hospital: Hospital, person: PersonMaker, product: Product) -> None:
        anna, other = person(), person()
        type_id = hospital.type()
        first, seat = anna.booked(hospital.slot(type_id)), other.booked(hospital.slot(type_id, start=600))

        def address(owner: Person, reservation_id: int) -> str:
            return str(owner.http.get(f"/api/reservations/{reservation_id}/calendar").json()["url"])

        passed_on, of_other = [address(anna, first)], address(other, seat)
        for _ in range(2):
            renewed = anna.http.post("/api/reservations/calendar-keys/renewal", json={"confirm": True})
            assert (renewed.status_code, list(renewed.json())) == (200, ["renewedAt"])
            assert [product.http.get(old).status_code for old in passed_on] == [404] * len(passed_on)
            assert product.http.get(address(anna, first)).status_code == 200
            passed_on.append(address(anna, first))
        assert len(set(passed_on)) == 3
        # The addresses of others go on, and the owner needs no key.
        assert product.http.get(of_other).status_code == 200
        assert anna.http.get(f"/api/reservations/{first}.ics").status_code == 200
        assert anna.http.post("/api/reservations/calendar-keys/renewal", json={}).status_code == 400
        entries = [row for row in product.rows(AuditLog) if row["action"] == "STAFF_CALENDAR_RENEW"]
        assert {(row["actor"], row["subject"]) for row in entries} == {(f"staff:{anna.uid}", f"staff:{anna.uid}")}
        assert len(entries) == 2


def modules(size: int, path: str) -> list[bytes]:
    """Draw the path."""
    drawn = [bytearray(size) for _ in range(size)]
    for x, y, width, back in re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", path):
        assert width == back
        drawn[int(y)][int(x) : int(x) + int(width)] = b"\x01" * int(width)
    return [bytes(row) for row in drawn]


class TestQrCode:
    @sqlite_only
    def test_leads_to_the_reception(self, hospital: Hospital, person: PersonMaker, product: Product) -> None:
        anna = person()
        reservation_id = anna.booked(hospital.slot(hospital.type()))
        shown = anna.http.get(f"/api/reservations/{reservation_id}/reception").json()
        made = hmac.new(JWT_SECRET.encode(), f"reception:{reservation_id}".encode(), hashlib.sha256).hexdigest()
        assert shown["code"] == f"{reservation_id}-{made[:16]}"
        link = f"{product.settings.public_base_url}/admin/reception?code={shown['code']}"
        expected = [bytes(row) for row in segno.make_qr(link, error="m").matrix_iter(border=4)]
        assert modules(shown["size"], shown["path"]) == expected
        assert code(person().http.get(f"/api/reservations/{reservation_id}/reception")) == (404, "NOT_FOUND")

    def test_the_border_is_empty(self) -> None:
        size, path = qr_path("https://example.com/admin/reception?code=1-0123456789abcdef")
        drawn = modules(size, path)
        assert not any(drawn[0] + drawn[3] + drawn[-1])
        assert any(drawn[4])


class TestCode:
    @pytest.mark.parametrize(
        "forged", ["", "1", "1-", "1-0000000000000000", "01-{}", "2-{}", "1-{}x", " 1-{}", "-1-{}"]
    )
    def test_a_forged_one_names_nothing(self, forged: str) -> None:
        mark = reception_code("secret", 1).partition("-")[2]
        assert reservation_of("secret", forged.format(mark)) is None

    def test_ours_names_its_reservation(self) -> None:
        assert reservation_of("secret", reception_code("secret", 12)) == 12
        assert reservation_of("another", reception_code("secret", 12)) is None
