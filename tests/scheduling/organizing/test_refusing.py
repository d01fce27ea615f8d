"""What `POST /api/threads` refuses, and in which order it looks."""

from datetime import timedelta
from typing import Any

import pytest

from tests.factories.product import ADMIN, JSON
from tests.product_fixtures import sqlite_only
from tests.scheduling.organizing.desk import MEI, RAJ, URL, Desk
from tsudoi.access.admins import service as admins
from tsudoi.scheduling.thread.models import SchedulingThread

KEYS = {"error", "code", "message", "details"}
TITLE = "Missing or invalid field: title"


def reasons(answer: Any) -> list[tuple[str, str]]:
    return [(detail["field"], detail["reason"]) for detail in answer.json()["details"]]


@sqlite_only
class TestWhoMayCreate:
    @pytest.mark.row("1.1.10", "1.1.11", "1.1.17", "1.1.19", "1.6.7")
    def test_strangers_hear_401_whatever_they_send(self, desk: Desk) -> None:
        http = desk.product.http
        cases: dict[str, dict[str, Any]] = {
            "a good body": {"json": {"title": "a"}},
            "a bad body": {"json": {}},
            "no JSON": {"content": b"{", "headers": JSON},
            "another type": {"content": b"title=a", "headers": {"content-type": "text/plain"}},
            "only a header": {"json": {"title": "a"}, "headers": {"x-user-id": "user123"}},
            "a wrong token": {"json": {"title": "a"}, "headers": {"authorization": "Bearer x"}},
        }
        for case, request in cases.items():
            answer = http.post(URL, **request)
            assert (answer.status_code, answer.json()["error"]) == (401, "Unauthorized"), case
            assert set(answer.json()) == KEYS
        assert http.get(f"{URL}/x/status").status_code == 401
        assert not any(desk.traces().values())

    @pytest.mark.found("24.C12")
    @pytest.mark.row("1.1.12", "1.1.14")
    def test_a_user_id_in_the_header_must_be_the_own(self, desk: Desk) -> None:
        refused = desk.post(body={"title": "a"}, x_user_id="somebody")
        assert (refused.status_code, refused.json()["error"]) == (403, "IDENTITY_MISMATCH")
        assert ("x-user-id" in refused.json()["message"], "LINE" in refused.json()["message"]) == (True, False)
        assert desk.post(body={"title": "a"}, x_user_id=desk.user_id).status_code == 201
        other = desk.post(body={"title": "a", "organizer_user_id": "x"})
        assert reasons(other) == [("organizer_user_id", "UNKNOWN_FIELD")]
        assert [row["organizer_user_id"] for row in desk.rows(SchedulingThread)] == [desk.user_id]

    @pytest.mark.row("1.1.13")
    def test_a_cookie_needs_the_csrf_token(self, desk: Desk) -> None:
        with desk.product.client() as http:
            token = desk.product.log_in(http).json()["csrf_token"]
            assert http.post(URL, json={"title": "a"}).status_code == 403
            assert http.post(URL, json={"title": "a"}, headers={"x-csrf-token": token}).status_code == 201


@sqlite_only
class TestBodies:
    @pytest.mark.row("1.1.15", "1.1.16", "1.1.18")
    def test_a_title_is_needed(self, desk: Desk) -> None:
        titles: list[Any] = [1, "", "　 ", None, []]
        for body in ({}, *({"title": title} for title in titles)):
            answer = desk.product.http.post(URL, json=body, headers=desk.bearer)
            assert (answer.status_code, answer.json()["error"], set(answer.json())) == (400, TITLE, KEYS), body
            assert [field for field, _ in reasons(answer)] == ["title"]

    @pytest.mark.row("1.1.20", "1.1.21", "1.1.22")
    def test_types_sizes_and_unknown_fields(self, desk: Desk) -> None:
        http, bearer = desk.product.http, desk.bearer
        assert http.post(URL, content=b"title=a", headers=bearer | {"content-type": "text/plain"}).status_code == 415
        broken = http.post(URL, content=b"{", headers=bearer | JSON)
        assert (broken.status_code, reasons(broken)) == (400, [("body", "INVALID_JSON")])
        for path in (URL, f"{URL}/5b7fd5d4-3f0f-4be8-8a36-6a8d4bb7ab15/invitees"):
            large = http.post(path, content=b" " * 1_100_000, headers=bearer | JSON)
            assert (large.status_code, large.json()["error"], set(large.json())) == (413, "TOO_LARGE", KEYS), path
            # Less than that is read, although other routes would refuse it.
            assert http.post(path, content=b" " * 900_000, headers=bearer | JSON).status_code in (400, 404), path
        assert reasons(desk.post(body={"title": "a", "x": 1})) == [("x", "UNKNOWN_FIELD")]
        assert reasons(desk.post(body={"title": "あ" * 201})) == [("title", "TOO_LONG")]
        assert reasons(desk.post(body={"title": "a", "description": "あ" * 5001})) == [("description", "TOO_LONG")]
        assert reasons(desk.post(body={"title": "a\0"})) == [("title", "CONTROL_CHARACTER")]
        lone = http.post(URL, content=b'{"title":"a\\ud800"}', headers=bearer | JSON)
        assert (lone.status_code, lone.json()["error"]) in ((400, TITLE), (400, "INVALID_INPUT"))
        assert not any(desk.traces().values())

    @pytest.mark.row("1.2.25")
    def test_a_title_cannot_add_headers_to_a_mail(self, desk: Desk) -> None:
        answer = desk.post(body={"title": "a\r\nBcc: x@example.jp"})
        assert (answer.status_code, answer.json()["error"]) == (400, TITLE)

    @pytest.mark.row("1.I.1", "1.1.28")
    def test_slots_are_checked_field_by_field(self, desk: Desk) -> None:
        good = desk.slot(1)
        cases: list[tuple[list[dict[str, Any]], list[tuple[str, str]]]] = [
            ([{**good, "start_at": "2025-08-20T14:00:00"}], [("slots.0.start_at", "INVALID_FORMAT")]),
            ([good, {**desk.slot(2), "end_at": desk.slot(1.9)["start_at"]}], [("slots.1.end_at", "BEFORE_START")]),
            ([desk.slot(1, hours=25)], [("slots.0.end_at", "TOO_LONG")]),
            ([desk.slot(-1)], [("slots.0.start_at", "IN_PAST")]),
            ([desk.slot(9999)], [("slots.0.start_at", "TOO_FAR")]),
            ([{**good, "timezone": "Asia/Tokio"}], [("slots.0.timezone", "UNKNOWN_TIMEZONE")]),
            ([good, {**good, "start_at": "2025-08-17T03:00:00Z"}], [("slots.1.start_at", "DUPLICATE")]),
            ([desk.slot(number) for number in range(1, 52)], [("slots", "TOO_LONG")]),
            ([], [("slots", "TOO_SHORT")]),
            ([{**good, "start_at": "9999-12-31T23:59:59-12:00"}], [("slots.0.start_at", "INVALID_FORMAT")]),
        ]
        for slots, expected in cases[:9]:
            answer = desk.product.http.post(URL, json={"title": "a", "slots": slots}, headers=desk.bearer)
            assert (answer.status_code, reasons(answer)) == (400, expected)
        desk.clock.advance(timedelta(minutes=2))
        far = desk.post(body={"title": "a", "slots": cases[9][0]})
        assert (far.status_code, reasons(far)[0]) == (400, cases[9][1][0])
        assert not any(desk.traces().values())

    @pytest.mark.row("1.I.2", "1.1.28")
    def test_addresses_are_checked_one_by_one(self, desk: Desk) -> None:
        wrong = [{"name": "A", "email": "a"}, RAJ, {"name": "B", "email": "b@-x.jp"}, {"name": " ", "email": "c@x.jp"}]
        assert reasons(desk.post(body={"title": "a", "invitees": wrong})) == [("invitees.3.name", "REQUIRED")]
        answer = desk.post(body={"title": "a", "invitees": wrong[:3]})
        assert [field for field, _ in reasons(answer)] == ["invitees.0.email", "invitees.2.email"]
        many = [{"name": "x", "email": f"p{number}@example.jp"} for number in range(501)]
        assert reasons(desk.post(body={"title": "a", "invitees": many})) == [("invitees", "TOO_LONG")]
        assert reasons(desk.post(body={"title": "a", "decide_at_deadline": True})) == [
            ("decide_at_deadline", "DEADLINE_REQUIRED")
        ]
        assert not any(desk.traces().values())


class TestRateLimit:
    @pytest.mark.row("1.1.23", "1.1.24", "1.1.26")
    def test_the_eleventh_request_within_a_minute_is_refused(self, desk: Desk) -> None:
        body = {"title": "a"}
        with desk.product.client() as cookie:
            csrf = {"x-csrf-token": desk.product.log_in(cookie).json()["csrf_token"]}
            assert [cookie.post(URL, json=body, headers=csrf).status_code for _ in range(5)] == [201] * 5
        assert [desk.post(body=body).status_code for _ in range(5)] == [201] * 5
        before = desk.traces()
        refused = desk.post(body={"title": "a"})
        assert (refused.status_code, refused.json()["error"]) == (429, "RATE_LIMITED")
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert desk.traces() == before
        desk.product.make_admin("another")
        token = desk.product.db.write_now(admins.create_token, "another")
        other = desk.product.http.post(URL, json={"title": "a"}, headers={"authorization": f"Bearer {token}"})
        assert other.status_code == 201
        desk.clock.advance(timedelta(seconds=61))
        assert desk.post(body={"title": "a"}).status_code == 201

    @sqlite_only
    @pytest.mark.row("1.1.25")
    def test_refused_bodies_count_and_strangers_do_not(self, desk: Desk) -> None:
        for _ in range(3):
            assert desk.product.http.post(URL, json={"title": "a"}).status_code == 401
        for content in (b"{}", b"{", b'{"title":1}') * 3 + (b"[]",):
            assert desk.product.http.post(URL, content=content, headers=desk.bearer | JSON).status_code == 400
        assert desk.post(body={"title": "a", "invitees": [MEI]}).status_code == 429
        assert ADMIN not in desk.product.http.post(URL, json={}).text
