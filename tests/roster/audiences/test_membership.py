"""Who belongs to a group: replaced as a whole, or not at all."""

import random
from typing import Any

import httpx2
import orjson
import pytest

from tests.concurrency.threads import at_once
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tests.roster.members.people import audited, code, enrol, office
from tsudoi.core.db.interface import Database
from tsudoi.roster.audiences import queries, service
from tsudoi.roster.audiences.models import AudienceMember
from tsudoi.roster.audiences.schemas import NewAudience
from tsudoi.roster.members.models import Member

BOARD = "/api/admin/audiences/1/members"


@pytest.fixture
def http(product: Product) -> httpx2.Client:
    enrol(product.db, (101, "山田太郎"), display_order=10, is_target=1, line_user_id="U1")
    enrol(product.db, (102, "佐藤花子"), display_order=5)
    enrol(product.db, (104, "順なしB"), (103, "順なしA"))
    client = office(product)
    client.post("/api/admin/audiences", json={"name": "理事会"}).raise_for_status()
    return client


def put(http: httpx2.Client, ids: Any) -> httpx2.Response:
    return http.put(BOARD, json={"member_ids": ids})


def ids_of(product: Product) -> list[int]:
    return [row["member_id"] for row in product.rows(AudienceMember)]


class TestMembers:
    def test_are_listed_in_roster_order_with_the_documented_fields(self, http: httpx2.Client) -> None:
        nobody = http.get(BOARD).json()
        assert nobody == {"items": [], "version": nobody["version"]}
        put(http, [101, 102, 103, 104])
        items = http.get(BOARD).json()["items"]
        assert [item["member_id"] for item in items] == [102, 101, 103, 104]
        taro = {"member_id": 101, "name": "山田太郎", "display_order": 10, "line_user_id_present": True, "is_target": 1}
        assert items[1] == taro
        assert items[2]["display_order"] is None

    def test_of_a_group_that_is_not_there_are_not_found(self, http: httpx2.Client) -> None:
        other = "/api/admin/audiences/999/members"
        assert code(http.get(other)) == (404, "NOT_FOUND")
        assert code(http.put(other, json={"member_ids": [101]})) == (404, "NOT_FOUND")


class TestReplacing:
    def test_does_not_undo_what_somebody_else_did_meanwhile(self, product: Product, http: httpx2.Client) -> None:
        put(http, [101, 102])
        seen = http.get(BOARD).json()["version"]
        put(http, [103, 101])
        stale = http.put(BOARD, json={"member_ids": [101, 102, 104], "version": seen})
        assert code(stale) == (409, "CHANGED_MEANWHILE")
        assert ids_of(product) == [101, 103]
        # Who wants what there is has nothing to complain about.
        assert http.put(BOARD, json={"member_ids": [103, 101], "version": seen}).json() == {"count": 2}
        put(http, [102, 101])
        assert http.get(BOARD).json()["version"] == seen, "the same people are the same version"
        assert http.put(BOARD, json={"member_ids": [104], "version": seen}).json() == {"count": 1}

    def test_counts_each_once_and_twice_is_the_same_as_once(self, product: Product, http: httpx2.Client) -> None:
        for _ in range(2):
            answer = put(http, [103, 101, 103, 101])
            assert (answer.status_code, answer.json()) == (200, {"count": 2})
        assert ids_of(product) == [101, 103]
        assert len([entry for entry in audited(product.db) if entry["action"] == "AUDIENCE_MEMBERS"]) == 1
        assert put(http, [102, 103]).json() == {"count": 2}
        entry = audited(product.db)[-1]
        assert (orjson.loads(entry["old"]), orjson.loads(entry["new"])) == ({"removed": [101]}, {"added": [102]})
        assert put(http, []).json() == {"count": 0}
        assert ids_of(product) == []

    def test_with_somebody_unknown_changes_nothing_and_says_whom(self, product: Product, http: httpx2.Client) -> None:
        put(http, [101])
        answer = put(http, [102, 999, 998, 2**53])
        assert code(answer) == (400, "INVALID_INPUT")
        fields = [f"member_ids.{unknown}" for unknown in (999, 998, 2**53)]
        assert answer.json()["details"] == [{"field": field, "reason": "UNKNOWN_MEMBER"} for field in fields]
        assert "999、998" in answer.json()["message"]
        assert ids_of(product) == [101]

    @sqlite_only
    def test_asks_for_a_list_of_ids(self, product: Product, http: httpx2.Client) -> None:
        for wrong in (None, 101, "101", [0], [-1], [2**63], ["x"], [1.5], [True], [None], [[101]]):
            assert code(put(http, wrong)) == (400, "INVALID_INPUT"), wrong
        assert code(http.put(BOARD, json={})) == (400, "INVALID_INPUT")
        assert code(http.put(BOARD, json={"member_ids": [101], "mode": "add"})) == (400, "INVALID_INPUT")
        assert ids_of(product) == []

    def test_takes_a_thousand(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, *[(n, f"会員{n}") for n in range(1001, 2001)])
        assert put(http, list(range(1001, 2001))).json() == {"count": 1000}
        assert put(http, list(range(1501, 2001))).json() == {"count": 500}
        assert len(http.get(BOARD).json()["items"]) == 500

    @sqlite_only
    def test_takes_a_hundred_thousand(self, product: Product, http: httpx2.Client) -> None:
        ids = list(range(100_001, 200_001))
        row = {
            "name": "会員",
            "name_key": "会員",
            "created_at": product.db.clock.now(),
            "updated_at": product.db.clock.now(),
        }
        product.db.write_now(lambda tx: tx.execute(Member.__table__.insert(), [{"id": one, **row} for one in ids]))  # type: ignore[attr-defined]
        assert put(http, ids).json() == {"count": 100_000}
        assert http.get("/api/admin/audiences").json()["items"][0]["member_count"] == 100_000
        assert code(put(http, [*ids, 101])) == (400, "INVALID_INPUT"), "one more than a request may name"


def test_two_offices_at_once_leave_one_of_their_lists(db: Database) -> None:
    enrol(db, *[(n, f"会員{n}") for n in range(1, 31)])
    made = db.write_now(service.create_audience, NewAudience(name="理事会", sort_order=None), "admin:a")
    wishes = [sorted(random.Random(n).sample(range(1, 31), 10)) for n in range(12)]
    at_once(12, lambda n: db.write_now(service.replace_members, made, wishes[n], "admin:a"))
    assert sorted(db.read_now(queries.member_ids, made)) in wishes
