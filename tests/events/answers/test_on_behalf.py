"""`POST /api/admin/events/{id}/answers`: somebody called, and the office writes it down."""

from datetime import timedelta
from typing import Any

import httpx2
import orjson
import pytest

from tests.conftest import NOON
from tests.factories.events import liff_client, make_event, make_members
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tests.roster.members import people
from tests.roster.members.people import code, office
from tsudoi.core.clock import ManualClock
from tsudoi.events.answers.models import EventResponse


@pytest.fixture
def desk(product: Product) -> httpx2.Client:
    return office(product)


@pytest.fixture
def event_id(product: Product, desk: httpx2.Client) -> int:
    members = make_members(product.db, 101, 102)
    return make_event(product.db, members[:1], extra_text_enabled=1)


def answer(desk: httpx2.Client, event_id: object, member_id: object = 101, **more: Any) -> httpx2.Response:
    body = {"member_id": member_id, "status": "attend", **more}
    return desk.post(f"/api/admin/events/{event_id}/answers", json=body)


def audited(product: Product) -> list[dict[str, Any]]:
    return [entry for entry in people.audited(product.db) if entry["action"] == "EVENT_ANSWER"]


class TestAnswerOnBehalf:
    def test_is_an_answer_like_any_other_and_audited_from_old_to_new(
        self, product: Product, desk: httpx2.Client, event_id: int, clock: ManualClock
    ) -> None:
        with liff_client(product, 101) as http:
            http.post(f"/api/liff/events/{event_id}/respond", json={"status": "attend", "extra_text": "早退"})
            clock.advance(timedelta(seconds=1))
            said = answer(desk, event_id, status="absent", extra_text="電話で")
            assert (said.status_code, said.json()) == (
                201,
                {"ok": True, "current": "absent", "extra_text": None, "responded_at": "2025-08-16T12:00:01+09:00"},
            )
            assert http.get(f"/api/liff/events/{event_id}").json()["my_status"] == "absent"
            clock.advance(timedelta(seconds=1))
            http.post(f"/api/liff/events/{event_id}/respond", json={"status": "attend"})
            assert http.get(f"/api/liff/events/{event_id}").json()["my_status"] == "attend"
        assert [(row["status"], row["via"]) for row in product.rows(EventResponse)] == [
            ("attend", "liff"),
            ("absent", "admin"),
            ("attend", "liff"),
        ]
        [entry] = audited(product)
        assert (entry["actor"], entry["subject"]) == ("admin:jimukyoku", f"event:{event_id}")
        assert orjson.loads(entry["old"]) == {"status": "attend", "extra_text": "早退"}
        assert orjson.loads(entry["new"]) == {"member_id": 101, "status": "absent", "extra_text": None}

    def test_the_first_has_no_old_one(self, product: Product, desk: httpx2.Client, event_id: int) -> None:
        assert answer(desk, event_id, extra_text=" 電話で ").json()["extra_text"] == "電話で"
        [entry] = audited(product)
        assert (entry["old"], orjson.loads(entry["new"])["extra_text"]) == (None, "電話で")

    def test_counts_also_when_the_clock_was_set_back(
        self, product: Product, desk: httpx2.Client, event_id: int, clock: ManualClock
    ) -> None:
        answer(desk, event_id, status="attend")
        clock.advance(-timedelta(hours=1))
        answer(desk, event_id, status="absent")
        first, second = product.rows(EventResponse)
        assert first["responded_at"] <= second["responded_at"]

    def test_a_double_click_with_one_key_is_one_answer(
        self, product: Product, desk: httpx2.Client, event_id: int
    ) -> None:
        body, key = {"member_id": 101, "status": "attend"}, {"idempotency-key": "one-dialog"}
        said = [desk.post(f"/api/admin/events/{event_id}/answers", json=body, headers=key) for _ in range(2)]
        assert [one.status_code for one in said] == [201, 201]
        assert said[0].content == said[1].content
        assert len(product.rows(EventResponse)) == len(audited(product)) == 1
        other = desk.post(f"/api/admin/events/{event_id}/answers", json={**body, "status": "absent"}, headers=key)
        assert code(other) == (422, "IDEMPOTENCY_KEY_REUSED")

    @pytest.mark.usefixtures("event_id")
    def test_is_bound_by_no_deadline_but_by_a_cancellation(self, product: Product, desk: httpx2.Client) -> None:
        late = make_event(product.db, [101], deadline_at=NOON - timedelta(days=1))
        cancelled = make_event(product.db, [101], cancelled_at=NOON)
        assert answer(desk, late).status_code == 201
        assert code(answer(desk, cancelled)) == (409, "EVENT_CANCELLED")
        assert [row["event_id"] for row in product.rows(EventResponse)] == [late]
        assert len(audited(product)) == 1

    def test_is_for_those_who_were_asked(self, product: Product, desk: httpx2.Client, event_id: int) -> None:
        for stranger in (102, 999, 2**53):
            said = answer(desk, event_id, stranger)
            assert code(said) == (400, "INVALID_INPUT")
            assert said.json()["details"] == [{"field": "member_id", "reason": "NOT_INVITED"}]
        assert code(answer(desk, event_id + 1)) == (404, "NOT_FOUND")
        assert (product.rows(EventResponse), audited(product)) == ([], [])

    @sqlite_only
    def test_may_be_for_somebody_without_line(self, product: Product, desk: httpx2.Client) -> None:
        make_members(product.db, 110, line_user_id=None)
        assert answer(desk, make_event(product.db, [110]), 110).status_code == 201

    @sqlite_only
    def test_wrong_input_is_named(self, product: Product, desk: httpx2.Client, event_id: int) -> None:
        for body, field in (
            ({"status": "attend"}, "member_id"),
            ({"status": "attend", "member_id": 0}, "member_id"),
            ({"status": "attend", "member_id": True}, "member_id"),
            ({"status": "attend", "member_id": 10**30}, "member_id"),
            ({"member_id": 101}, "status"),
            ({"member_id": 101, "status": "pending"}, "status"),
            ({"member_id": 101, "status": "attend", "extra_text": "a\nb"}, "extra_text"),
            ({"member_id": 101, "status": "attend", "via": "liff"}, "via"),
        ):
            said = desk.post(f"/api/admin/events/{event_id}/answers", json=body)
            assert code(said) == (400, "INVALID_INPUT"), body
            assert [detail["field"] for detail in said.json()["details"]] == [field], body
        assert product.rows(EventResponse) == []

    @sqlite_only
    def test_a_memo_that_is_ignored_may_say_anything(self, desk: httpx2.Client, event_id: int) -> None:
        said = answer(desk, event_id, status="absent", extra_text="二行の\n" + "x" * 300)
        assert (said.status_code, said.json()["extra_text"]) == (201, None)

    @sqlite_only
    def test_is_for_administrators(self, product: Product, event_id: int) -> None:
        with liff_client(product, 101) as http:
            assert code(answer(http, event_id)) == (401, "UNAUTHENTICATED")
        with product.client() as http:
            product.log_in(http)
            assert code(answer(http, event_id)) == (403, "FORBIDDEN")
        assert product.rows(EventResponse) == []
