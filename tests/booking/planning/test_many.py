"""Many slots at once: bulk creation, copies, publishing, and the month calendar."""

from collections import Counter
from typing import Any

import httpx2
import pytest

from tests.booking.slots.hospital import (
    MONDAY,
    SLOTS,
    details,
    make_department,
    make_slot,
    make_staff,
    make_type,
    office_client,
    take_seat,
    trail,
)
from tests.concurrency.threads import at_once
from tests.factories.product import Product
from tests.product_fixtures import postgresql_only, sqlite_only
from tests.roster.members.people import audited
from tsudoi.booking.slots.models import ReservationSlot, SlotQuota
from tsudoi.core import audit

NINE, TEN = {"startMinuteOfDay": 540, "durationMinutes": 30}, {"startMinuteOfDay": 600, "durationMinutes": 60}
# Monday, 2025-09-15, is 敬老の日; Tuesday, 2025-09-23, is 秋分の日.
TWO_WEEKS = {"from": "2025-09-08", "to": "2025-09-21"}


@pytest.fixture
def http(product: Product) -> httpx2.Client:
    make_department(product.db)
    return office_client(product)


@pytest.fixture
def type_id(http: httpx2.Client, product: Product) -> int:
    return make_type(product.db)


def bulk(http: httpx2.Client, type_id: int, **more: Any) -> httpx2.Response:
    body = {"reservationTypeId": type_id, **TWO_WEEKS, "weekdays": [1, 3], "times": [NINE, TEN], "capacity": 5}
    return http.post(f"{SLOTS}/bulk", json={**body, **more})


def starts(answer: httpx2.Response) -> list[tuple[str, int]]:
    return [(slot["serviceDateLocal"], slot["startMinuteOfDay"]) for slot in answer.json()["slots"]]


class TestBulk:
    @pytest.mark.row("3.4.17")
    def test_a_preview_shows_exactly_what_is_created(self, product: Product, http: httpx2.Client, type_id: int) -> None:
        more = {"bookingStart": "2025-09-01T09:00:00+09:00", "notes": "健診室"}
        preview = bulk(http, type_id, **more, dryRun=True)
        assert (preview.status_code, preview.json()["dryRun"], preview.json()["created"]) == (200, True, 6)
        assert product.rows(ReservationSlot) == []
        assert trail(product.db) == []
        done = bulk(http, type_id, **more, quotas=[{"departmentId": "3A", "seats": 2}])
        assert (done.status_code, done.json()["dryRun"], done.json()["created"]) == (201, False, 6)
        days = ("2025-09-08", "2025-09-10", "2025-09-17")
        assert starts(done) == starts(preview) == [(day, minute) for day in days for minute in (540, 600)]
        assert done.json()["skipped"] == preview.json()["skipped"]
        assert done.json()["skipped"] == [
            {"serviceDateLocal": "2025-09-15", "startMinuteOfDay": None, "reason": "HOLIDAY", "name": "敬老の日"}
        ]
        ids = [slot["id"] for slot in done.json()["slots"]]
        assert [slot["id"] for slot in preview.json()["slots"]] == [None] * 6
        rows = product.rows(ReservationSlot)
        found = [(row["id"], row["service_date_local"], row["start_minute_of_day"]) for row in rows]
        assert found == [(one, *start) for one, start in zip(ids, starts(done), strict=True)]
        assert {(row["capacity"], row["status"], row["notes"], row["booked_count"]) for row in rows} == {
            (5, "draft", "健診室", 0)
        }
        assert [row["slot_id"] for row in product.rows(SlotQuota)] == ids
        assert trail(product.db) == [
            ("SLOT_CREATE", f"slot:{ids[0]}", None, {"slots": 6, "from": "2025-09-08", "to": "2025-09-17"})
        ]

    @pytest.mark.row("3.4.17")
    def test_leaves_out_what_exists_has_begun_or_is_excluded(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        make_slot(http, type_id, "2025-08-18")
        make_slot(http, make_type(product.db, "予防接種"), "2025-08-20")
        noon = {"startMinuteOfDay": 720, "durationMinutes": 10}
        one = {"startMinuteOfDay": 780, "durationMinutes": 10}
        answer = bulk(
            http,
            type_id,
            **{"from": "2025-08-15", "to": "2025-08-20"},
            weekdays=[5, 6, 1, 2, 3],
            times=[NINE, noon, one],
            excludeDates=["2025-08-19"],
        )
        assert starts(answer) == [
            ("2025-08-16", 780),
            *(("2025-08-18", minute) for minute in (720, 780)),
            *(("2025-08-20", minute) for minute in (540, 720, 780)),
        ]
        skipped = [
            (each["serviceDateLocal"], each["startMinuteOfDay"], each["reason"]) for each in answer.json()["skipped"]
        ]
        assert skipped == [
            ("2025-08-15", None, "PAST"),
            ("2025-08-16", 540, "PAST"),
            ("2025-08-16", 720, "PAST"),
            ("2025-08-18", 540, "EXISTS"),
            ("2025-08-19", None, "EXCLUDED"),
        ]

    @sqlite_only
    def test_holidays_are_created_where_the_office_wants_them(self, http: httpx2.Client, type_id: int) -> None:
        answer = bulk(http, type_id, skipHolidays=False, weekdays=[1], times=[NINE])
        assert (starts(answer), answer.json()["skipped"]) == ([("2025-09-08", 540), ("2025-09-15", 540)], [])

    @sqlite_only
    def test_a_preview_leaves_the_key_to_the_request_that_creates(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        http.headers["idempotency-key"] = "two-weeks-of-slots"
        assert bulk(http, type_id, dryRun=True).status_code == 200
        first, second = bulk(http, type_id), bulk(http, type_id)
        assert (first.status_code, first.content) == (201, second.content)
        assert first.json()["created"] == len(product.rows(ReservationSlot)) == 6

    @sqlite_only
    def test_a_second_time_creates_nothing(self, product: Product, http: httpx2.Client, type_id: int) -> None:
        assert bulk(http, type_id).json()["created"] == 6
        count = len(audited(product.db))
        again = bulk(http, type_id)
        assert (again.status_code, again.json()["created"], again.json()["slots"]) == (201, 0, [])
        assert Counter(each["reason"] for each in again.json()["skipped"]) == {"EXISTS": 6, "HOLIDAY": 1}
        assert (len(product.rows(ReservationSlot)), len(audited(product.db))) == (6, count)

    @pytest.mark.row("3.4.11")
    def test_slots_that_are_published_at_once_have_an_audit_row_each(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        made = bulk(http, type_id, status="published").json()["slots"]
        actions = [row[:2] for row in trail(product.db)]
        assert actions[1:] == [("SLOT_PUBLISH", f"slot:{slot['id']}") for slot in made]
        assert product.db.read_now(audit.verify).broken_at is None

    @postgresql_only
    def test_two_people_who_press_at_once_create_each_slot_once(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        answers = at_once(4, lambda _number: bulk(http, type_id))
        assert sorted(answer.json()["created"] for answer in answers) == [0, 0, 0, 6]
        assert len(product.rows(ReservationSlot)) == 6

    @sqlite_only
    def test_five_thousand_slots_are_the_limit(self, product: Product, http: httpx2.Client, type_id: int) -> None:
        times = [{"startMinuteOfDay": minute, "durationMinutes": 5} for minute in range(0, 1000, 10)]
        days = {"weekdays": [1, 2, 3, 4, 5, 6, 7], "skipHolidays": False, "times": times}
        year = {"from": "2025-09-01", "to": "2026-08-31"}
        assert details(bulk(http, type_id, **year, **days)) == [("to", "TOO_MANY_SLOTS")]
        assert product.rows(ReservationSlot) == []
        answer = bulk(http, type_id, **{"from": "2025-09-01", "to": "2025-10-20"}, **days, status="published")
        assert (answer.status_code, answer.json()["created"]) == (201, 5000)
        assert len(trail(product.db)) == 5001

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"weekdays": []}, "weekdays"),
            ({"weekdays": [0]}, "weekdays.0"),
            ({"weekdays": [1, True]}, "weekdays.1"),
            ({"weekdays": ["1"]}, "weekdays.0"),
            ({"times": []}, "times"),
            ({"times": [NINE, NINE]}, "times"),
            ({"times": [NINE, {"startMinuteOfDay": 1430, "durationMinutes": 11}]}, "times.1.durationMinutes"),
            ({"times": [{"startMinuteOfDay": 1.5, "durationMinutes": 11}]}, "times.0.startMinuteOfDay"),
            ({"to": "2025-09-07"}, "to"),
            ({"to": "2026-09-09"}, "to"),
            ({"from": "2025-09-31"}, "from"),
            ({"capacity": 0}, "capacity"),
            ({"capacity": 2**63}, "capacity"),
            ({"excludeDates": ["2025-09-31"]}, "excludeDates.0"),
            ({"skipHolidays": 1}, "skipHolidays"),
            ({"dryRun": "true"}, "dryRun"),
            ({"bookingStart": "2025-09-01T09:00:00"}, "bookingStart"),
            (
                {"bookingStart": "2025-09-01T09:00:00+09:00", "bookingEnd": "2025-09-01T08:00:00+09:00"},
                "bookingEnd",
            ),
            ({"reservationTypeId": 999}, "reservationTypeId"),
            ({"quotas": [{"departmentId": "?", "seats": 1}]}, "quotas"),
            ({"bookedCount": 1}, "bookedCount"),
        ],
    )
    @sqlite_only
    def test_bad_input_is_named_and_creates_nothing(
        self, product: Product, http: httpx2.Client, type_id: int, wrong: dict[str, Any], field: str
    ) -> None:
        assert [name for name, _reason in details(bulk(http, type_id, **wrong))] == [field]
        assert product.rows(ReservationSlot) == []


class TestCopy:
    @pytest.mark.row("3.4.17")
    def test_a_week_moves_to_another_week_as_drafts(self, product: Product, http: httpx2.Client, type_id: int) -> None:
        more = {"bookingStart": "2025-08-20T09:00:00+09:00", "bookingEnd": "2025-08-29T17:00:00+09:00"}
        quotas = [{"departmentId": "3A", "seats": 1}]
        monday = make_slot(http, type_id, MONDAY, **more, status="published", notes="健診室", quotas=quotas)
        take_seat(product.db, monday, make_staff(product.db))
        make_slot(http, type_id, "2025-09-05", startMinuteOfDay=600)
        make_slot(http, type_id, "2025-09-08")
        body = {"from": MONDAY, "to": "2025-09-07", "target": "2025-09-15"}
        for dry_run, status in ((True, 200), (False, 201)):
            answer = http.post(f"{SLOTS}/copy", json={**body, "dryRun": dry_run})
            assert (answer.status_code, starts(answer)) == (status, [("2025-09-19", 600)])
            assert [each["name"] for each in answer.json()["skipped"]] == ["敬老の日"]
        answer = http.post(f"{SLOTS}/copy", json={**body, "skipHolidays": False})
        assert starts(answer) == [("2025-09-15", 540)]
        assert [each["reason"] for each in answer.json()["skipped"]] == ["EXISTS"]
        copy = http.get(f"{SLOTS}/{answer.json()['slots'][0]['id']}").json()
        kept = ("reservationTypeId", "startMinuteOfDay", "durationMinutes", "capacity", "notes", "quotas")
        assert {name: copy[name] for name in kept} == {name: monday[name] for name in kept}
        assert (copy["status"], copy["bookedCount"], copy["serviceDateLocal"]) == ("draft", 0, "2025-09-15")
        assert (copy["bookingStart"], copy["bookingEnd"]) == ("2025-09-03T09:00:00+09:00", "2025-09-12T17:00:00+09:00")

    @sqlite_only
    def test_a_day_and_one_type_only(self, product: Product, http: httpx2.Client, type_id: int) -> None:
        make_slot(http, type_id)
        make_slot(http, make_type(product.db, "予防接種"))
        body = {"from": MONDAY, "to": MONDAY, "target": "2025-09-02", "reservationTypeId": type_id}
        assert http.post(f"{SLOTS}/copy", json=body).json()["created"] == 1
        back = http.post(f"{SLOTS}/copy", json={**body, "target": "2025-08-15"})
        assert [each["reason"] for each in back.json()["skipped"]] == ["PAST"]

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"to": "2025-09-08"}, "to"),
            ({"to": "2025-08-31"}, "to"),
            ({"target": None}, "target"),
            ({"target": "2025-02-29"}, "target"),
            ({"reservationTypeId": 999}, "reservationTypeId"),
            ({"reservationTypeId": 1.5}, "reservationTypeId"),
        ],
    )
    @sqlite_only
    def test_bad_input_is_named(self, http: httpx2.Client, wrong: dict[str, Any], field: str) -> None:
        body = {"from": MONDAY, "to": MONDAY, "target": "2025-09-02", **wrong}
        assert [name for name, _reason in details(http.post(f"{SLOTS}/copy", json=body))] == [field]


class TestStatus:
    @pytest.mark.row("3.4.11", "3.4.15")
    def test_changes_all_of_them_with_an_audit_row_each(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        ids = [make_slot(http, type_id)["id"] for _number in range(3)]
        body = {"slotIds": [ids[1], ids[0], ids[1]], "status": "published"}
        assert http.post(f"{SLOTS}/status", json=body).json() == {"changed": 2}
        assert http.post(f"{SLOTS}/status", json=body).json() == {"changed": 0}
        body = {"slotIds": ids, "status": "closed"}
        assert http.post(f"{SLOTS}/status", json=body).json() == {"changed": 3}
        published, closed = {"status": "published"}, {"status": "closed"}
        assert trail(product.db)[3:] == [
            *(("SLOT_PUBLISH", f"slot:{one}", {"status": "draft"}, published) for one in ids[:2]),
            *(("SLOT_CLOSE", f"slot:{one}", published, closed) for one in ids[:2]),
            ("SLOT_CLOSE", f"slot:{ids[2]}", {"status": "draft"}, closed),
        ]
        assert product.db.read_now(audit.verify).broken_at is None

    @sqlite_only
    def test_an_unknown_slot_changes_nothing(self, product: Product, http: httpx2.Client, type_id: int) -> None:
        slot = make_slot(http, type_id)["id"]
        answer = http.post(f"{SLOTS}/status", json={"slotIds": [slot, 999], "status": "published"})
        assert details(answer) == [("slotIds.999", "UNKNOWN_SLOT")]
        assert product.rows(ReservationSlot)[0]["status"] == "draft"
        for wrong in ([], [0], ["1"], [True], [2**63], None):
            body = {"slotIds": wrong, "status": "closed"}
            assert details(http.post(f"{SLOTS}/status", json=body))[0][0].startswith("slotIds")
        assert details(http.post(f"{SLOTS}/status", json={"slotIds": [slot], "status": "open"}))[0][0] == "status"

    @postgresql_only
    def test_opposite_orders_do_not_wait_for_each_other_for_ever(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        ids = [make_slot(http, type_id)["id"] for _number in range(20)]

        def press(number: int) -> int:
            body = {"slotIds": ids[:: 1 if number % 2 else -1], "status": ("published", "closed")[number % 2]}
            return http.post(f"{SLOTS}/status", json=body).status_code

        assert at_once(6, press) == [200] * 6
        assert product.db.read_now(audit.verify).broken_at is None


class TestCalendar:
    @pytest.mark.row("3.4.17")
    def test_has_every_day_with_its_holiday_and_numbers(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        slot = make_slot(http, type_id, "2025-09-30", status="published")
        take_seat(product.db, slot, make_staff(product.db))
        for status in ("draft", "closed"):
            make_slot(http, type_id, "2025-09-30", status=status, capacity=2)
        make_slot(http, make_type(product.db, "予防接種"), "2025-09-30", capacity=9)
        make_slot(http, type_id, "2025-10-01")
        days = http.get(f"{SLOTS}/calendar", params={"month": "2025-09", "reservationTypeId": type_id}).json()["days"]
        assert [day["date"] for day in days] == [f"2025-09-{day:02d}" for day in range(1, 31)]
        assert {day["date"]: day["holiday"] for day in days if day["holiday"]} == {
            "2025-09-15": "敬老の日",
            "2025-09-23": "秋分の日",
        }
        numbers = {"slots": 3, "capacity": 7, "booked": 1, "draft": 1, "published": 1, "closed": 1}
        assert days[-1] == {"date": "2025-09-30", "holiday": None, **numbers}
        assert days[0] == {"date": "2025-09-01", "holiday": None, **dict.fromkeys(numbers, 0)}
        both = http.get(f"{SLOTS}/calendar", params={"month": "2025-09"}).json()["days"]
        assert (both[-1]["slots"], both[-1]["capacity"]) == (4, 16)

    @pytest.mark.parametrize("month", ["2025-13", "2025-9", "2025", "２０２５-09", "2025-09-01", "1999-12", ""])
    @sqlite_only
    def test_a_month_is_a_month(self, http: httpx2.Client, month: str) -> None:
        assert details(http.get(f"{SLOTS}/calendar", params={"month": month})) == [("month", "INVALID_FORMAT")]

    @sqlite_only
    def test_knows_leap_years_and_substitute_holidays(self, http: httpx2.Client) -> None:
        days = http.get(f"{SLOTS}/calendar", params={"month": "2028-02"}).json()["days"]
        assert len(days) == 29
        days = http.get(f"{SLOTS}/calendar", params={"month": "2026-09"}).json()["days"]
        assert [day["date"] for day in days if day["holiday"]] == ["2026-09-21", "2026-09-22", "2026-09-23"]
