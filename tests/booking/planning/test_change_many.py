"""The same change for many slots: publishing, closing, changing and deleting by a filter, with a dry run first."""

from threading import Barrier
from typing import Any

import httpx2
import orjson
import pytest
from sqlalchemy import Row

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
    take_seat,
    trail,
    wait,
)
from tests.concurrency.threads import at_once
from tests.factories.product import Product
from tests.product_fixtures import postgresql_only, sqlite_only
from tests.roster.members.people import audited
from tsudoi.booking.planning import queries
from tsudoi.booking.planning.queries import SlotFilter, slot_rows
from tsudoi.booking.planning.rules import drafts
from tsudoi.booking.planning.schemas import ManySlotsChangeIn
from tsudoi.booking.planning.service import changing
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.slots.models import ReservationSlot, SlotQuota
from tsudoi.core import audit
from tsudoi.core.db.interface import ReadTx

pytestmark = pytest.mark.found("24.C6")

PUBLISH, CLOSE, DELETE = {"status": "published"}, {"status": "closed"}, {"delete": True}
# 15 days on which somebody works, with three slots each. 2025-09-15 and 2025-09-23 are holidays.
THREE_WEEKS = {"from": "2025-09-01", "to": "2025-09-24"}
TIMES = [{"startMinuteOfDay": minute, "durationMinutes": 30} for minute in (540, 570, 600)]


@pytest.fixture
def http(product: Product) -> httpx2.Client:
    make_department(product.db)
    return office_client(product)


@pytest.fixture
def type_id(http: httpx2.Client, product: Product) -> int:
    return make_type(product.db)


def three_weeks(http: httpx2.Client, type_id: int, **more: Any) -> list[int]:
    """45 slots."""
    body = {"reservationTypeId": type_id, **THREE_WEEKS, "weekdays": [1, 2, 3, 4, 5], "times": TIMES, "capacity": 5}
    answer = http.post(f"{SLOTS}/bulk", json={**body, "excludeDates": ["2025-09-24"], **more})
    assert answer.status_code == 201, answer.text
    return [slot["id"] for slot in answer.json()["slots"]]


def by_filter(type_id: int, **more: Any) -> dict[str, Any]:
    return {"filter": {"reservationTypeId": type_id, **THREE_WEEKS, **more}}


def preview(http: httpx2.Client, select: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    answer = http.post(f"{SLOTS}/change", json={"select": select, "change": change, "dryRun": True})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def write(
    http: httpx2.Client, select: dict[str, Any], change: dict[str, Any], expect: int | None, **more: Any
) -> httpx2.Response:
    body = {"select": select, "change": change, "expect": expect, **more}
    return http.post(f"{SLOTS}/change", json=body)


def statuses(product: Product) -> dict[int, str]:
    return {row["id"]: row["status"] for row in product.rows(ReservationSlot)}


class TestPublishing:
    @pytest.mark.row("6.3.1", "6.3.3", "6.3.6")
    def test_fifteen_days_by_a_filter_are_previewed_and_published_with_an_audit_row_each(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        ids = three_weeks(http, type_id)
        other = make_slot(http, make_type(product.db, "予防接種"))["id"]
        published = make_slot(http, type_id, startMinuteOfDay=720, **PUBLISH)["id"]
        before = trail(product.db)
        shown = preview(http, by_filter(type_id), PUBLISH)
        counts = {name: shown[name] for name in ("dryRun", "matched", "changed", "unchanged", "refused")}
        assert counts == {"dryRun": True, "matched": 46, "changed": 45, "unchanged": 1, "refused": []}
        assert shown["slots"][0] == {
            "slotId": ids[0],
            "reservationTypeId": type_id,
            "serviceDateLocal": "2025-09-01",
            "startMinuteOfDay": 540,
            "durationMinutes": 30,
            "capacity": 5,
            "bookedCount": 0,
            "status": "draft",
        }
        assert [slot["slotId"] for slot in shown["slots"]] == ids
        assert len({slot["serviceDateLocal"] for slot in shown["slots"]}) == 15
        assert (trail(product.db), statuses(product)[ids[0]]) == (before, "draft")
        done = write(http, by_filter(type_id), PUBLISH, 46)
        assert (done.status_code, done.json()) == (200, {**shown, "dryRun": False})
        assert statuses(product) == {**dict.fromkeys([*ids, published], "published"), other: "draft"}
        entry = ({"status": "draft"}, {"status": "published"})
        assert trail(product.db)[len(before) :] == [("SLOT_PUBLISH", f"slot:{one}", *entry) for one in ids]
        assert product.db.read_now(audit.verify).broken_at is None

    @pytest.mark.row("6.3.1", "6.3.3", "6.3.9")
    def test_exactly_the_drafts_of_a_bulk_creation_are_published_by_their_ids(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        others = [make_slot(http, type_id, "2025-09-01", startMinuteOfDay=720)["id"] for _number in range(2)]
        body = {"reservationTypeId": type_id, **THREE_WEEKS, "weekdays": [1, 3], "times": TIMES, "capacity": 5}
        for asked in ({"dryRun": True}, {}):
            made = http.post(f"{SLOTS}/bulk", json={**body, **asked}).json()
            assert (made["created"], made["drafts"]) == (21, 21)
        ids = [slot["id"] for slot in made["slots"]]
        shown = preview(http, {"slotIds": ids[::-1]}, PUBLISH)
        done = write(http, {"slotIds": ids}, PUBLISH, shown["matched"])
        assert (shown["matched"], done.json()["changed"]) == (21, 21)
        assert statuses(product) == {**dict.fromkeys(ids, "published"), **dict.fromkeys(others, "draft")}
        moved = http.post(f"{SLOTS}/copy", json={"from": MONDAY, "to": MONDAY, "target": "2025-10-06"}).json()
        assert (moved["created"], moved["drafts"]) == (5, 5)
        again = http.post(f"{SLOTS}/bulk", json={**body, "to": "2025-09-30", **PUBLISH}).json()
        assert (again["created"], again["drafts"]) == (3, 0)

    @pytest.mark.row("6.3.1")
    def test_the_filter_takes_weekdays_times_and_the_status(self, http: httpx2.Client, type_id: int) -> None:
        three_weeks(http, type_id)
        make_slot(http, type_id, "2025-09-01", startMinuteOfDay=570, **PUBLISH)
        make_slot(http, type_id, "2025-08-31")
        make_slot(http, type_id, "2025-09-25")

        def found(**more: Any) -> set[tuple[str, int]]:
            shown = preview(http, by_filter(type_id, **more), CLOSE)
            return {(slot["serviceDateLocal"], slot["startMinuteOfDay"]) for slot in shown["slots"]}

        mondays = {(day, minute) for day in ("2025-09-01", "2025-09-08", "2025-09-22") for minute in (540, 570, 600)}
        assert found(weekdays=[1]) == mondays
        assert found(weekdays=[1], fromMinute=541, toMinute=570) == {one for one in mondays if one[1] == 570}
        assert found(weekdays=[1], fromMinute=600) == {one for one in mondays if one[1] == 600}
        assert found(weekdays=[1, 1], toMinute=540) == {one for one in mondays if one[1] == 540}
        assert found(status="published") == {("2025-09-01", 570)}
        assert found(status="closed") == found(weekdays=[7]) == set()
        assert preview(http, by_filter(type_id, status="closed"), CLOSE)["matched"] == 0

    @pytest.mark.row("6.3.3")
    @sqlite_only
    def test_the_answer_shows_five_hundred_of_five_thousand(self, http: httpx2.Client, type_id: int) -> None:
        times = [{"startMinuteOfDay": minute, "durationMinutes": 5} for minute in range(0, 1000, 10)]
        body = {"reservationTypeId": type_id, "weekdays": [1, 2, 3, 4, 5, 6, 7], "times": times, "capacity": 5}
        days = {"from": "2025-09-01", "to": "2025-10-20"}
        assert http.post(f"{SLOTS}/bulk", json={**body, **days, "skipHolidays": False}).json()["created"] == 5000
        shown = preview(http, by_filter(type_id, **days), PUBLISH)
        done = write(http, by_filter(type_id, **days), PUBLISH, 5000).json()
        assert done == {**shown, "dryRun": False}
        assert (done["changed"], len(done["slots"])) == (5000, 500)
        make_slot(http, type_id, "2025-10-20", startMinuteOfDay=1200)
        body = {"select": by_filter(type_id, **days), "change": CLOSE, "dryRun": True}
        assert details(http.post(f"{SLOTS}/change", json=body)) == [("select.filter.to", "TOO_MANY_SLOTS")]


class TestOtherFields:
    @pytest.mark.row("6.3.6")
    def test_only_what_is_named_changes_and_null_empties(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        window = {"bookingStart": "2025-08-20T09:00:00+09:00", "bookingEnd": "2025-08-29T17:00:00+09:00"}
        quotas = [{"departmentId": "3A", "seats": 2}]
        first = make_slot(http, type_id, **window, notes="3階", quotas=quotas)
        second = make_slot(http, type_id, notes="2階")
        select = {"slotIds": [first["id"], second["id"]]}
        change = {"capacity": 8, "notes": None, "bookingStart": None, "quotas": None, "status": "closed"}
        shown, count = preview(http, select, change), len(trail(product.db))
        done = write(http, select, change, 2)
        assert done.json() == {**shown, "dryRun": False}
        after = http.get(f"{SLOTS}/{first['id']}").json()
        changed = {"capacity": 8, "notes": "", "bookingStart": None, "quotas": [], "status": "closed", "seatsLeft": 8}
        assert {**after, "updatedAt": None} == {**first, **changed, "updatedAt": None}
        entries = {(action, subject): (old, new) for action, subject, old, new in trail(product.db)[count:]}
        assert entries == {
            ("SLOT_CHANGE", f"slot:{first['id']}"): (
                {
                    "capacity": 3,
                    "notes": "3階",
                    "booking_start": "2025-08-20T00:00:00+00:00",
                    "quotas": {"3A": 2},
                },
                {"capacity": 8, "notes": None, "booking_start": None, "quotas": {}},
            ),
            ("SLOT_CHANGE", f"slot:{second['id']}"): ({"capacity": 3, "notes": "2階"}, {"capacity": 8, "notes": None}),
            **{
                ("SLOT_CLOSE", f"slot:{one['id']}"): ({"status": "draft"}, {"status": "closed"})
                for one in (first, second)
            },
        }
        write(http, select, {"quotas": [{"departmentId": "3A", "seats": 1}]}, 2)
        assert {(row["slot_id"], row["department_id"], row["seats"]) for row in product.rows(SlotQuota)} == {
            (one["id"], "3A", 1) for one in (first, second)
        }
        again = write(http, select, {"quotas": [{"departmentId": "3A", "seats": 1}]}, 2).json()
        assert (again["changed"], again["unchanged"]) == (0, 2)

    @sqlite_only
    def test_quotas_of_too_many_departments_in_too_many_slots_are_refused_before_anything_is_written(
        self, product: Product, http: httpx2.Client, type_id: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(drafts, "MOST_QUOTAS", 89)
        make_department(product.db, "4B")
        ids = three_weeks(http, type_id)
        quotas = [{"departmentId": one, "seats": 1} for one in ("3A", "4B")]
        for dry_run in (True, False):
            body = {"select": {"slotIds": ids}, "change": {"quotas": quotas}, "expect": 45, "dryRun": dry_run}
            assert details(http.post(f"{SLOTS}/change", json=body)) == [("quotas", "TOO_MANY")]
        assert write(http, {"slotIds": ids[:44]}, {"quotas": quotas}, 44).json()["changed"] == 44
        body = {"reservationTypeId": type_id, **THREE_WEEKS, "weekdays": [1, 2, 3, 4, 5], "capacity": 5}
        times = [{"startMinuteOfDay": minute, "durationMinutes": 5} for minute in (700, 710, 720)]
        answer = http.post(f"{SLOTS}/bulk", json={**body, "times": times, "quotas": quotas, "dryRun": True})
        assert details(answer) == [("quotas", "TOO_MANY")]

    @pytest.mark.row("6.3.6")
    def test_more_seats_go_to_those_who_wait(self, product: Product, http: httpx2.Client, type_id: int) -> None:
        slots = [make_slot(http, type_id, day, capacity=1, **PUBLISH) for day in ("2025-09-01", "2025-09-02")]
        for number, slot in enumerate(slots):
            take_seat(product.db, slot, make_staff(product.db, number + 1))
            wait(product.db, slot["id"], make_staff(product.db, number + 3))
        assert write(http, by_filter(type_id), {"capacity": 2}, 2).json()["changed"] == 2
        live = [row["slot_id"] for row in product.rows(Reservation) if row["canceled_at"] is None]
        assert sorted(live) == [one["id"] for one in slots for _seat in range(2)]
        promoted = [row["actor"] for row in audited(product.db) if row["action"] == "WAIT_PROMOTE"]
        assert promoted == ["system"] * 2


class TestRefusals:
    def test_a_slot_that_was_ever_used_stops_the_deletion_of_all_unless_it_is_skipped(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        booked, cancelled, waited, free = (make_slot(http, type_id, startMinuteOfDay=540 + n * 30) for n in range(4))
        person = make_staff(product.db)
        take_seat(product.db, booked, person)
        cancel_seat(product.db, take_seat(product.db, cancelled, person), cancelled["id"])
        wait(product.db, waited["id"], person)
        shown = preview(http, by_filter(type_id), DELETE)
        assert (shown["matched"], shown["changed"], shown["unchanged"]) == (4, 1, 0)
        assert [slot["slotId"] for slot in shown["slots"]] == [free["id"]]
        assert shown["refused"] == [
            {
                "slotId": one["id"],
                "serviceDateLocal": MONDAY,
                "startMinuteOfDay": one["startMinuteOfDay"],
                "code": "IN_USE",
            }
            for one in (booked, cancelled, waited)
        ]
        before = trail(product.db)
        refused = write(http, by_filter(type_id), DELETE, 4)
        assert (refused.status_code, refused.json()["code"]) == (409, "SOME_REFUSED")
        assert "3枠" in refused.json()["message"]
        assert refused.json()["details"] == [
            {"field": f"slotIds.{one['id']}", "reason": "IN_USE"} for one in (booked, cancelled, waited)
        ]
        assert (len(product.rows(ReservationSlot)), trail(product.db)) == (4, before)
        done = write(http, by_filter(type_id), DELETE, 4, skipRefused=True)
        assert (done.status_code, done.json()) == (200, {**shown, "dryRun": False})
        assert [row["id"] for row in product.rows(ReservationSlot)] == [
            one["id"] for one in (booked, cancelled, waited)
        ]
        assert [row[:2] for row in trail(product.db)[len(before) :]] == [("SLOT_DELETE", f"slot:{free['id']}")]

    def test_seats_below_the_people_and_windows_that_turn_round_are_refused(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        full = make_slot(http, type_id)
        for number in (1, 2):
            take_seat(product.db, full, make_staff(product.db, number))
        early = make_slot(http, type_id, "2025-09-02", bookingEnd="2025-08-20T09:00:00+09:00")
        plain = make_slot(http, type_id, "2025-09-03")
        change = {"capacity": 1, "bookingStart": "2025-08-25T09:00:00+09:00"}
        shown = preview(http, by_filter(type_id), change)
        assert [(one["slotId"], one["code"]) for one in shown["refused"]] == [
            (full["id"], "CAPACITY_BELOW_BOOKED"),
            (early["id"], "INVALID_WINDOW"),
        ]
        assert write(http, by_filter(type_id), change, 3).json()["code"] == "SOME_REFUSED"
        assert {row["capacity"] for row in product.rows(ReservationSlot)} == {3}
        done = write(http, by_filter(type_id), change, 3, skipRefused=True).json()
        assert (done["changed"], len(done["refused"])) == (1, 2)
        assert {row["id"]: row["capacity"] for row in product.rows(ReservationSlot)} == {
            full["id"]: 3,
            early["id"]: 3,
            plain["id"]: 1,
        }

    @pytest.mark.row("6.3.4")
    def test_a_slot_that_was_added_since_the_preview_stops_it(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        ids = three_weeks(http, type_id)
        expect = preview(http, by_filter(type_id), PUBLISH)["matched"]
        added = make_slot(http, type_id, "2025-09-24")["id"]
        before = trail(product.db)
        answer = write(http, by_filter(type_id), PUBLISH, expect)
        assert (answer.status_code, answer.json()["code"]) == (409, "SELECTION_CHANGED")
        assert "45枠" in answer.json()["message"]
        assert "46枠" in answer.json()["message"]
        assert (set(statuses(product).values()), trail(product.db)) == ({"draft"}, before)
        assert http.delete(f"{SLOTS}/{added}").status_code == 204
        gone = {"slotIds": [*ids, added]}
        assert write(http, gone, PUBLISH, 46).json()["code"] == "SELECTION_CHANGED"
        assert write(http, by_filter(type_id), PUBLISH, expect).json()["changed"] == 45

    @pytest.mark.row("6.3.4")
    @sqlite_only
    def test_bad_input_is_named_and_changes_nothing(self, product: Product, http: httpx2.Client, type_id: int) -> None:
        slot = make_slot(http, type_id)["id"]
        other_year = {"to": "2026-09-02"}
        late, early = "2025-09-02T09:00:00+09:00", "2025-09-01T09:00:00+09:00"
        good = {"select": {"slotIds": [slot]}, "change": PUBLISH, "expect": 1}
        cases: list[tuple[dict[str, Any], str, str]] = [
            ({"expect": None}, "expect", "REQUIRED"),
            ({"expect": -1}, "expect", "TOO_SMALL"),
            ({"select": {}}, "select", "REQUIRED"),
            ({"select": {"slotIds": [slot], **by_filter(type_id)}}, "select", "REQUIRED"),
            ({"select": {"slotIds": []}}, "select.slotIds", "TOO_SHORT"),
            ({"select": {"slotIds": [1] * 5001}}, "select.slotIds", "TOO_LONG"),
            ({"select": {"slotIds": [slot, 999]}}, "slotIds.999", "UNKNOWN_SLOT"),
            ({"select": by_filter(999)}, "reservationTypeId", "UNKNOWN_TYPE"),
            ({"select": by_filter(type_id, to="2025-08-31")}, "select.filter.to", "BEFORE_FROM"),
            ({"select": by_filter(type_id, **other_year)}, "select.filter.to", "PERIOD_TOO_LONG"),
            ({"select": by_filter(type_id, weekdays=[8])}, "select.filter.weekdays.0", "TOO_LARGE"),
            ({"select": by_filter(type_id, fromMinute=600, toMinute=599)}, "select.filter.toMinute", "BEFORE_START"),
            ({"select": by_filter(type_id, place="x")}, "select.filter.place", "UNKNOWN_FIELD"),
            ({"change": {}}, "change", "REQUIRED"),
            ({"change": {**DELETE, "capacity": 1}}, "change", "CONTRADICTION"),
            ({"change": {"delete": False}}, "change.delete", "NOT_ALLOWED"),
            ({"change": {"status": "open"}}, "change.status", "NOT_ALLOWED"),
            ({"change": {"capacity": 0}}, "change.capacity", "TOO_SMALL"),
            ({"change": {"serviceDateLocal": MONDAY}}, "change.serviceDateLocal", "UNKNOWN_FIELD"),
            ({"change": {"quotas": [{"departmentId": "?", "seats": 1}]}}, "quotas", "UNKNOWN_DEPARTMENT"),
            ({"change": {"bookingStart": late, "bookingEnd": early}}, "change.bookingEnd", "BEFORE_BOOKING_START"),
        ]
        before = product.rows(ReservationSlot)
        for wrong, field, reason in cases:
            body = {**good, **wrong}
            if wrong.get("select", {}).get("slotIds") == [slot, 999]:
                body["dryRun"] = True
            answer = http.post(f"{SLOTS}/change", json=body)
            assert details(answer) == [(field, reason)], wrong
            assert answer.json()["message"], wrong
        assert product.rows(ReservationSlot) == before


class TestTwoOffices:
    @pytest.mark.row("6.3.7")
    @postgresql_only
    def test_each_slot_changes_once_and_the_answers_add_up_to_the_audit_rows(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        ids = three_weeks(http, type_id)
        # One presses for all days, and three for some of them, in another order.
        parts = [ids, ids[20::-1], ids[10:35], ids[::-2]]

        def press(number: int) -> int:
            part = parts[number]
            answer = write(http, {"slotIds": part}, PUBLISH, len(part))
            assert answer.status_code == 200, answer.text
            assert answer.json()["changed"] + answer.json()["unchanged"] == len(part)
            return int(answer.json()["changed"])

        assert sum(at_once(4, press)) == 45
        assert sorted(row[1] for row in trail(product.db) if row[0] == "SLOT_PUBLISH") == sorted(
            f"slot:{one}" for one in ids
        )
        assert product.db.read_now(audit.verify).broken_at is None

    @pytest.mark.row("6.3.7")
    @postgresql_only
    def test_who_waited_for_the_other_finds_another_selection(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        three_weeks(http, type_id)
        drafts = by_filter(type_id, status="draft")
        answers = at_once(4, lambda _number: write(http, drafts, PUBLISH, 45))
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"SELECTION_CHANGED"}
        assert len([row for row in trail(product.db) if row[0] == "SLOT_PUBLISH"]) == 45

    @postgresql_only
    def test_without_the_lock_both_would_change_each_slot(
        self, product: Product, http: httpx2.Client, type_id: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The control of the two tests above: both offices read before either of them writes."""
        ids = three_weeks(http, type_id)
        both_have_read = Barrier(2)

        def unlocked(tx: ReadTx, wanted: SlotFilter, limit: int, **_lock: bool) -> list[Row[Any]]:
            rows = slot_rows(tx, wanted, lock=False, limit=limit)
            both_have_read.wait(20)
            return rows

        monkeypatch.setattr(queries, "slot_rows", unlocked)
        body = {"select": {"slotIds": ids}, "change": PUBLISH, "expect": 45}
        wanted = ManySlotsChangeIn.model_validate_json(orjson.dumps(body))
        answers = at_once(2, lambda number: product.db.write_now(changing.change_many, wanted, f"admin:{number}"))
        assert [answer.changed for answer in answers] == [45, 45]

    @sqlite_only
    def test_a_repeated_request_gets_its_answer_and_a_dry_run_leaves_the_key_alone(
        self, product: Product, http: httpx2.Client, type_id: int
    ) -> None:
        slot = make_slot(http, type_id)["id"]
        http.headers["idempotency-key"] = "publish-one"
        assert preview(http, {"slotIds": [slot]}, PUBLISH)["changed"] == 1
        first = write(http, {"slotIds": [slot]}, PUBLISH, 1)
        set_columns(product.db, ReservationSlot, slot, status="draft")
        again = write(http, {"slotIds": [slot]}, PUBLISH, 1)
        assert (first.json()["changed"], again.content) == (1, first.content)
        assert statuses(product) == {slot: "draft"}
