"""Every answer ever given, newest first, a page at a time."""

from datetime import timedelta
from typing import Any

import httpx2
import pytest

from tests.conftest import NOON
from tests.events.overview.events import URL, answer, event, people
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tests.roster.members.people import code, office
from tsudoi.core.pages import encode_cursor


@pytest.fixture
def http(product: Product) -> httpx2.Client:
    return office(product)


def history(http: httpx2.Client, event_id: int, **query: Any) -> dict[str, Any]:
    answered = http.get(f"{URL}/{event_id}/history", params=query)
    assert answered.status_code == 200, answered.text
    return dict(answered.json())


class TestHistory:
    def test_has_every_answer_with_its_name(self, product: Product, http: httpx2.Client) -> None:
        members = people(product.db, "山田太郎", "佐藤花子")
        made, other = event(product.db, members), event(product.db, members)
        assert history(http, made) == {"items": [], "next_cursor": None}
        first = answer(product.db, made, 101, "attend", "遅れます", at=NOON + timedelta(milliseconds=1))
        answer(product.db, other, 101, "attend")
        second = answer(product.db, made, 101, "absent", via="admin", at=NOON + timedelta(seconds=1))
        third = answer(product.db, made, 102, "absent", at=NOON + timedelta(seconds=2))
        found = history(http, made)
        assert [item["id"] for item in found["items"]] == [third, second, first]
        assert found["items"][2] == {
            "id": first,
            "responded_at": "2025-08-16T12:00:00+09:00",
            "member_id": 101,
            "name": "山田太郎",
            "status": "attend",
            "extra_text": "遅れます",
            "via": "liff",
        }
        assert [item["id"] for item in history(http, made, member_id=101)["items"]] == [second, first]
        assert history(http, made, member_id=999)["items"] == []

    def test_comes_in_pages_that_new_answers_do_not_shift(self, product: Product, http: httpx2.Client) -> None:
        [member] = people(product.db, "山田太郎")
        made = event(product.db, [member])
        given = [answer(product.db, made, member, "attend") for _ in range(7)]
        page = history(http, made, limit=3)
        seen = [item["id"] for item in page["items"]]
        answer(product.db, made, member, "absent")
        while page["next_cursor"]:
            page = history(http, made, limit=3, cursor=page["next_cursor"])
            seen += [item["id"] for item in page["items"]]
        assert seen == given[::-1]

    def test_begins_with_the_newest_answer_of_each_person(self, product: Product, http: httpx2.Client) -> None:
        """One person who answers again and again does not push the others out of the first page."""
        loud, quiet, late = people(product.db, "声が大きい人", "静かな人", "遅い人")
        made = event(product.db, [loud, quiet, late])
        of_quiet = answer(product.db, made, quiet, "attend", at=NOON)
        of_loud = [answer(product.db, made, loud, at=NOON + timedelta(seconds=n)) for n in range(1, 8)]
        of_late = [answer(product.db, made, late, at=NOON + timedelta(seconds=n)) for n in (8, 9)]
        expected = [of_late[1], of_loud[-1], of_quiet, of_late[0], *of_loud[-2::-1]]
        for limit in (1, 2, 3, 4, 99):
            page = history(http, made, limit=limit)
            seen = [item["id"] for item in page["items"]]
            while page["next_cursor"]:
                page = history(http, made, limit=limit, cursor=page["next_cursor"])
                seen += [item["id"] for item in page["items"]]
            assert seen == expected, limit

    def test_of_no_event_is_not_there(self, http: httpx2.Client) -> None:
        assert code(http.get(f"{URL}/999/history")) == (404, "NOT_FOUND")

    @sqlite_only
    def test_refuses_wrong_input(self, product: Product, http: httpx2.Client) -> None:
        made = event(product.db)
        cursors = ("x", encode_cursor(7), encode_cursor(7, "x", 1))
        wrongs: list[dict[str, Any]] = [{"limit": 0}, {"limit": 501}, {"member_id": 0}, {"member_id": 2**64}]
        for wrong in (*wrongs, *({"cursor": cursor} for cursor in cursors)):
            assert code(http.get(f"{URL}/{made}/history", params=wrong)) == (400, "INVALID_INPUT"), wrong
