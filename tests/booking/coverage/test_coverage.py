"""Who has booked, came, did not come and has not booked yet, by department."""

import csv
import io

import httpx2
import pytest

from tests.booking.reservations.conftest import PersonMaker
from tests.booking.reservations.hospital import Hospital, code
from tests.product_fixtures import sqlite_only
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.staffs.models import StaffAccount

URL = "/api/admin/coverage"


@pytest.fixture
def board(hospital: Hospital, person: PersonMaker) -> dict[str, int]:
    """In 3A one has booked, two came, one did not, one has cancelled, one has not booked. In REHA nobody has."""
    hospital.department("REHA", "リハビリテーション科")
    flu, check = hospital.type(limit_per_year=2), hospital.type("健診")
    slots = [hospital.slot(flu, f"2025-09-1{number}", capacity=9) for number in range(2)]
    next_year = hospital.slot(flu, "2026-05-01", capacity=9)
    people = [person(number=101 + number) for number in range(6)]
    made = [one.booked(slots[0]) for one in people[:5]]
    again = people[2].booked(slots[1])
    people[3].cancel(made[3])
    people[5].booked(next_year)
    hospital.change(Reservation, made[1], attendance="came")
    hospital.change(Reservation, made[2], attendance="absent")
    hospital.change(Reservation, again, attendance="came")
    hospital.change(Reservation, made[4], attendance="absent")
    person(number=201, department_id="REHA")
    gone = person(number=301, department_id="REHA")
    gone.booked(slots[0])
    hospital.change(StaffAccount, gone.uid, status="left")
    return {"flu": flu, "check": check}


class TestReport:
    def test_counts_active_people(self, board: dict[str, int], office: httpx2.Client) -> None:
        found = office.get(URL, params={"reservationTypeId": board["flu"], "periodKey": "FY2025"}).json()
        assert found["periodKey"] == "FY2025"
        assert found["totals"] == {"staff": 7, "booked": 4, "came": 2, "absent": 1, "notBooked": 3}
        assert found["departments"] == [
            {
                "departmentId": "3A",
                "name": "3階A病棟",
                "staff": 6,
                "booked": 4,
                "came": 2,
                "absent": 1,
                "notBooked": 2,
                "percentBooked": 66.7,
                "percentCame": 33.3,
            },
            {
                "departmentId": "REHA",
                "name": "リハビリテーション科",
                "staff": 1,
                "booked": 0,
                "came": 0,
                "absent": 0,
                "notBooked": 1,
                "percentBooked": 0.0,
                "percentCame": 0.0,
            },
        ]
        assert office.get(URL, params={"reservationTypeId": board["flu"]}).json() == found
        later = office.get(URL, params={"reservationTypeId": board["flu"], "periodKey": "FY2026"}).json()
        assert later["totals"]["booked"] == 1

    @sqlite_only
    def test_of_nothing(self, hospital: Hospital, office: httpx2.Client) -> None:
        type_id = hospital.type()
        found = office.get(URL, params={"reservationTypeId": type_id}).json()
        assert (found["totals"]["staff"], found["departments"]) == (0, [])
        assert code(office.get(URL, params={"reservationTypeId": 999})) == (404, "NOT_FOUND")
        for wrong in ("", "reservationTypeId=x", f"reservationTypeId={type_id}&periodKey=2025"):
            assert office.get(f"{URL}?{wrong}").status_code == 400, wrong


class TestPeople:
    @pytest.mark.row("3.7.25")
    def test_by_state_and_department(self, board: dict[str, int], office: httpx2.Client) -> None:
        expected = {
            "state=booked": ["101", "102", "103", "105"],
            "state=came": ["102", "103"],
            "state=absent": ["105"],
            "state=notBooked": ["104", "106", "201"],
            "departmentId=REHA": ["201"],
        }
        for query, numbers in expected.items():
            found = office.get(f"{URL}/people?reservationTypeId={board['flu']}&periodKey=FY2025&{query}").json()
            assert [item["staffId"] for item in found["items"]] == numbers, query
        seen: list[str] = []
        cursor = None
        while cursor is not None or not seen:
            query = f"&cursor={cursor}" if cursor else ""
            page = office.get(f"{URL}/people?reservationTypeId={board['flu']}&limit=3{query}").json()
            seen += [item["staffId"] for item in page["items"]]
            cursor = page["nextCursor"]
        assert seen == ["101", "102", "103", "104", "105", "106", "201"]

    @sqlite_only
    def test_as_a_file(self, board: dict[str, int], office: httpx2.Client, hospital: Hospital) -> None:
        answer = office.get(f"{URL}/export?reservationTypeId={board['flu']}&encoding=cp932&state=notBooked")
        rows = list(csv.DictReader(io.StringIO(answer.content.decode("cp932"))))
        assert [(row["職員番号"], row["状態"]) for row in rows] == [
            ("104", "未予約"),
            ("106", "未予約"),
            ("201", "未予約"),
        ]
        assert len(hospital.audit("STAFF_EXPORT")) == 1
        assert office.get(f"{URL}/export?reservationTypeId={board['flu']}&format=xlsx").content[:2] == b"PK"
