"""The office books, moves and cancels for a person, searches, and exports."""

import csv
import io
from datetime import timedelta
from zipfile import ZipFile

import httpx2
import orjson
import pytest

from tests.booking.reservations.conftest import PersonMaker
from tests.booking.reservations.hospital import Hospital, code
from tests.product_fixtures import sqlite_only
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.core.clock import ManualClock

URL = "/api/admin/reservations"


class TestOnBehalf:
    @pytest.mark.row("3.5.26")
    def test_booking_ignores_time_and_profile_but_never_capacity_or_year(
        self, hospital: Hospital, office: httpx2.Client, clock: ManualClock
    ) -> None:
        type_id = hospital.type(minimum_days_between=400)
        slot_id = hospital.slot(type_id, "2025-08-16", 700, status="closed", booking_end=hospital.now)
        clock.advance(timedelta(hours=3))
        anna, ben = hospital.staff(sex_code=None, date_of_birth=None), hospital.staff()
        body = {"staffUid": anna, "slotId": slot_id, "reason": "電話での依頼"}
        made = office.post(URL, json=body)
        assert made.status_code == 201, made.text
        [entry] = hospital.audit("RESERVE_CREATE")
        assert (entry.actor, entry.reason) == ("admin:jimukyoku", "電話での依頼")
        assert orjson.loads(entry.new)["staff_uid"] == anna
        assert code(office.post(URL, json={**body, "staffUid": ben})) == (409, "SLOT_FULL")
        other = hospital.slot(type_id, "2025-08-20")
        assert code(office.post(URL, json={**body, "slotId": other})) == (409, "ALREADY_BOOKED_THIS_YEAR")
        draft = hospital.slot(type_id, status="draft")
        assert code(office.post(URL, json={**body, "staffUid": ben, "slotId": draft})) == (409, "SLOT_NOT_PUBLISHED")

    @sqlite_only
    def test_needs_a_reason_and_an_active_person(self, hospital: Hospital, office: httpx2.Client) -> None:
        slot_id = hospital.slot(hospital.type())
        body = {"staffUid": hospital.staff(), "slotId": slot_id, "reason": "電話"}
        for wrong in ({"reason": " "}, {"reason": "a\x00"}, {"reason": None}, {"slotId": "1"}, {"periodKey": "FY2025"}):
            assert office.post(URL, json={**body, **wrong}).status_code == 400, wrong
        assert code(office.post(URL, json={**body, "staffUid": "nobody"})) == (404, "NOT_FOUND")
        assert code(office.post(URL, json={**body, "slotId": 999})) == (404, "NOT_FOUND")
        left = hospital.staff(status="left")
        assert code(office.post(URL, json={**body, "staffUid": left})) == (409, "STAFF_NOT_ACTIVE")
        assert hospital.reservations() == []

    @pytest.mark.row("3.5.26", "3.5.13")
    def test_moving_and_cancelling_after_the_deadline(
        self, hospital: Hospital, office: httpx2.Client, person: PersonMaker, clock: ManualClock
    ) -> None:
        type_id = hospital.type(cancel_until_hours=48)
        old, new = hospital.slot(type_id, "2025-08-17"), hospital.slot(type_id, "2025-08-16", 725)
        anna = person()
        reservation_id = anna.booked(old)
        clock.advance(timedelta(hours=1))
        assert code(anna.cancel(reservation_id)) == (409, "TOO_LATE")
        moved = office.patch(f"{URL}/{reservation_id}", json={"slotId": new, "reason": "会場の都合"})
        assert (moved.status_code, moved.json()["slotId"]) == (200, new)
        assert office.patch(f"{URL}/{reservation_id}", json={"slotId": new, "reason": "再"}).status_code == 200
        [entry] = hospital.audit("RESERVE_UPDATE")
        assert (orjson.loads(entry.old)["slot_id"], orjson.loads(entry.new)["slot_id"]) == (old, new)
        assert entry.reason == "会場の都合"
        for _ in range(2):
            canceled = office.post(f"{URL}/{reservation_id}/cancel", json={"reason": "本人から電話"})
            assert canceled.status_code == 200
        assert (canceled.json()["cancelReason"], canceled.json()["canceledBy"]) == ("本人から電話", "admin:jimukyoku")
        assert len(hospital.audit("RESERVE_CANCEL")) == 1
        assert (hospital.booked(old), hospital.booked(new)) == (0, 0)
        move = {"slotId": old, "reason": "再"}
        assert code(office.patch(f"{URL}/{reservation_id}", json=move)) == (409, "CANCELED")
        assert code(office.patch(f"{URL}/999", json=move)) == (404, "NOT_FOUND")

    @sqlite_only
    def test_staff_have_no_way_in(self, hospital: Hospital, person: PersonMaker) -> None:
        anna = person()
        assert anna.http.get(URL).status_code == 401
        body = {"staffUid": anna.uid, "slotId": hospital.slot(hospital.type()), "reason": "x"}
        assert anna.http.post(URL, json=body).status_code == 401


class TestList:
    @pytest.mark.row("3.7.25")
    def test_pages_without_a_gap_under_inserts(
        self, hospital: Hospital, office: httpx2.Client, person: PersonMaker
    ) -> None:
        type_id = hospital.type(limit_per_year=None)
        anna = person()
        made = [anna.booked(hospital.slot(type_id, f"2025-09-{day}")) for day in range(11, 18)]
        seen: list[int] = []
        cursor = None
        while cursor is not None or not seen:
            query = {"limit": "3", **({"cursor": cursor} if cursor else {})}
            page = office.get(URL, params=query).json()
            seen += [item["id"] for item in page["items"]]
            cursor = page["nextCursor"]
            anna.booked(hospital.slot(type_id, f"2025-09-0{len(seen)}", start=len(seen)))
        assert seen == made

    @pytest.mark.row("3.7.25")
    def test_filters_and_search(self, hospital: Hospital, office: httpx2.Client, person: PersonMaker) -> None:
        hospital.department("REHA", "リハビリテーション科")
        flu, check = hospital.type(), hospital.type("健診")
        anna = person(family_name="髙橋", given_name="花子", search_text="高橋花子たかはしはなこ1001", number=446752)
        ben = person(family_name="佐藤", given_name="次郎", department_id="REHA", number=55)
        slots = [hospital.slot(flu, "2025-09-10"), hospital.slot(check, "2025-09-11", 600)]
        first, second = anna.booked(slots[0]), ben.booked(slots[1])
        third = anna.booked(hospital.slot(check, "2025-09-12"))
        anna.cancel(third)
        hospital.change(Reservation, second, attendance="came")
        for query, expected in {
            "from=2025-09-11": [second, third],
            "to=2025-09-10": [first],
            f"slotId={slots[1]}": [second],
            f"staffUid={anna.uid}": [first, third],
            f"reservationTypeId={check}": [second, third],
            "departmentId=REHA": [second],
            "state=live": [first, second],
            "state=canceled": [third],
            "state=came": [second],
            "state=absent": [],
            "q=高橋": [first, third],
            "q=タカハシ": [first, third],
            "q=佐藤 次郎": [second],
            "q=4467": [first, third],
            "q=%25": [],
        }.items():
            found = office.get(f"{URL}?{query}").json()["items"]
            assert [item["id"] for item in found] == expected, query
        [item] = office.get(f"{URL}?departmentId=REHA").json()["items"]
        assert (item["fullName"], item["departmentName"]) == ("佐藤次郎", "リハビリテーション科")
        for wrong in ("from=2025-9-1", "from=2025-02-30", "limit=0", "limit=201", "state=x", "cursor=x", "slotId=0"):
            assert office.get(f"{URL}?{wrong}").status_code == 400, wrong


@sqlite_only
class TestExport:
    @pytest.mark.row("3.7.20")
    def test_csv_in_both_encodings(self, hospital: Hospital, office: httpx2.Client, person: PersonMaker) -> None:
        slot_id = hospital.slot(hospital.type(), capacity=3)
        person(family_name="髙﨑", given_name="①㈱", job_title="=1+2").booked(slot_id)
        person(family_name="𠮷田", given_name="花", sex_code="1").booked(slot_id)
        utf8 = office.get(f"{URL}/export?format=csv")
        assert utf8.content.startswith(b"\xef\xbb\xbf")
        first, second = csv.DictReader(io.StringIO(utf8.content.decode("utf-8-sig")))
        assert (first["氏名"], first["職種"], first["性別"]) == ("髙﨑①㈱", "'=1+2", "女")
        assert (second["氏名"], second["性別"], second["日付"], second["開始"]) == (
            "𠮷田花",
            "男",
            "2025-09-10",
            "09:00",
        )
        cp932 = office.get(f"{URL}/export?format=csv&encoding=cp932&sexCode=iso5218")
        rows = list(csv.DictReader(io.StringIO(cp932.content.decode("cp932"))))
        assert [row["氏名"] for row in rows] == ["髙﨑①㈱", "〓田花"]
        assert [row["性別"] for row in rows] == ["2", "1"]
        assert len(hospital.audit("RESERVATION_EXPORT")) == 2

    def test_a_workbook(self, hospital: Hospital, office: httpx2.Client, person: PersonMaker) -> None:
        person(family_name="=cmd").booked(hospital.slot(hospital.type()))
        answer = office.get(f"{URL}/export?format=xlsx&state=live")
        with ZipFile(io.BytesIO(answer.content)) as book:
            sheet = book.read("xl/worksheets/sheet1.xml")
        assert b"=cmd" in sheet
        assert b"<f>" not in sheet


@sqlite_only
def test_closing_a_slot_does_not_change_what_the_office_sees(
    hospital: Hospital, office: httpx2.Client, person: PersonMaker
) -> None:
    slot_id = hospital.slot(hospital.type())
    reservation_id = person().booked(slot_id)
    hospital.change(ReservationSlot, slot_id, status="closed")
    assert [item["id"] for item in office.get(f"{URL}?state=live").json()["items"]] == [reservation_id]


@pytest.mark.found("24.C12")
@sqlite_only
def test_a_slot_without_notes_has_an_empty_text(hospital: Hospital, office: httpx2.Client, person: PersonMaker) -> None:
    slot_id = hospital.slot(hospital.type())
    anna = person()
    [open_slot] = anna.http.get("/api/slots").json()["items"]
    booked = anna.book(slot_id).json()
    [listed] = anna.http.get("/api/reservations/me").json()["items"]
    shown = office.get(f"/api/admin/slots/{slot_id}").json()
    assert [one["notes"] for one in (open_slot, booked, listed, shown)] == ["", "", "", ""]
    copied = office.patch(f"/api/admin/slots/{slot_id}", json={"notes": "3階"}).json()
    assert (copied["notes"], office.patch(f"/api/admin/slots/{slot_id}", json={"notes": None}).json()["notes"]) == (
        "3階",
        "",
    )
