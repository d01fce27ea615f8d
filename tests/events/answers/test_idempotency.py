"""A phone that did not hear the answer asks again under the same key: one row, the same bytes."""

from collections.abc import Callable
from datetime import timedelta

import httpx2
import pytest
from sqlalchemy import update

from tests.factories.events import make_event, make_members
from tests.factories.product import JSON, Product
from tests.product_fixtures import sqlite_only
from tests.roster.members.people import code
from tsudoi.core.clock import ManualClock
from tsudoi.events.answers.models import EventResponse
from tsudoi.events.event.models import Event

Phone = Callable[[int], httpx2.Client]
YES, NO = b'{"status":"attend","extra_text":"a"}', b'{"status":"absent"}'


@pytest.fixture
def event_id(product: Product) -> int:
    return make_event(product.db, make_members(product.db, 101, 102), extra_text_enabled=1)


def send(http: httpx2.Client, event_id: int, body: bytes = YES, key: str | None = "key-1") -> httpx2.Response:
    headers = JSON if key is None else {**JSON, "idempotency-key": key}
    return http.post(f"/api/liff/events/{event_id}/respond", content=body, headers=headers)


def rows(product: Product) -> list[tuple[int, str]]:
    return [(row["member_id"], row["status"]) for row in product.rows(EventResponse)]


class TestTheSameKey:
    def test_again_adds_nothing_and_gets_the_same_bytes(
        self, product: Product, phone: Phone, event_id: int, clock: ManualClock
    ) -> None:
        http = phone(101)
        first = send(http, event_id)
        clock.advance(timedelta(minutes=3))
        again = [send(http, event_id), send(phone(101), event_id)]
        assert first.status_code == 201
        assert "idempotent-replayed" not in first.headers
        for answer in again:
            assert (answer.status_code, answer.content) == (201, first.content)
            assert answer.headers["idempotent-replayed"] == "true"
            assert answer.headers["content-type"] == first.headers["content-type"]
        assert rows(product) == [(101, "attend")]

    def test_with_another_body_is_refused(self, product: Product, phone: Phone, event_id: int) -> None:
        http = phone(101)
        send(http, event_id)
        for body in (NO, YES + b" "):
            assert code(send(http, event_id, body)) == (422, "IDEMPOTENCY_KEY_REUSED")
        assert rows(product) == [(101, "attend")]

    def test_of_another_person_or_event_is_another_key(self, product: Product, phone: Phone, event_id: int) -> None:
        second = make_event(product.db, [101])
        send(phone(101), event_id)
        answers = [send(phone(102), event_id, NO), send(phone(101), second, NO)]
        assert [(answer.status_code, answer.json()["current"]) for answer in answers] == [(201, "absent")] * 2
        assert rows(product) == [(101, "attend"), (102, "absent"), (101, "absent")]

    def test_may_be_used_again_after_48_hours(
        self, product: Product, phone: Phone, event_id: int, clock: ManualClock
    ) -> None:
        send(phone(101), event_id)
        clock.advance(timedelta(hours=48) - timedelta(microseconds=1))
        assert code(send(phone(101), event_id, NO)) == (422, "IDEMPOTENCY_KEY_REUSED")
        clock.advance(timedelta(microseconds=1))
        answer = send(phone(101), event_id, NO)
        assert (answer.status_code, "idempotent-replayed" in answer.headers) == (201, False)
        assert rows(product) == [(101, "attend"), (101, "absent")]

    def test_still_tells_what_was_recorded_when_the_event_is_cancelled_meanwhile(
        self, product: Product, phone: Phone, event_id: int
    ) -> None:
        http = phone(101)
        first = send(http, event_id)
        product.db.write_now(lambda tx: tx.execute(update(Event).values(cancelled_at=tx.now)))
        assert send(http, event_id).content == first.content
        assert code(send(http, event_id, NO)) == (422, "IDEMPOTENCY_KEY_REUSED")
        assert code(send(http, event_id, key="key-2")) == (409, "EVENT_CANCELLED")
        assert code(send(phone(102), event_id)) == (409, "EVENT_CANCELLED")
        assert rows(product) == [(101, "attend")]

    def test_does_not_bring_an_old_answer_back(self, phone: Phone, event_id: int, clock: ManualClock) -> None:
        """A retry that comes late tells what was recorded then, and leaves the newer answer in force."""
        http = phone(101)
        send(http, event_id, YES, "key-1")
        clock.advance(timedelta(seconds=1))
        send(http, event_id, NO, "key-2")
        assert send(http, event_id, YES, "key-1").json()["current"] == "attend"
        assert http.get(f"/api/liff/events/{event_id}").json()["my_status"] == "absent"

    @pytest.mark.usefixtures("event_id")
    def test_of_a_refused_answer_is_free(self, product: Product, phone: Phone) -> None:
        cancelled = make_event(product.db, [101], cancelled_at=product.db.clock.now())
        http = phone(101)
        assert code(send(http, cancelled)) == (409, "EVENT_CANCELLED")
        product.db.write_now(lambda tx: tx.execute(update(Event).values(cancelled_at=None)))
        assert send(http, cancelled, NO).status_code == 201
        assert rows(product) == [(101, "absent")]


@sqlite_only
class TestTheKey:
    def test_must_be_one(self, product: Product, phone: Phone, event_id: int) -> None:
        http = phone(101)
        for odd in ("", "x" * 256, "caf\u00e9", "a\tb"):
            headers = {b"content-type": b"application/json", b"idempotency-key": odd.encode("latin-1")}
            answer = http.post(f"/api/liff/events/{event_id}/respond", content=YES, headers=headers)
            assert code(answer) == (400, "INVALID_INPUT"), odd
            assert answer.json()["details"] == [{"field": "Idempotency-Key", "reason": "INVALID_FORMAT"}], odd
        assert rows(product) == []
        for good in ("x", "x" * 255, "a b~!'%s"):
            assert send(http, event_id, key=good).status_code == 201

    def test_is_not_needed_and_without_it_there_are_two_rows(
        self, product: Product, phone: Phone, event_id: int
    ) -> None:
        http = phone(101)
        answers = [send(http, event_id, key=None) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [201, 201]
        assert rows(product) == [(101, "attend")] * 2
