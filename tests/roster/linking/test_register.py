"""A person types a name: linked when it is safe, and otherwise one and the same answer that gives nothing away."""

from datetime import timedelta
from typing import Any

import httpx2
import orjson
import pytest

from tests.conftest import NOON
from tests.factories.product import Box, Product
from tests.factories.webhooks import event, user_id
from tests.product_fixtures import sqlite_only
from tests.roster.members.people import code, enrol, links, member, office
from tsudoi.core.clock import ManualClock
from tsudoi.core.errors import DatabaseUnavailable
from tsudoi.roster.linking import service
from tsudoi.roster.linking.models import WaitingRegistration

TS = "2025-08-16T12:00:00+09:00"


def enter(product: Product, box: Box, name: str = "たろう") -> str:
    """The product's own client becomes this person's phone."""
    who = box.friend(name)
    product.http.post("/api/liff/session", json={"id_token": box.id_token(who)}).raise_for_status()
    return who


def register(product: Product, full_name: Any, **headers: str) -> httpx2.Response:
    return product.http.post("/api/liff/register", json={"full_name": full_name}, headers=headers)


def lines(product: Product) -> list[dict[str, Any]]:
    path = product.settings.log_dir / "line" / "REGISTER-2025-08-16.ndjson"
    return [orjson.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


class TestTheRightName:
    @pytest.mark.quick("happy_path")
    def test_links_and_says_ok_as_often_as_it_is_said(self, product: Product, box: Box) -> None:
        enrol(product.db, (101, "山田太郎"))
        who = enter(product, box, "たろう")
        for _ in range(2):
            answer = register(product, "山田　太郎", **{"x-line-user-id": who})
            assert (answer.status_code, answer.json()) == (200, {"ok": True})
        row = member(product.db, 101)
        assert (row["line_user_id"], row["line_display_name"], row["is_target"]) == (who, "たろう", 1)
        first, second = lines(product)
        common = {"ts": TS, "kind": "register", "userId": who, "inputName": "山田　太郎", "normalized": "山田太郎"}
        assert first == {**common, "result": "LINKED", "member_id": 101}
        assert second == {**common, "result": "ALREADY_LINKED_SAME", "member_id": 101}

    @sqlite_only
    def test_may_have_fifty_characters_and_not_fifty_one(self, product: Product, box: Box) -> None:
        enrol(product.db, (101, "寿" * 50))
        enter(product, box)
        assert code(register(product, "寿" * 51)) == (400, "INVALID_INPUT")
        assert code(register(product, "")) == (400, "INVALID_INPUT")
        for wrong in (None, 1, ["山田"], {"a": 1}):
            assert code(register(product, wrong)) == (400, "INVALID_INPUT")
        sneaky = product.http.post("/api/liff/register", json={"full_name": "寿", "member_id": 101})
        assert code(sneaky) == (400, "INVALID_INPUT")
        assert register(product, "寿" * 50).status_code == 200
        assert [line["result"] for line in lines(product)] == ["LINKED"], "wrong input is no attempt"


class TestAnyOtherName:
    @pytest.mark.quick("refusal")
    def test_hears_one_answer_whatever_the_reason(self, product: Product, box: Box) -> None:
        enrol(product.db, (101, "山田太郎"), line_user_id=user_id(9))
        enrol(product.db, (103, "鈴木一郎"), (104, "鈴木一郎"))
        enrol(product.db, (105, "田中次郎"), withdrawn_at=NOON)
        who = enter(product, box)
        answers = [register(product, name) for name in ("知らない人", "鈴木一郎", "山田太郎", "田中次郎", "　")]
        assert {(answer.status_code, answer.content) for answer in answers} == {(404, answers[0].content)}
        assert answers[0].json()["code"] == "NO_MATCH"
        assert answers[0].json()["details"] == []
        told = [
            {name: answer.headers[name] for name in answer.headers if name not in ("x-request-id", "date")}
            for answer in answers
        ]
        assert told == [told[0]] * 5
        results = [line["result"] for line in lines(product)]
        assert results == ["UNMATCHED", "AMBIGUOUS", "ALREADY_LINKED_OTHER", "UNMATCHED", "UNMATCHED"]
        assert {line["userId"] for line in lines(product)} == {who}
        assert links(product.db) == {101: user_id(9)}

    def test_of_a_hostile_kind_does_no_harm(self, product: Product, box: Box) -> None:
        enrol(product.db, (101, "山田太郎"))
        enter(product, box)
        for name in (
            "\0",
            "a\0b",
            "'; DROP TABLE members;--",
            "\u202e郎太",
            "%",
            "\U0010ffff",
            "=cmd|' /C calc'!A0",
            "\x85\u2028",
        ):
            assert code(register(product, name)) == (404, "NO_MATCH"), name
        raw = product.http.post(
            "/api/liff/register", content=b'{"full_name":"\\ud800"}', headers={"content-type": "application/json"}
        )
        assert raw.status_code in (400, 404)
        assert links(product.db) == {}
        assert len(lines(product)) == 8

    def test_with_something_unseen_in_it_is_still_the_name(self, product: Product, box: Box) -> None:
        enrol(product.db, (101, "山田太郎"))
        who = enter(product, box, "a\u200bb")
        assert register(product, "山田\0\u200b太郎").status_code == 200
        assert links(product.db) == {101: who}


class TestGuessing:
    def test_is_stopped_per_person_and_for_a_while(self, product: Product, box: Box, clock: ManualClock) -> None:
        enrol(product.db, (101, "山田太郎"))
        enter(product, box)
        assert [register(product, f"推測{n}").status_code for n in range(10)] == [404] * 10
        refused = register(product, "山田太郎")
        assert code(refused) == (429, "RATE_LIMITED")
        assert refused.headers["retry-after"] == "600"
        assert (links(product.db), len(lines(product))) == ({}, 10)
        enter(product, box, "別の人")
        assert register(product, "だれか").status_code == 404, "another person has a count of their own"
        clock.advance(timedelta(minutes=10))
        assert register(product, "山田太郎").status_code == 200


class TestWhoever:
    @sqlite_only
    def test_is_not_logged_in_is_nobody(self, product: Product, box: Box) -> None:
        enrol(product.db, (101, "山田太郎"))
        assert code(register(product, "山田太郎", **{"x-line-user-id": user_id(1)})) == (401, "UNAUTHENTICATED")
        enter(product, box)
        assert code(register(product, "山田太郎", **{"x-line-user-id": user_id(1)})) == (403, "IDENTITY_MISMATCH")
        assert code(register(product, "山田太郎", origin="https://evil.example")) == (403, "FORBIDDEN")
        assert (links(product.db), lines(product)) == ({}, [])

    @sqlite_only
    def test_comes_while_the_database_is_away_is_not_told_that_the_name_is_wrong(
        self, product: Product, box: Box, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def away(*_args: Any, **_options: Any) -> None:
            raise DatabaseUnavailable

        enter(product, box)
        monkeypatch.setattr(service, "link_by_full_name", away)
        assert code(register(product, "山田太郎")) == (503, "UNAVAILABLE")


@pytest.mark.found("24.C2")
class TestANameThatWasNotFound:
    @pytest.mark.row("5.A.21", "5.A.22", "5.A.23")
    def test_can_be_handed_to_the_office_which_sees_the_old_and_new_forms(self, product: Product, box: Box) -> None:
        enrol(product.db, (101, "渡辺健"), (102, "佐藤花子"))
        enrol(product.db, (103, "渡邉健"), line_user_id=user_id(9))
        who = enter(product, box, "けん")
        assert register(product, "渡邊 健").status_code == 404
        told = [hand_over(product, name) for name in ("渡邊 健", "渡辺健", "だれでもない", "渡邊 健")]
        assert {(answer.status_code, answer.content) for answer in told} == {(202, b'{"waiting":true}')}
        assert product.http.get("/api/liff/registration").json()["state"] == "waiting"
        http = office(product)
        [waiting] = http.get("/api/admin/links/waiting").json()["items"]
        assert (waiting["user_id"], waiting["full_name"]) == (who, "渡邊 健")
        found = [(one["member_id"], one["exact"], one.get("linked", False)) for one in waiting["suggestions"]]
        assert found == [(101, False, False), (103, False, True)]
        assert links(product.db) == {103: user_id(9)}, "a look-alike is never linked by itself"
        http.post(
            "/api/admin/links", json={"user_id": who, "member_id": 101, "reason": "電話で確認"}
        ).raise_for_status()
        assert product.http.get("/api/liff/registration").json()["state"] == "linked"
        assert hand_over(product, "渡邊 健").json() == {"waiting": False}

    @pytest.mark.row("5.A.20")
    def test_is_kept_for_the_office_until_it_is_linked(self, product: Product, box: Box, clock: ManualClock) -> None:
        enrol(product.db, (101, "渡辺健"), (102, "健太郎"))
        product.post_webhook(event(who=enter(product, box, "けん")))
        for name in ("渡辺研", "渡邊健", "　"):
            assert register(product, name).status_code == 404
        product.drain()  # Only a friend of the account is in the list.
        http = office(product)
        [friend] = http.get("/api/admin/links/unlinked-friends").json()["items"]
        assert (friend["typed_name"], friend["typed_at"]) == ("渡邊健", TS)
        assert friend["suggestions"][0] == {"member_id": 101, "name": "渡辺健", "exact": False}
        assert http.get("/api/admin/links/waiting").json()["items"] == [], "nobody asked the office"
        assert product.http.get("/api/liff/registration").json()["state"] == "none"
        clock.advance(timedelta(days=91))
        assert product.db.write_now(service.forget_settled) == 1

    def test_a_wait_goes_on_while_other_names_are_tried(self, product: Product, box: Box) -> None:
        enrol(product.db, (101, "渡辺健"))
        enter(product, box, "けん")
        hand_over(product, "渡邊健")
        assert register(product, "渡鍋健").status_code == 404
        assert product.http.get("/api/liff/registration").json()["state"] == "waiting"
        assert register(product, "渡辺健").status_code == 200
        assert product.rows(WaitingRegistration) == [], "whoever is linked waits no longer"

    @pytest.mark.row("5.A.21")
    def test_is_asked_about_as_often_as_a_name_may_be_typed(self, product: Product, box: Box) -> None:
        enter(product, box, "けん")
        answers = [register(product, "だれか").status_code for _ in range(9)]
        assert (set(answers), hand_over(product, "だれか").status_code) == ({404}, 202)
        assert hand_over(product, "だれか").status_code == 429
        for wrong in ("", "名" * 51, None):
            assert code(hand_over(product, wrong)) in ((400, "INVALID_INPUT"), (429, "RATE_LIMITED"))


def hand_over(product: Product, full_name: Any) -> httpx2.Response:
    return product.http.post("/api/liff/register/handover", json={"full_name": full_name})
