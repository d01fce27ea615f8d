"""The office links and unlinks by hand: with a reason, audited, and never over a link that stands."""

from datetime import timedelta
from typing import Any

import httpx2
import orjson
import pytest

from tests.conftest import NOON
from tests.factories.product import ADMIN, Product
from tests.factories.webhooks import user_id
from tests.product_fixtures import sqlite_only
from tests.roster.members.people import audited, code, enrol, links, member, office
from tsudoi.core.clock import ManualClock
from tsudoi.line.friends.service import record_following, record_profile
from tsudoi.roster.linking.rules import LinkResultType
from tsudoi.roster.linking.service import link_by_display_name, link_by_full_name

TARO, HANAKO = user_id(1), user_id(2)
LINKS = "/api/admin/links"
UNLINKED = f"{LINKS}/unlinked-friends"


def befriend(product: Product, who: str, name: str | None, *, ms: int = 0, following: bool = True) -> None:
    product.db.write_now(record_following, who, round(NOON.timestamp() * 1000) + ms, following=following)
    product.db.write_now(record_profile, who, name, "https://example.com/p.png")


@pytest.fixture
def http(product: Product) -> httpx2.Client:
    enrol(product.db, (101, "山田太郎"), (102, "佐藤花子"))
    befriend(product, TARO, "たろう")
    befriend(product, HANAKO, "はな", following=False)
    return office(product)


def link(http: httpx2.Client, who: str, member_id: Any, reason: Any = "電話で本人に確認") -> httpx2.Response:
    return http.post(LINKS, json={"user_id": who, "member_id": member_id, "reason": reason})


def unlink(http: httpx2.Client, member_id: int, reason: Any = "別の方のLINEだったため") -> httpx2.Response:
    return http.post(f"{LINKS}/{member_id}/removal", json={"reason": reason})


class TestLinking:
    def test_by_hand_is_audited_with_its_reason_and_may_be_clicked_twice(
        self, product: Product, http: httpx2.Client, clock: ManualClock
    ) -> None:
        clock.advance(timedelta(minutes=1))
        for _ in range(2):
            answer = link(http, HANAKO, 102, " 電話で本人に確認 ")
            assert (answer.status_code, answer.json()) == (201, {"member_id": 102})
        row = member(product.db, 102)
        assert (row["line_user_id"], row["line_display_name"], row["is_target"]) == (HANAKO, "はな", 1)
        assert row["updated_at"] == clock.now()
        [entry] = [entry for entry in audited(product.db) if entry["action"] == "LINK"]
        assert (entry["actor"], entry["reason"], entry["subject"]) == (
            f"admin:{ADMIN}",
            "電話で本人に確認",
            "member:102",
        )
        assert orjson.loads(entry["new"]) == {"line_user_id": HANAKO}
        [hanako] = [item for item in http.get("/api/admin/members").json()["items"] if item["id"] == 102]
        assert (hanako["line_user_id_present"], hanako["reachable"]) == (True, False), (
            "linked although she has blocked us"
        )

    def test_never_stands_over_another_link(self, product: Product, http: httpx2.Client) -> None:
        link(http, TARO, 101)
        for who, member_id in ((HANAKO, 101), (TARO, 102)):
            assert code(link(http, who, member_id)) == (409, "CONFLICT")
        assert links(product.db) == {101: TARO}
        assert len([entry for entry in audited(product.db) if entry["action"] == "LINK"]) == 1

    @sqlite_only
    def test_needs_a_friend_a_member_and_a_reason(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, (105, "田中次郎"), withdrawn_at=NOON)
        assert code(link(http, user_id(99), 101)) == (404, "NOT_FOUND")
        assert code(link(http, TARO, 999)) == (404, "NOT_FOUND")
        assert code(link(http, TARO, 105)) == (404, "NOT_FOUND"), "withdrawn"
        for reason in ("", " 　", None, "長" * 201, 5):
            assert code(link(http, TARO, 101, reason)) == (400, "INVALID_INPUT"), reason
        for who, member_id in (
            ("taro", 101),
            (user_id(0xABC).upper(), 101),
            (f"{TARO}\n", 101),
            (TARO, 0),
            (TARO, 2**63),
            (TARO, "x"),
            (TARO, True),
        ):
            assert code(link(http, who, member_id)) == (400, "INVALID_INPUT"), (who, member_id)
        assert code(http.post(LINKS, json={"user_id": TARO, "member_id": 101})) == (400, "INVALID_INPUT")
        assert links(product.db) == {}

    def test_takes_no_reason_that_the_trail_cannot_hold(self, product: Product, http: httpx2.Client) -> None:
        assert code(link(http, TARO, 101, "a\0b")) == (400, "INVALID_INPUT")
        assert links(product.db) == {}
        assert link(http, TARO, 101).status_code == 201
        assert code(unlink(http, 101, "a\0b")) == (400, "INVALID_INPUT")
        assert links(product.db) == {101: TARO}


class TestUnlinking:
    def test_takes_the_member_out_and_frees_both(self, product: Product, http: httpx2.Client) -> None:
        link(http, TARO, 101)
        assert unlink(http, 101).status_code == 204
        row = member(product.db, 101)
        assert (row["line_user_id"], row["line_display_name"], row["is_target"]) == (None, None, 0)
        entry = audited(product.db)[-1]
        assert (entry["action"], entry["reason"], entry["actor"]) == (
            "UNLINK",
            "別の方のLINEだったため",
            f"admin:{ADMIN}",
        )
        assert (orjson.loads(entry["old"]), orjson.loads(entry["new"])) == (
            {"line_user_id": TARO},
            {"line_user_id": None},
        )
        assert code(unlink(http, 101)) == (404, "NOT_FOUND"), "a second click finds nothing"
        assert link(http, TARO, 102).status_code == 201
        assert link(http, HANAKO, 101).status_code == 201

    @sqlite_only
    def test_needs_a_link_and_a_reason(self, http: httpx2.Client) -> None:
        link(http, TARO, 101)
        for member_id in (102, 999):
            assert code(unlink(http, member_id)) == (404, "NOT_FOUND")
        for reason in ("", " ", None, "長" * 201):
            assert code(unlink(http, 101, reason)) == (400, "INVALID_INPUT")
        for wrong in (0, -1, 2**64):
            assert code(unlink(http, wrong)) == (400, "INVALID_INPUT")


class TestFriendsWhoAreNoMembers:
    def test_are_listed_newest_first_in_pages_with_members_who_look_alike(
        self, product: Product, http: httpx2.Client
    ) -> None:
        enrol(product.db, (103, "山田太一"), (104, "鈴木"), (106, "Ken"))
        enrol(product.db, (105, "山田太郎左"), withdrawn_at=NOON)
        befriend(product, user_id(3), "山田 太郎", ms=3000)
        befriend(product, user_id(4), None, ms=2000)
        befriend(product, user_id(5), "\u3164", ms=1000)
        link(http, TARO, 102)
        items: list[dict[str, Any]] = []
        cursor, pages = None, 0
        while pages == 0 or cursor:
            page = http.get(UNLINKED, params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
            items, cursor, pages = items + page["items"], page["next_cursor"], pages + 1
            assert page["total"] == 4
        assert (pages, [item["user_id"] for item in items]) == (2, [user_id(3), user_id(4), user_id(5), HANAKO])
        assert items[0] == {
            "user_id": user_id(3),
            "display_name": "山田 太郎",
            "picture_url": "https://example.com/p.png",
            "following": True,
            "first_contact_at": "2025-08-16T12:00:03+09:00",
            "last_contact_at": "2025-08-16T12:00:03+09:00",
            "suggestions": [
                {"member_id": 101, "name": "山田太郎", "exact": True},
                {"member_id": 103, "name": "山田太一", "exact": False},
            ],
        }
        assert [item["suggestions"] for item in items[1:]] == [[]] * 3
        assert items[3]["following"] is False
        assert links(product.db) == {102: TARO}, "a likeness links nobody"

    @sqlite_only
    def test_come_in_pages_that_ask_for_sensible_things(self, http: httpx2.Client) -> None:
        for query in ("limit=0", "limit=201", "limit=x", "cursor=nonsense", "cursor=WzEsMl0"):
            assert code(http.get(f"{UNLINKED}?{query}")) == (400, "INVALID_INPUT"), query


class TestAnUndoneLink:
    """The office has said that these two are not the same person."""

    def test_is_not_made_again_by_name(self, product: Product, http: httpx2.Client) -> None:
        assert link(http, TARO, 101).status_code == 201
        assert unlink(http, 101).status_code == 204
        by_name = product.db.write_now(link_by_display_name, TARO, "山田太郎", nfkc=False)
        typed = product.db.write_now(link_by_full_name, TARO, "山田太郎", "たろう", nfkc=False)
        assert {by_name.type, typed.type} == {LinkResultType.UNMATCHED}
        assert by_name.reason == typed.reason == "undone_by_office"
        assert links(product.db) == {}

    def test_leaves_the_member_free_for_the_right_person(self, product: Product, http: httpx2.Client) -> None:
        link(http, TARO, 101)
        unlink(http, 101)
        right = product.db.write_now(link_by_display_name, HANAKO, "山田太郎", nfkc=False)
        assert right.type is LinkResultType.LINKED

    def test_may_be_made_again_by_the_office(self, product: Product, http: httpx2.Client) -> None:
        for _ in range(2):
            assert link(http, TARO, 101).status_code == 201
            assert unlink(http, 101).status_code == 204
        assert link(http, TARO, 101).status_code == 201
        again = product.db.write_now(link_by_display_name, TARO, "山田太郎", nfkc=False)
        assert again.type is LinkResultType.ALREADY_LINKED_SAME
