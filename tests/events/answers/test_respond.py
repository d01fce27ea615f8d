"""`POST /api/liff/events/{id}/respond`: what is written, what counts, and what is kept of the memo."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from tests.factories.events import make_event, make_members
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tsudoi.core.clock import ManualClock
from tsudoi.events.answers.models import EventResponse

Phone = Callable[[int], httpx2.Client]
FAMILY = "\u200b\U0001f468\u200d\U0001f469\u200d\U0001f466"
MEMO = {"extra_text_enabled": 1, "extra_text_attend_only": 0}


def respond(http: httpx2.Client, event_id: int, status: str = "attend", **more: Any) -> httpx2.Response:
    return http.post(f"/api/liff/events/{event_id}/respond", json={"status": status, **more})


def current(http: httpx2.Client, event_id: int) -> tuple[str, str | None]:
    found = http.get(f"/api/liff/events/{event_id}").json()
    return found["my_status"], found["my_last_extra_text"]


@pytest.fixture
def event_id(product: Product) -> int:
    return make_event(product.db, make_members(product.db, 101, 102), **MEMO)


class TestAnAnswer:
    @pytest.mark.quick("happy_path")
    def test_is_written_down_as_it_was_given(self, product: Product, phone: Phone, event_id: int) -> None:
        answer = respond(phone(101), event_id, "attend", extra_text="10分ほど遅れます")
        assert (answer.status_code, answer.json()) == (
            201,
            {
                "ok": True,
                "current": "attend",
                "extra_text": "10分ほど遅れます",
                "responded_at": "2025-08-16T12:00:00+09:00",
            },
        )
        assert answer.headers["content-type"] == "application/json"
        assert "idempotent-replayed" not in answer.headers
        [row] = product.rows(EventResponse)
        assert {name: row[name] for name in ("event_id", "member_id", "status", "extra_text", "via")} == {
            "event_id": event_id,
            "member_id": 101,
            "status": "attend",
            "extra_text": "10分ほど遅れます",
            "via": "liff",
        }
        assert row["responded_at"] == product.db.clock.now()

    def test_given_anew_is_added_and_the_newest_counts(
        self, product: Product, phone: Phone, event_id: int, clock: ManualClock
    ) -> None:
        http = phone(101)
        for status in ("attend", "absent", "attend", "absent"):
            assert respond(http, event_id, status, extra_text=f"{status}です").json()["current"] == status
            assert current(http, event_id) == (status, f"{status}です")
            clock.advance(timedelta(microseconds=1))
        assert [row["status"] for row in product.rows(EventResponse)] == ["attend", "absent"] * 2

    def test_of_the_same_instant_counts_by_the_order_in_which_it_came(
        self, product: Product, phone: Phone, event_id: int
    ) -> None:
        """The clock stands still."""
        http = phone(101)
        for status in ("attend", "absent", "absent", "attend", "absent"):
            respond(http, event_id, status)
            assert current(http, event_id)[0] == status
        assert len({row["responded_at"] for row in product.rows(EventResponse)}) == 1
        assert len(product.rows(EventResponse)) == 5

    def test_counts_also_when_the_clock_was_set_back(
        self, product: Product, phone: Phone, event_id: int, clock: ManualClock
    ) -> None:
        """Who was told that the answer counts must find that it does."""
        http = phone(101)
        respond(http, event_id, "attend")
        clock.advance(-timedelta(minutes=5))
        answer = respond(http, event_id, "absent", extra_text="都合により")
        assert answer.json()["current"] == "absent"
        assert current(http, event_id) == ("absent", "都合により")
        first, second = product.rows(EventResponse)
        assert first["responded_at"] <= second["responded_at"]
        clock.advance(timedelta(minutes=10))
        respond(http, event_id, "attend")
        assert product.rows(EventResponse)[-1]["responded_at"] == clock.now()

    def test_is_one_persons_own(self, phone: Phone, event_id: int) -> None:
        first, second = phone(101), phone(102)
        respond(first, event_id, "attend", extra_text="ひとつめ")
        assert current(second, event_id) == ("pending", None)
        respond(second, event_id, "absent")
        assert current(first, event_id) == ("attend", "ひとつめ")

    def test_after_the_event_is_still_taken(self, phone: Phone, event_id: int, clock: ManualClock) -> None:
        """Who came unannounced may say so; only a deadline or a cancellation ends it."""
        clock.advance(timedelta(days=10, seconds=1))
        assert respond(phone(101), event_id).status_code == 201


@sqlite_only
class TestTheMemo:
    def test_is_kept_only_where_the_event_asks_for_it(self, product: Product, phone: Phone) -> None:
        make_members(product.db, 101)
        http = phone(101)
        for enabled, attend_only, status, kept in (
            (0, 0, "attend", None),
            (0, 1, "attend", None),
            (0, 0, "absent", None),
            (1, 0, "attend", "メモ"),
            (1, 0, "absent", "メモ"),
            (1, 1, "attend", "メモ"),
            (1, 1, "absent", None),
        ):
            fields = {"extra_text_enabled": enabled, "extra_text_attend_only": attend_only}
            event_id = make_event(product.db, [101], **fields)
            answer = respond(http, event_id, status, extra_text="メモ")
            assert (answer.status_code, answer.json()["extra_text"]) == (201, kept), fields
            assert current(http, event_id) == (status, kept), fields
            assert product.rows(EventResponse)[-1]["extra_text"] == kept, fields

    def test_of_an_older_answer_does_not_shine_through(self, phone: Phone, event_id: int) -> None:
        http = phone(101)
        respond(http, event_id, "attend", extra_text="遅れます")
        respond(http, event_id, "attend")
        assert current(http, event_id) == ("attend", None)

    def test_is_stripped_and_otherwise_kept_as_it_is(self, product: Product, phone: Phone, event_id: int) -> None:
        http = phone(101)
        kept = {
            "  前後の空白\u3000 ": "前後の空白",
            "": None,
            "   \u3000": None,
            None: None,
            "a  b": "a  b",
            "\u202eわざと\u202c": "\u202eわざと\u202c",
            FAMILY: FAMILY,
            "か\u3099": "か\u3099",
            "=1+1": "=1+1",
            "'; DROP TABLE event_responses; --": "'; DROP TABLE event_responses; --",
            "%s %(x)s :x ?": "%s %(x)s :x ?",
            "x" * 200: "x" * 200,
            "\U00020bb7" * 200: "\U00020bb7" * 200,
        }
        for given, stored in kept.items():
            answer = respond(http, event_id, extra_text=given)
            assert (answer.status_code, answer.json()["extra_text"]) == (201, stored), given
        assert [row["extra_text"] for row in product.rows(EventResponse)] == list(kept.values())

    @pytest.mark.parametrize("memo", ["x" * 300, "二行の\nメモ", "\x00", " " * 300])
    def test_that_is_ignored_may_say_anything(self, product: Product, phone: Phone, memo: str) -> None:
        make_members(product.db, 101)
        http = phone(101)
        for enabled, attend_only, status in ((1, 1, "absent"), (0, 0, "attend"), (0, 1, "absent")):
            event_id = make_event(product.db, [101], extra_text_enabled=enabled, extra_text_attend_only=attend_only)
            for headers in ({}, {"idempotency-key": "k"}):
                body = {"status": status, "extra_text": memo}
                answer = http.post(f"/api/liff/events/{event_id}/respond", json=body, headers=headers)
                assert (answer.status_code, answer.json()["extra_text"]) == (201, None)
        assert respond(http, event_id, "absent", extra_text=7).status_code == 400

    def test_of_more_than_one_clean_line_is_refused(self, product: Product, phone: Phone, event_id: int) -> None:
        http = phone(101)
        refused: list[tuple[Any, str]] = [
            ("x" * 201, "TOO_LONG"),
            (" " * 201, "TOO_LONG"),
            *((f"a{odd}b", "INVALID_FORMAT") for odd in "\x00\x01\t\n\r\x1b\x1f\x7f\x80\x85\x9f\u2028\u2029"),
            ("末尾\n", "INVALID_FORMAT"),
            (7, "INVALID_FORMAT"),
            (["a"], "INVALID_FORMAT"),
            (True, "INVALID_FORMAT"),
        ]
        for wrong, reason in refused:
            answer = respond(http, event_id, "absent", extra_text=wrong)
            assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_INPUT"), repr(wrong)
            answer = respond(http, event_id, extra_text=wrong)
            assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_INPUT"), repr(wrong)
            assert answer.json()["details"] == [{"field": "extra_text", "reason": reason}], repr(wrong)
        assert product.rows(EventResponse) == []
