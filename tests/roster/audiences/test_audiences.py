"""Groups: made, renamed, moved, deleted, and never two of one name."""

from collections import Counter
from datetime import timedelta
from typing import Any

import httpx2
import orjson
import pytest

from tests.concurrency.threads import at_once
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only
from tests.roster.members.people import audited, code, enrol, office
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.roster.audiences import service
from tsudoi.roster.audiences.errors import AudienceNameTaken, NoSuchAudience
from tsudoi.roster.audiences.models import Audience, AudienceMember
from tsudoi.roster.audiences.schemas import AudienceChange, NewAudience

ALL = "/api/admin/audiences"


@pytest.fixture
def http(product: Product) -> httpx2.Client:
    return office(product)


def make(http: httpx2.Client, name: Any, **more: Any) -> int:
    answer = http.post(ALL, json={"name": name, **more})
    assert answer.status_code == 201, answer.text
    made: int = answer.json()["id"]
    return made


def names(http: httpx2.Client) -> list[str]:
    return [item["name"] for item in http.get(ALL).json()["items"]]


class TestList:
    def test_has_the_documented_fields(self, product: Product, http: httpx2.Client) -> None:
        assert http.get(ALL).json() == {"items": []}
        answer = http.post(ALL, json={"name": " 理事会 ", "sort_order": 1})
        assert (answer.status_code, answer.json()) == (201, {"id": 1})
        enrol(product.db, (101, "山田太郎"))
        http.put(f"{ALL}/1/members", json={"member_ids": [101]})
        assert http.get(ALL).json() == {"items": [{"id": 1, "name": "理事会", "sort_order": 1, "member_count": 1}]}
        entry = audited(product.db)[-2]
        assert (entry["action"], entry["subject"]) == ("AUDIENCE_CREATE", "audience:1")

    def test_goes_by_sort_order_then_by_name_and_those_without_one_come_last(self, http: httpx2.Client) -> None:
        """The same order on both databases, whatever language the server was set up for."""
        for name, sort_order in {
            "い": None,
            "B": None,
            "a": None,
            "う": 2,
            "z": 2,
            "あ": 10,
            "零": 0,
            "負": -1,
        }.items():
            make(http, name, sort_order=sort_order)
        assert names(http) == ["負", "零", "z", "う", "あ", "B", "a", "い"]


class TestMake:
    def test_refuses_a_name_that_is_taken(self, http: httpx2.Client) -> None:
        make(http, "理事会")
        for name in ("理事会", " 理事会　"):
            answer = http.post(ALL, json={"name": name})
            assert code(answer) == (409, "CONFLICT")
            assert answer.json()["details"] == [{"field": "name", "reason": "TAKEN"}]
        assert names(http) == ["理事会"]

    @sqlite_only
    def test_refuses_what_is_no_name_or_order(self, http: httpx2.Client) -> None:
        for name in ("", " 　", None, 5, "a\0b", "a\nb", "長" * 101):
            assert code(http.post(ALL, json={"name": name})) == (400, "INVALID_INPUT"), name
        for order in (2**31, -(2**31) - 1, "x", 1.5, 10**400, True, False, "1"):
            assert code(http.post(ALL, json={"name": "会", "sort_order": order})) == (400, "INVALID_INPUT"), order
        assert code(http.post(ALL, json={"name": "会", "id": 7})) == (400, "INVALID_INPUT")
        assert code(http.post(ALL, json={})) == (400, "INVALID_INPUT")
        assert names(http) == []
        make(http, "長" * 100, sort_order=2**31 - 1)


class TestChange:
    def test_touches_only_what_is_sent(self, product: Product, http: httpx2.Client, clock: ManualClock) -> None:
        made = make(http, "理事会", sort_order=1)
        clock.advance(timedelta(minutes=1))

        def after(**change: Any) -> tuple[str, int | None]:
            answer = http.patch(f"{ALL}/{made}", json=change)
            assert (answer.status_code, answer.json()) == (200, {"ok": True})
            [row] = product.rows(Audience)
            return row["name"], row["sort_order"]

        count = len(audited(product.db))
        assert after() == ("理事会", 1)
        assert after(name="理事会", sort_order=1) == ("理事会", 1)
        assert product.rows(Audience)[0]["updated_at"] < clock.now(), "nothing changed, nothing touched"
        assert len(audited(product.db)) == count
        assert after(name="役員会") == ("役員会", 1)
        assert product.rows(Audience)[0]["updated_at"] == clock.now()
        assert after(sort_order=2) == ("役員会", 2)
        assert after(sort_order=None) == ("役員会", None)
        entry = audited(product.db)[-1]
        assert (orjson.loads(entry["old"]), orjson.loads(entry["new"])) == ({"sort_order": 2}, {"sort_order": None})

    def test_does_not_undo_somebody_elses_new_name(self, product: Product, http: httpx2.Client) -> None:
        made = make(http, "理事会")
        http.patch(f"{ALL}/{made}", json={"name": "役員会", "seen_name": "理事会"}).raise_for_status()
        stale = http.patch(f"{ALL}/{made}", json={"name": "理事", "seen_name": "理事会"})
        assert code(stale) == (409, "CHANGED_MEANWHILE")
        assert product.rows(Audience)[0]["name"] == "役員会"
        http.patch(f"{ALL}/{made}", json={"name": "役員会", "seen_name": "理事会"}).raise_for_status()
        http.patch(f"{ALL}/{made}", json={"name": "理事", "seen_name": "役員会"}).raise_for_status()
        assert product.rows(Audience)[0]["name"] == "理事"

    def test_refuses_a_name_that_is_taken_or_none(self, http: httpx2.Client) -> None:
        made = make(http, "理事会")
        make(http, "委員会")
        assert code(http.patch(f"{ALL}/{made}", json={"name": "委員会", "sort_order": 5})) == (409, "CONFLICT")
        for change in ({"name": None}, {"name": ""}, {"name": "a\0"}, {"sort_order": "x"}, {"id": 5}):
            assert code(http.patch(f"{ALL}/{made}", json=change)) == (400, "INVALID_INPUT"), change
        assert http.get(ALL).json()["items"][1] == {"id": made, "name": "理事会", "sort_order": None, "member_count": 0}
        assert code(http.patch(f"{ALL}/999", json={"name": "x"})) == (404, "NOT_FOUND")

    @sqlite_only
    def test_asks_for_an_id_that_can_be_one(self, http: httpx2.Client) -> None:
        for wrong in (0, -1, 2**63, "x"):
            assert code(http.patch(f"{ALL}/{wrong}", json={"name": "x"})) == (400, "INVALID_INPUT"), wrong


class TestDelete:
    def test_takes_the_membership_along_and_leaves_the_members(self, product: Product, http: httpx2.Client) -> None:
        enrol(product.db, (101, "山田太郎"), (102, "佐藤花子"))
        gone, stays = make(http, "理事会"), make(http, "委員会")
        for made in (gone, stays):
            http.put(f"{ALL}/{made}/members", json={"member_ids": [102, 101]})
        assert http.delete(f"{ALL}/{gone}").status_code == 204
        assert names(http) == ["委員会"]
        assert {row["audience_id"] for row in product.rows(AudienceMember)} == {stays}
        assert len(http.get("/api/admin/members").json()["items"]) == 2
        assert orjson.loads(audited(product.db)[-1]["old"])["member_ids"] == [101, 102]
        assert code(http.delete(f"{ALL}/{gone}")) == (404, "NOT_FOUND")
        assert make(http, "理事会") > stays, "an id is not given twice"


class TestEverybodyAtOnce:
    def test_makes_one_group_of_one_name(self, db: Database) -> None:
        def create(_number: int) -> str:
            try:
                db.write_now(service.create_audience, NewAudience(name="理事会", sort_order=None), "admin:a")
            except AudienceNameTaken:
                return "taken"
            return "made"

        assert Counter(at_once(20, create)) == {"made": 1, "taken": 19}

    def test_gives_one_name_to_one_group_and_deletes_once(self, db: Database) -> None:
        ids = [
            db.write_now(service.create_audience, NewAudience(name=f"会{n}", sort_order=None), "admin:a")
            for n in range(20)
        ]

        def rename(number: int) -> str:
            try:
                change = AudienceChange.model_validate({"name": "理事会"})
                db.write_now(service.change_audience, ids[number], change, "admin:a")
            except AudienceNameTaken:
                return "taken"
            return "renamed"

        assert Counter(at_once(20, rename)) == {"renamed": 1, "taken": 19}

        def remove(_number: int) -> str:
            try:
                db.write_now(service.delete_audience, ids[0], "admin:a")
            except NoSuchAudience:
                return "gone"
            return "deleted"

        assert Counter(at_once(10, remove)) == {"deleted": 1, "gone": 9}


@sqlite_only
def test_a_page_of_another_site_changes_nothing(product: Product) -> None:
    product.make_admin()
    csrf = product.log_in().json()["csrf_token"]
    attempts: list[tuple[str, str, Any]] = [
        ("POST", ALL, {"name": "理事会"}),
        ("PATCH", f"{ALL}/1", {"name": "x"}),
        ("DELETE", f"{ALL}/1", None),
        ("PUT", f"{ALL}/1/members", {"member_ids": []}),
        ("POST", "/api/admin/links", {"user_id": "U" + "0" * 32, "member_id": 1, "reason": "x"}),
        ("POST", "/api/admin/links/1/removal", {"reason": "x"}),
    ]
    for method, path, body in attempts:
        for headers in ({}, {"x-csrf-token": "0" * 64}, {"x-csrf-token": csrf, "origin": "https://evil.example"}):
            assert code(product.http.request(method, path, json=body, headers=headers)) == (403, "FORBIDDEN")
    assert product.http.post(ALL, json={"name": "理事会"}, headers={"x-csrf-token": csrf}).status_code == 201
