"""The way out: what a silence means, when a call is tried again, where it may lead, and what is logged."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import structlog
from sqlalchemy import select
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.product_fixtures import sqlite_only
from tests.servers import hanging_up_peer, nobody_there, serving, silent_peer
from tsudoi.core.db.interface import Database
from tsudoi.core.installation import become_copy, confirm_copy, identity
from tsudoi.gateway.clients.mail import MailClient, MailConfig, OutgoingMail
from tsudoi.gateway.clients.mail_outcomes import MailUnknown
from tsudoi.gateway.http import CallPolicy, HttpGateway, HttpRequest, HttpResponse, NoResponse, Pool
from tsudoi.gateway.models import ApiCallLog

DEEP = b"[" * 900 + b'{"text":"x"}' + b"]" * 900
ONCE = CallPolicy(Pool("test", 5), timeout=timedelta(seconds=2), deadline=timedelta(seconds=5))
PEOPLE = (
    "山田 太郎",
    "taro.yamada@example.jp",
    "090-1234-5678",
    "+819012345678",
    "U" + "ab" * 16,
)
SECRETS = ("SECRET-TOKEN-4711", "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJVIn0.c2ln")


@pytest.fixture
def rows(db: Database) -> Callable[[], list[dict[str, Any]]]:
    statement = select(ApiCallLog).order_by(ApiCallLog.id)
    return lambda: [dict(row) for row in db.read_now(lambda tx: tx.execute(statement).mappings().all())]


class Peer:
    """Answers with the given responses in turn, the last one for ever, and keeps what it was asked."""

    def __init__(self, *answers: Response) -> None:
        self._answers = list(answers)
        self._lock = threading.Lock()
        self.asked: list[tuple[str, bytes, dict[str, str]]] = []

    async def __call__(self, request: Request) -> Response:
        body = await request.body()
        with self._lock:
            self.asked.append((str(request.url), body, dict(request.headers)))
            return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


@contextmanager
def peer(*answers: Response) -> Iterator[tuple[str, Peer]]:
    made = Peer(*answers)
    routes = [Route("/{path:path}", made.__call__, methods=["GET", "POST"])]
    with serving(Starlette(routes=routes)) as url:
        yield url, made


def call(url: str, **more: Any) -> HttpRequest:
    return HttpRequest("test", "operation", "POST", url, **{"content": b"{}", "policy": ONCE, **more})


@sqlite_only
class TestSilence:
    def test_a_refused_connection_never_reached_the_other_side(self, gateway: HttpGateway, rows: Any) -> None:
        with pytest.raises(NoResponse) as silence:
            gateway.send(call(nobody_there()))
        assert silence.value.kind == "not_sent"
        [row] = rows()
        assert (row["status_code"], row["error"]) == (None, "not_sent: ConnectError")

    @pytest.mark.parametrize("other", [silent_peer, hanging_up_peer])
    def test_what_was_taken_and_not_answered_may_have_been_done(
        self, gateway: HttpGateway, rows: Any, other: Any
    ) -> None:
        with other() as url, pytest.raises(NoResponse) as silence:
            gateway.send(call(url))
        assert silence.value.kind == "unknown"
        [row] = rows()
        assert row["error"].startswith("unknown: ")

    def test_an_address_of_no_known_kind_was_not_sent(self, gateway: HttpGateway) -> None:
        with pytest.raises(NoResponse) as silence:
            gateway.send(call("gopher://127.0.0.1/"))
        assert silence.value.kind == "not_sent"


@sqlite_only
class TestRetries:
    def test_none_unless_asked_for(self, gateway: HttpGateway, rows: Any) -> None:
        with peer(Response(status_code=503)) as (url, asked):
            assert gateway.send(call(url)).status == 503
        assert len(asked.asked) == len(rows()) == 1

    def test_as_many_as_asked_for_each_with_its_row(self, gateway: HttpGateway, rows: Any) -> None:
        with peer(Response(status_code=500), Response(status_code=429), Response(b"ok")) as (url, asked):
            answer = gateway.send(call(url, policy=replace(ONCE, attempts=3)))
        assert (answer.status, answer.body) == (200, b"ok")
        assert len(asked.asked) == 3
        assert [(row["attempt"], row["status_code"]) for row in rows()] == [(1, 500), (2, 429), (3, 200)]

    def test_the_last_answer_is_given_when_all_fail(self, gateway: HttpGateway) -> None:
        with peer(Response(status_code=500), Response(b"last", 502)) as (url, asked):
            answer = gateway.send(call(url, policy=replace(ONCE, attempts=2)))
        assert (answer.status, answer.body, len(asked.asked)) == (502, b"last", 2)

    @pytest.mark.parametrize("status", [400, 401, 404, 409, 501])
    def test_a_refusal_is_an_answer(self, gateway: HttpGateway, status: int) -> None:
        with peer(Response(status_code=status)) as (url, asked):
            assert gateway.send(call(url, policy=replace(ONCE, attempts=3))).status == status
        assert len(asked.asked) == 1

    def test_silence_is_retried_and_then_told(self, gateway: HttpGateway, rows: Any) -> None:
        with pytest.raises(NoResponse):
            gateway.send(call(nobody_there(), policy=replace(ONCE, attempts=3)))
        assert [row["attempt"] for row in rows()] == [1, 2, 3]


@sqlite_only
class TestWhereItLeads:
    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_redirects_are_not_followed(self, gateway: HttpGateway, status: int) -> None:
        with peer(Response(b"secret")) as (elsewhere, trap):
            lured = Response(status_code=status, headers={"location": f"{elsewhere}/secret"})
            with peer(lured) as (url, _):
                assert gateway.send(call(url)).status == status
        assert trap.asked == []

    def test_proxies_of_the_environment_are_not_used(self, db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HTTP_PROXY", nobody_there())
        monkeypatch.setenv("ALL_PROXY", nobody_there())
        with peer(Response(b"ok")) as (url, _):
            another = HttpGateway(db)
            assert another.send(call(url)).body == b"ok"
            another.close()

    def test_cookies_of_one_call_do_not_travel_with_the_next(self, gateway: HttpGateway) -> None:
        with peer(Response(headers={"set-cookie": "who=A"}), Response()) as (url, asked):
            gateway.send(call(url))
            gateway.send(call(url))
        assert "cookie" not in asked.asked[1][2]


class TestCallLog:
    def test_each_try_has_its_row(self, gateway: HttpGateway, rows: Any) -> None:
        headers = {"x-line-request-id": "req-1"}
        bound = structlog.contextvars.bound_contextvars(request_id="request-0001")
        with peer(JSONResponse({"fine": 1}, headers=headers)) as (url, _), bound:
            gateway.send(call(f"{url}/path", content=b'{"type":"text"}'))
        [row] = rows()
        assert (row["target"], row["operation"], row["method"]) == ("test", "operation", "POST")
        assert (row["url"], row["status_code"], row["error"]) == (f"{url}/path", 200, None)
        assert (row["request_body"], row["response_body"]) == ('{"type":"text"}', '{"fine":1}')
        assert (row["request_id"], row["external_request_id"]) == ("request-0001", "req-1")
        assert row["latency_ms"] >= 0

    def test_without_people_or_secrets(self, gateway: HttpGateway, rows: Any) -> None:
        person = {
            "displayName": PEOPLE[0],
            "name": PEOPLE[0],
            "email": PEOPLE[1],
            "phone": PEOPLE[2],
            "to": PEOPLE[4],
            "statusMessage": PEOPLE[0],
            "picture": f"https://profile.example/{SECRETS[0]}",
            "note": f"{PEOPLE[1]} {PEOPLE[2]} {PEOPLE[3]} {PEOPLE[4]} Bearer {SECRETS[0]} {SECRETS[1]}",
            "id_token": SECRETS[1],
            "access_token": SECRETS[0],
            "messages": [
                {"type": "text", "text": f"{PEOPLE[0]}様"},
                {
                    "type": "template",
                    "altText": f"{PEOPLE[0]}様",
                    "template": {
                        "title": PEOPLE[0],
                        "actions": [
                            {"type": "uri", "label": PEOPLE[0], "uri": f"https://liff.line.me/x?t={SECRETS[0]}"},
                            {"type": "postback", "data": f"token={SECRETS[0]}", "displayText": PEOPLE[0]},
                        ],
                    },
                },
                {"type": "image", "originalContentUrl": f"https://example.jp/m/{SECRETS[0]}"},
            ],
        }
        query = f"?name={PEOPLE[0]}&mail={PEOPLE[1]}&token={SECRETS[0]}"
        headers = {"Authorization": f"Bearer {SECRETS[0]}", "X-Line-Retry-Key": "k", "Cookie": SECRETS[0]}
        with peer(JSONResponse(person)) as (url, _):
            base = url.replace("http://", f"http://user:{SECRETS[0]}@")
            for path in (f"/profile/{PEOPLE[4]}", "/users/taro.yamada%40example.jp", "/tel/%2B819012345678"):
                content = JSONResponse(person).body
                gateway.send(call(f"{base}{path}{query}#{SECRETS[0]}", headers=headers, content=bytes(content)))
            gateway.send(call(url, content=f"id_token={SECRETS[1]}&name={PEOPLE[0]}".encode()))
            gateway.send(call(url, content=PEOPLE[0].encode()))
            gateway.send(call(url, content=f'"{PEOPLE[0]}"'.encode()))
        written = str(rows())
        assert len(rows()) == 6
        assert [canary for canary in (*PEOPLE, *SECRETS) if canary in written] == []
        assert "%40example" not in written
        assert "819012345678" not in written

    @pytest.mark.parametrize(
        "body", [b'{"a":"\\u0000"}', b"\x00\xff", b'{"a":"' + b"x" * 100_000 + b'"}', b"[" * 5000, DEEP]
    )
    def test_whatever_the_other_side_says(self, gateway: HttpGateway, rows: Any, body: bytes) -> None:
        with peer(Response(body)) as (url, _):
            assert gateway.send(call(url, content=body)).body == body
        [row] = rows()
        assert len(row["request_body"]) < 5000
        assert len(row["response_body"]) < 5000

    @sqlite_only
    def test_a_log_that_cannot_be_written_does_not_change_what_happened(
        self, gateway: HttpGateway, db: Database
    ) -> None:
        with peer(Response(b"done")) as (url, asked):
            gateway.send(call(url))  # Asks the database once whether it is a copy that sends nothing.
            db.close()
            assert gateway.send(call(url)) == HttpResponse(200, gateway.send(call(url)).headers, b"done")
        assert len(asked.asked) == 3


@pytest.mark.found("24.E4")
@pytest.mark.row("8.C.21")
class TestRestoredCopy:
    def test_sends_nothing_and_still_asks(self, db: Database, rows: Callable[[], list[dict[str, Any]]]) -> None:
        original = db.read_now(identity).database_id
        db.write_now(become_copy)
        gateway = HttpGateway(db)
        with peer(JSONResponse({})) as (url, asked):
            for target, operation in (("stripe", "refund"), ("chatwork", "post"), ("line", "push")):
                with pytest.raises(NoResponse) as silence:
                    gateway.send(HttpRequest(target, operation, "POST", f"{url}/x", ONCE))
                assert (silence.value.kind, silence.value.reason) == ("not_sent", "SEND_NOTHING")
            assert asked.asked == []
            assert {row["error"] for row in rows()} == {"not_sent: SEND_NOTHING"}
            gateway.send(HttpRequest("stripe", "session", "GET", f"{url}/x", ONCE))
            gateway.send(HttpRequest("line", "verify", "POST", f"{url}/x", ONCE))
            db.write_now(confirm_copy, original[:8])
            gateway.send(HttpRequest("stripe", "refund", "POST", f"{url}/x", ONCE))
            assert len(asked.asked) == 3
        gateway.close()

    def test_talks_to_no_mail_server(self, db: Database) -> None:
        db.write_now(become_copy)
        sender = {"sender_name": "", "sender_address": "office@example.jp", "our_host": "localhost"}
        config = MailConfig(host="127.0.0.1", port=1, security="plain", user="", password="", **sender)
        outcome = MailClient(config, db).send(OutgoingMail("a@example.jp", "<1@x>", b""))
        assert outcome == MailUnknown("SEND_NOTHING", maybe_sent=False)
