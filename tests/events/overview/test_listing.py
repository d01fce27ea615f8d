"""The office's list of events: filtered, searched, paged, with counts."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import event as sqlalchemy_event

from tests.events.overview.events import HELD_AT, URL, answer, event, people, pushed
from tests.factories.product import Product
from tests.factories.webhooks import user_id
from tests.product_fixtures import sqlite_only
from tests.roster.members.people import code, office
from tsudoi.core.clock import JST
from tsudoi.core.db.interface import Database
from tsudoi.events.broadcast.service.enqueueing import Recipient, enqueue
from tsudoi.events.overview.queries.listing import Filters, event_page


@pytest.fixture
def http(product: Product) -> httpx2.Client:
    return office(product)


def titles(http: httpx2.Client, **query: Any) -> list[str]:
    answered = http.get(URL, params=query)
    assert answered.status_code == 200, answered.text
    return [item["title"] for item in answered.json()["items"]]


class TestItems:
    def test_have_the_documented_fields(self, product: Product, http: httpx2.Client) -> None:
        assert http.get(URL).json() == {"items": [], "next_cursor": None}
        members = people(product.db, "山田太郎", "佐藤花子", "鈴木一郎")
        made = event(product.db, members, image_preview_url="https://x.example/p.jpg")
        answer(product.db, made, 101, "absent")
        answer(product.db, made, 101, "attend")
        answer(product.db, made, 102, "absent")
        pushed(product.db, made, 2, 1)
        assert http.get(URL).json() == {
            "items": [
                {
                    "id": made,
                    "title": "理事会9月",
                    "held_at": "2025-09-10T12:00:00+09:00",
                    "image_preview_url": "https://x.example/p.jpg",
                    "push_stats": {
                        "success": 2,
                        "fail": 1,
                        "last_sent_at": "2025-08-16T12:00:00+09:00",
                        "unknown": 0,
                        "pending": 0,
                    },
                    "cancelled": False,
                    "targets_total": 3,
                    "attend": 1,
                    "absent": 1,
                    "pending": 1,
                    "waits_to_be_sent": False,
                }
            ],
            "next_cursor": None,
        }

    def test_say_so_when_nothing_was_sent_and_nobody_is_asked(self, product: Product, http: httpx2.Client) -> None:
        event(product.db, cancelled_at=product.db.clock.now())
        [item] = http.get(URL).json()["items"]
        assert item["push_stats"] is None
        assert item["cancelled"] is True
        assert (item["targets_total"], item["attend"], item["absent"], item["pending"]) == (0, 0, 0, 0)

    def test_count_the_newest_of_two_answers_in_the_same_instant(self, product: Product, http: httpx2.Client) -> None:
        [member] = people(product.db, "山田太郎")
        made = event(product.db, [member])
        for status in ("attend", "absent", "attend"):
            answer(product.db, made, member, status)
        [item] = http.get(URL).json()["items"]
        assert (item["attend"], item["absent"], item["pending"]) == (1, 0, 0)

    def test_come_with_their_counts_in_as_many_statements_for_one_as_for_many(self, db: Database) -> None:
        members = people(db, *(f"会員{number}" for number in range(5)))

        def statements() -> int:
            seen: list[str] = []

            def read(tx: Any) -> None:
                def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
                    seen.append(statement)

                sqlalchemy_event.listen(tx.connection, "before_cursor_execute", note)
                event_page(tx, Filters(None, None, "", newest_first=True), 200, None)
                sqlalchemy_event.remove(tx.connection, "before_cursor_execute", note)

            db.read_now(read)
            return len(seen)

        def sending() -> None:
            made = event(db, members)
            recipients = [Recipient(member_id, user_id(member_id)) for member_id in members]
            db.write_now(enqueue, made, "invite", [{"type": "text", "text": "総会"}], recipients, "admin:x")
            pushed(db, made, 3, 1)

        sending()
        one = statements()
        for _ in range(30):
            sending()
        # The page, the answers, who was told at all, who was told again, and who may have been.
        assert statements() == one == 5


class TestPeriod:
    def test_is_of_japanese_days_and_includes_both(self, product: Product, http: httpx2.Client) -> None:
        for name, moment in {
            "前日": datetime(2025, 8, 31, 23, 59, 59, tzinfo=JST),
            "初日": datetime(2025, 9, 1, 0, 0, tzinfo=JST),
            "末日": datetime(2025, 9, 30, 14, 59, 59, tzinfo=UTC),
            "翌日": datetime(2025, 10, 1, 0, 0, tzinfo=JST),
        }.items():
            event(product.db, title=name, held_at=moment)
        assert titles(http, **{"from": "2025-09-01", "to": "2025-09-30"}) == ["末日", "初日"]
        assert titles(http, **{"from": "2025-09-01"}) == ["翌日", "末日", "初日"]
        assert titles(http, to="2025-09-01", order="held_at") == ["前日", "初日"]
        assert titles(http, **{"from": "1900-01-01", "to": "2199-12-31", "order": "held_at"}) == [
            "前日",
            "初日",
            "末日",
            "翌日",
        ]

    @sqlite_only
    def test_refuses_what_is_no_period(self, http: httpx2.Client) -> None:
        for field in ("from", "to"):
            no_dates = ("", "x", "2025-9-1", "20250901", "2025-02-30", "1756684800", "0000-01-01", "２０２５-09-01")
            for wrong in (*no_dates, "1899-12-31", "9999-12-31"):
                refused = http.get(URL, params={field: wrong})
                assert code(refused) == (400, "INVALID_INPUT"), wrong
                assert refused.json()["details"] == [{"field": field, "reason": "INVALID_FORMAT"}]
        refused = http.get(URL, params={"from": "2025-09-02", "to": "2025-09-01"})
        assert code(refused) == (400, "INVALID_INPUT")
        assert refused.json()["details"] == [{"field": "to", "reason": "BEFORE_FROM"}]


class TestQuery:
    def test_finds_a_part_of_the_title_on_both_databases_alike(self, product: Product, http: httpx2.Client) -> None:
        for title in ("理事会 Board", "総会", "100%_OFF", "a\\b", "ＢＯＡＲＤ", "Straße Ä", "x_y"):
            event(product.db, title=title)
        for words, found in {
            "理事": ["理事会 Board"],
            "bOARd": ["ＢＯＡＲＤ", "理事会 Board"],
            "髙": [],
            "%": ["100%_OFF"],
            "_": ["x_y", "100%_OFF"],
            "0%_o": ["100%_OFF"],
            "\\": ["a\\b"],
            "ｂｏａｒｄ": ["ＢＯＡＲＤ", "理事会 Board"],
            "会ｂ": ["理事会 Board"],
            "ä": ["Straße Ä"],
            "Ä": ["Straße Ä"],
            "' OR 1=1 --": [],
            "  総会 ": ["総会"],
        }.items():
            assert titles(http, query=words) == found, words
        assert len(titles(http, query=" ")) == 7

    @sqlite_only
    def test_refuses_what_no_database_could_look_for(self, http: httpx2.Client) -> None:
        for wrong in ("a\0b", "長" * 101):
            assert code(http.get(URL, params={"query": wrong})) == (400, "INVALID_INPUT")


class TestPages:
    @pytest.mark.parametrize("order", ["held_at", "-held_at"])
    def test_hold_every_event_once_also_those_of_one_moment(
        self, product: Product, http: httpx2.Client, order: str
    ) -> None:
        made = [event(product.db, held_at=HELD_AT + timedelta(hours=number // 3)) for number in range(10)]
        seen: list[int] = []
        cursor: str | None = None
        while True:
            page = http.get(URL, params={"limit": 3, "order": order, **({"cursor": cursor} if cursor else {})}).json()
            seen += [item["id"] for item in page["items"]]
            cursor = page["next_cursor"]
            if cursor is None:
                break
            if len(seen) == 3:
                # What comes in before the place where the reader is does not shift what follows.
                event(product.db, held_at=HELD_AT + timedelta(days=-1 if order == "held_at" else 1))
        assert [number for number in seen if number in made] == (made if order == "held_at" else made[::-1])

    @sqlite_only
    def test_refuse_a_wrong_cursor_limit_or_order(self, http: httpx2.Client) -> None:
        for wrong in ({"cursor": "x"}, {"cursor": "WzFd"}, {"limit": 0}, {"limit": 201}, {"order": "title"}):
            assert code(http.get(URL, params=wrong)) == (400, "INVALID_INPUT"), wrong
