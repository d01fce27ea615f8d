"""The office's slots: created, changed, published, closed and deleted."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from time import sleep
from typing import Any

import httpx2
import pytest
from sqlalchemy import text, update

from tests.booking.slots.hospital import (
    MONDAY,
    SLOTS,
    cancel_seat,
    details,
    make_department,
    make_slot,
    make_staff,
    make_type,
    office_client,
    set_columns,
    staff_client,
    take_seat,
    trail,
    wait,
)
from tests.concurrency.threads import at_once
from tests.factories.product import Product
from tests.product_fixtures import postgresql_only, sqlite_only
from tests.roster.members.people import audited, code
from tsudoi.booking.slots.models import ReservationSlot, SlotQuota
from tsudoi.core import audit
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Tx

NEW: dict[str, Any] = {"serviceDateLocal": MONDAY, "startMinuteOfDay": 540, "durationMinutes": 30, "capacity": 3}


@pytest.fixture
def http(product: Product) -> httpx2.Client:
    make_department(product.db)
    return office_client(product)


@pytest.fixture
def type_id(http: httpx2.Client, product: Product) -> int:
    return make_type(product.db)


def change(http: httpx2.Client, slot: dict[str, Any], **fields: Any) -> httpx2.Response:
    return http.patch(f"{SLOTS}/{slot['id']}", json=fields)


class TestCreate:
    @pytest.mark.row("3.4.3", "3.4.4", "3.1.6")
    def test_makes_a_draft_with_every_documented_field(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        answer = http.post(SLOTS, json={"reservationTypeId": type_id, **NEW})
        made = answer.json()
        assert (answer.status_code, made) == (
            201,
            {
                "id": made["id"],
                "reservationTypeId": type_id,
                "reservationTypeName": "職員健診",
                **NEW,
                "bookedCount": 0,
                "heldCount": 0,
                "seatsLeft": 3,
                "waitingCount": 0,
                "status": "draft",
                "bookingStart": None,
                "bookingEnd": None,
                "notes": "",
                "quotas": [],
                "createdAt": "2025-08-16T12:00:00+09:00",
                "updatedAt": "2025-08-16T12:00:00+09:00",
            },
        )
        assert http.get(f"{SLOTS}/{made['id']}").json() == made
        [(action, subject, _old, new)] = trail(product.db)
        assert (action, subject, new["capacity"]) == ("SLOT_CREATE", f"slot:{made['id']}", 3)

    @pytest.mark.row("3.4.5", "3.7.17")
    def test_keeps_the_window_as_one_moment_whatever_the_offset(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        window = {"bookingStart": "2025-08-20T00:00:00Z", "bookingEnd": "2025-08-20T09:00:00.000+09:00"}
        made = make_slot(http, type_id, **window, notes=" 健診室\n3階 ", quotas=[{"departmentId": "3A", "seats": 0}])
        assert made["bookingStart"] == made["bookingEnd"] == "2025-08-20T09:00:00+09:00"
        assert (made["notes"], made["quotas"]) == ("健診室\n3階", [{"departmentId": "3A", "seats": 0}])
        [row] = product.rows(SlotQuota)
        assert row == {"slot_id": made["id"], "department_id": "3A", "seats": 0}

    @pytest.mark.row("3.4.11")
    @sqlite_only
    def test_a_slot_that_is_published_at_once_has_its_audit_row(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        made = make_slot(http, type_id, status="published")
        assert [row[:2] for row in trail(product.db)] == [
            ("SLOT_CREATE", f"slot:{made['id']}"),
            ("SLOT_PUBLISH", f"slot:{made['id']}"),
        ]

    @sqlite_only
    def test_the_same_key_creates_one_slot(self, product: Product, http: httpx2.Client, type_id: int) -> None:
        body, key = {"reservationTypeId": type_id, **NEW}, {"idempotency-key": "one-slot-please"}
        first, second = (http.post(SLOTS, json=body, headers=key) for _ in range(2))
        assert first.content == second.content
        assert len(product.rows(ReservationSlot)) == 1


BAD_FIELDS: list[tuple[str, Any]] = [
    *(("reservationTypeId", value) for value in (0, "1", True, 1.0, 1.0e300, 2**63, None, 999)),
    *(("serviceDateLocal", value) for value in ("2025-02-30", "2025-9-1", "20250901", "２０２５-09-01", 1, None)),
    *(("serviceDateLocal", value) for value in ("1999-12-31", "2100-01-01", "2025-09-01T00:00", "2025-W36-1", "")),
    *(("startMinuteOfDay", value) for value in (-1, 1440, 1.5, "9", True, None, 2**63, 1.0e300)),
    *(("durationMinutes", value) for value in (0, -30, 1.5, "30", False, 1441, 2**63)),
    *(("capacity", value) for value in (0, -1, 1.5, "3", True, None, 2**31, 2**63)),
    *(("status", value) for value in ("open", "PUBLISHED", "", None, 1)),
    *(("bookingStart", value) for value in ("2025-08-20T09:00:00", "2025-08-20", 1755648000, "soon", True)),
    *(("bookingEnd", value) for value in ("2025-08-20T09:00:00", "0001-01-01T00:00:00+09:00", "9999-12-31T23:59:00Z")),
    *(("notes", value) for value in ("x" * 501, "a\0b", 5)),
    *(("quotas", value) for value in (None, "3A", [{"departmentId": "?", "seats": 1}])),
    *((name, 5) for name in ("bookedCount", "id", "seatsLeft", "periodKey")),
]


class TestInput:
    @pytest.mark.row("3.4.2", "3.4.3", "3.4.5", "3.7.16")
    @sqlite_only
    def test_each_bad_field_is_named_and_nothing_is_written(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        slot = make_slot(http, type_id)
        before, count = product.rows(ReservationSlot), len(audited(product.db))
        for field, value in BAD_FIELDS:
            body = {"reservationTypeId": type_id, **NEW, field: value}
            for answer in (http.post(SLOTS, json=body), change(http, slot, **{field: value})):
                assert [name for name, _reason in details(answer)] == [field], (field, value)
        assert (product.rows(ReservationSlot), len(audited(product.db))) == (before, count)

    @pytest.mark.row("3.4.2")
    @pytest.mark.parametrize("field", ["reservationTypeId", *NEW])
    @sqlite_only
    def test_each_required_field_is_asked_for(self, http: httpx2.Client, type_id: int, field: str) -> None:
        body = {name: value for name, value in {"reservationTypeId": type_id, **NEW}.items() if name != field}
        assert details(http.post(SLOTS, json=body)) == [(field, "REQUIRED")]

    @pytest.mark.row("3.4.2", "3.4.5")
    @sqlite_only
    def test_fields_that_contradict_each_other_are_named_together(self, http: httpx2.Client, type_id: int) -> None:
        reversed_window = {"bookingStart": "2025-08-20T09:00:00+09:00", "bookingEnd": "2025-08-20T08:59:59+09:00"}
        late = {"startMinuteOfDay": 1439, "durationMinutes": 2}
        twice = [{"departmentId": "3A", "seats": 1}] * 2
        body = {"reservationTypeId": type_id, **NEW, **late, **reversed_window, "quotas": twice}
        expected = [
            ("durationMinutes", "ENDS_AFTER_MIDNIGHT"),
            ("bookingEnd", "BEFORE_BOOKING_START"),
            ("quotas", "DUPLICATE"),
        ]
        assert details(http.post(SLOTS, json=body)) == expected
        slot = make_slot(http, type_id, startMinuteOfDay=1410, bookingEnd="2025-08-20T08:00:00+09:00")
        assert details(change(http, slot, durationMinutes=31)) == expected[:1]
        assert details(change(http, slot, bookingStart="2025-08-20T08:00:01+09:00")) == expected[1:2]
        assert change(http, slot, bookingStart="2025-08-20T08:00:00+09:00").status_code == 200
        assert details(change(http, slot, quotas=[{"departmentId": "3A", "seats": -1}])) == [
            ("quotas.0.seats", "TOO_SMALL")
        ]

    @pytest.mark.row("3.7.13", "3.7.14")
    @sqlite_only
    def test_only_the_office_comes_in(self, product: Product, http: httpx2.Client, type_id: int) -> None:
        slot = make_slot(http, type_id)
        portal = staff_client(product, make_staff(product.db, role="ADMIN"))
        for path in (SLOTS, f"{SLOTS}/{slot['id']}", f"{SLOTS}/calendar?month=2025-09"):
            assert portal.get(path).status_code == 401
        http.headers["authorization"] = "Bearer nobody"
        calls = [("POST", ""), ("PATCH", f"/{slot['id']}"), ("DELETE", f"/{slot['id']}"), ("POST", "/bulk")]
        for method, path in [*calls, ("POST", "/copy"), ("POST", "/status")]:
            assert http.request(method, SLOTS + path, json={"bad": 1}).status_code == 401, (method, path)

    @sqlite_only
    def test_an_unknown_slot_is_404(self, http: httpx2.Client) -> None:
        assert code(http.get(f"{SLOTS}/999")) == (404, "NOT_FOUND")
        assert code(http.patch(f"{SLOTS}/999", json={"capacity": 5})) == (404, "NOT_FOUND")
        assert code(http.delete(f"{SLOTS}/999")) == (404, "NOT_FOUND")


class TestChange:
    def test_touches_only_what_is_sent(
        self, product: Product, http: httpx2.Client, type_id: int, clock: ManualClock
    ) -> None:
        slot = make_slot(http, type_id, notes="古い", quotas=[{"departmentId": "3A", "seats": 1}])
        count = len(audited(product.db))
        clock.advance(timedelta(minutes=1))
        same = {"capacity": 3, "notes": "古い", "quotas": slot["quotas"], "status": "draft"}
        assert change(http, slot).json() == change(http, slot, **same).json() == slot
        assert len(audited(product.db)) == count
        answer = change(http, slot, notes=None, capacity=5, startMinuteOfDay=600, quotas=[])
        expected: dict[str, Any] = {"notes": "", "capacity": 5, "seatsLeft": 5, "startMinuteOfDay": 600, "quotas": []}
        assert answer.json() == {**slot, **expected, "updatedAt": "2025-08-16T12:01:00+09:00"}
        assert trail(product.db)[-1] == (
            "SLOT_CHANGE",
            f"slot:{slot['id']}",
            {"notes": "古い", "capacity": 3, "start_minute_of_day": 540, "quotas": {"3A": 1}},
            {"notes": None, "capacity": 5, "start_minute_of_day": 600, "quotas": {}},
        )

    @pytest.mark.row("3.4.12")
    def test_the_capacity_stays_at_or_above_what_is_booked(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        slot = make_slot(http, type_id, capacity=5)
        for number in range(3):
            take_seat(product.db, slot, make_staff(product.db, number))
        refused = change(http, slot, capacity=2, notes="x")
        assert code(refused) == (409, "CAPACITY_BELOW_BOOKED")
        assert "3人" in refused.json()["message"]
        assert http.get(f"{SLOTS}/{slot['id']}").json()["notes"] == "", "nothing was changed"
        answer = change(http, slot, capacity=3)
        assert (answer.status_code, answer.json()["seatsLeft"], answer.json()["bookedCount"]) == (200, 0, 3)

    @pytest.mark.row("3.4.14")
    def test_day_time_and_type_stay_while_somebody_has_a_seat(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        slot = make_slot(http, type_id)
        reservation = take_seat(product.db, slot, make_staff(product.db))
        other = make_type(product.db, "予防接種")
        moves = {"serviceDateLocal": "2025-09-02", "startMinuteOfDay": 600, "durationMinutes": 20}
        for field, value in {**moves, "reservationTypeId": other}.items():
            refused = change(http, slot, **{field: value})
            assert code(refused) == (409, "SLOT_HAS_RESERVATIONS")
            assert [detail["field"] for detail in refused.json()["details"]] == [field]
        assert change(http, slot, **{name: slot[name] for name in moves}, notes="同じ日時").status_code == 200
        cancel_seat(product.db, reservation, slot["id"])
        assert change(http, slot, **moves).status_code == 200
        assert code(change(http, slot, reservationTypeId=other)) == (409, "SLOT_HAS_RESERVATIONS"), "it has a history"
        assert (
            change(http, make_slot(http, type_id), reservationTypeId=other).json()["reservationTypeName"] == "予防接種"
        )

    def test_day_and_time_stay_while_somebody_waits(self, product: Product, http: httpx2.Client, type_id: int) -> None:
        slot = make_slot(http, type_id)
        wait(product.db, slot["id"], make_staff(product.db))
        assert code(change(http, slot, startMinuteOfDay=600)) == (409, "SLOT_HAS_RESERVATIONS")
        assert http.get(f"{SLOTS}/{slot['id']}").json()["waitingCount"] == 1

    @pytest.mark.row("3.4.11", "3.4.15")
    def test_publishing_and_closing_are_audited_and_keep_the_reservations(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        slot = make_slot(http, type_id)
        subject = f"slot:{slot['id']}"
        assert change(http, slot, status="published").json()["status"] == "published"
        take_seat(product.db, slot, make_staff(product.db))
        closed = change(http, slot, status="closed", capacity=4).json()
        assert (closed["status"], closed["bookedCount"]) == ("closed", 1)
        assert change(http, slot, status="published").json()["bookedCount"] == 1
        assert trail(product.db)[1:] == [
            ("SLOT_PUBLISH", subject, {"status": "draft"}, {"status": "published"}),
            ("SLOT_CHANGE", subject, {"capacity": 3}, {"capacity": 4}),
            ("SLOT_CLOSE", subject, {"status": "published"}, {"status": "closed"}),
            ("SLOT_PUBLISH", subject, {"status": "closed"}, {"status": "published"}),
        ]
        last = audited(product.db)[-1]
        assert (last["actor"], last["at"][:19]) == ("admin:jimukyoku", "2025-08-16T03:00:00")
        assert product.db.read_now(audit.verify).broken_at is None

    @pytest.mark.row("3.5.28")
    def test_new_seats_and_a_new_publication_go_to_those_who_wait(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        slot = make_slot(http, type_id, status="published", capacity=1)
        take_seat(product.db, slot, make_staff(product.db))
        for number in (2, 3, 4):
            wait(product.db, slot["id"], make_staff(product.db, number))
        grown = change(http, slot, capacity=2).json()
        assert (grown["bookedCount"], grown["seatsLeft"], grown["waitingCount"]) == (2, 0, 2)
        closed = change(http, slot, capacity=3, status="closed").json()
        assert (closed["bookedCount"], closed["waitingCount"]) == (2, 2), "a closed slot gives nobody a seat"
        body = {"slotIds": [slot["id"]], "status": "published"}
        assert http.post(f"{SLOTS}/status", json=body).json() == {"changed": 1}
        opened = http.get(f"{SLOTS}/{slot['id']}").json()
        assert (opened["bookedCount"], opened["waitingCount"]) == (3, 1)
        assert [row["action"] for row in audited(product.db)].count("WAIT_PROMOTE") == 2
        assert product.db.read_now(audit.verify).broken_at is None

    @postgresql_only
    def test_waits_for_a_booking_that_has_not_committed_yet(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        """Without the row lock the change would see no reservation, and the constraint would answer with a 500."""
        slot = make_slot(http, type_id)
        with ThreadPoolExecutor(1) as threads:

            def book(tx: Tx) -> Any:
                tx.execute(update(ReservationSlot).where(ReservationSlot.id == slot["id"]).values(booked_count=2))
                answer = threads.submit(change, http, slot, capacity=1)
                waiting = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
                for _attempt in range(200):
                    if product.db.read_now(lambda reader: reader.execute(waiting).scalar_one()):
                        break
                    sleep(0.05)
                return answer

            assert code(product.db.write_now(book).result(30)) == (409, "CAPACITY_BELOW_BOOKED")

    @postgresql_only
    def test_two_changes_at_once_leave_one_state_and_a_whole_trail(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        slot = make_slot(http, type_id)
        answers = at_once(4, lambda number: change(http, slot, status=("published", "closed")[number % 2]))
        assert Counter(answer.status_code for answer in answers) == {200: 4}
        states = [(old["status"], new["status"]) for _action, _subject, old, new in trail(product.db)[1:]]
        assert [new for _old, new in states[:-1]] == [old for old, _new in states[1:]], "each saw the one before"
        assert product.db.read_now(audit.verify).broken_at is None


class TestDelete:
    def test_only_what_nobody_ever_booked(self, product: Product, http: httpx2.Client, type_id: int) -> None:
        me = make_staff(product.db)
        booked, waited, unused = (
            make_slot(http, type_id, quotas=[{"departmentId": "3A", "seats": 1}]) for _number in range(3)
        )
        cancel_seat(product.db, take_seat(product.db, booked, me), booked["id"])
        wait(product.db, waited["id"], me)
        for slot in (booked, waited):
            assert code(http.delete(f"{SLOTS}/{slot['id']}")) == (409, "IN_USE")
        assert http.delete(f"{SLOTS}/{unused['id']}").status_code == 204
        assert http.get(f"{SLOTS}/{unused['id']}").status_code == 404
        assert {row["slot_id"] for row in product.rows(SlotQuota)} == {booked["id"], waited["id"]}
        assert trail(product.db)[-1][:2] == ("SLOT_DELETE", f"slot:{unused['id']}")


class TestList:
    @pytest.mark.row("3.7.25")
    def test_three_pages_have_no_gap_while_slots_are_added(self, http: httpx2.Client, type_id: int) -> None:
        wanted = [
            make_slot(http, type_id, f"2025-09-0{day}", startMinuteOfDay=minute)["id"]
            for day in (1, 2, 3)
            for minute in (540, 540, 600)
        ]
        seen: list[int] = []
        query: dict[str, Any] = {"limit": 4, "from": "2025-09-01"}
        for _page in range(3):
            page = http.get(SLOTS, params=query).json()
            seen += [item["id"] for item in page["items"]]
            make_slot(http, type_id, "2025-09-01", startMinuteOfDay=0)
            query["cursor"] = page["nextCursor"]
        assert (seen, query["cursor"]) == (wanted, None)

    def test_goes_by_day_type_and_status(self, product: Product, http: httpx2.Client, type_id: int) -> None:
        other = make_type(product.db, "予防接種")
        draft = make_slot(http, type_id, "2025-09-01")["id"]
        open_one = make_slot(http, type_id, "2025-09-02", status="published")["id"]
        shot = make_slot(http, other, "2025-09-03")["id"]

        def ids(**query: Any) -> list[int]:
            return [item["id"] for item in http.get(SLOTS, params=query).json()["items"]]

        assert ids() == [draft, open_one, shot]
        assert ids(**{"from": "2025-09-02", "to": "2025-09-02"}) == [open_one]
        assert ids(reservationTypeId=other) == [shot]
        assert ids(status="published") == [open_one]
        assert ids(status="closed") == []

    @pytest.mark.parametrize(
        ("query", "field"),
        [
            ({"from": "2025-9-1"}, "from"),
            ({"from": "2025-09-02", "to": "2025-09-01"}, "to"),
            ({"status": "open"}, "status"),
            ({"reservationTypeId": "x"}, "reservationTypeId"),
            ({"limit": "0"}, "limit"),
            ({"limit": "201"}, "limit"),
            ({"cursor": "WzFd"}, "cursor"),
        ],
    )
    @sqlite_only
    def test_bad_filters_are_named(self, http: httpx2.Client, query: dict[str, str], field: str) -> None:
        assert [name for name, _reason in details(http.get(SLOTS, params=query))] == [field]

    @sqlite_only
    def test_shows_what_sql_has_changed(self, product: Product, http: httpx2.Client, type_id: int) -> None:
        slot = make_slot(http, type_id)
        set_columns(product.db, ReservationSlot, slot["id"], status="published", booked_count=2)
        [item] = http.get(SLOTS).json()["items"]
        assert (item["status"], item["bookedCount"], item["seatsLeft"]) == ("published", 2, 1)
