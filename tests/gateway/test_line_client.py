"""The LINE client against the sandbox over HTTP: what each answer means to the caller."""

from typing import Any
from uuid import uuid4

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.factories.product import Box, line_client, settings_for
from tests.product_fixtures import sqlite_only
from tests.servers import nobody_there, serving, trickling_peer
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_outcomes import (
    Accepted,
    LineUnreachable,
    NoProfile,
    QuotaExhausted,
    Rejected,
    SendRateLimited,
    Unknown,
)
from tsudoi.gateway.http import HttpGateway

pytestmark = sqlite_only
HELLO = [{"type": "text", "text": "こんにちは 🎣"}]


def line_at(url: str, gateway: HttpGateway, tmp_path: Any, **more: Any) -> LineClient:
    return line_client(settings_for("http://127.0.0.1:1", tmp_path, url, **more), gateway)


def key() -> str:
    return str(uuid4())


class TestPush:
    def test_is_accepted_and_seen(self, line: LineClient, box: Box) -> None:
        who = box.friend()
        outcome = line.push(who, HELLO, key())
        assert isinstance(outcome, Accepted)
        assert outcome.request_id
        assert not outcome.earlier
        [message] = box.chat(who)
        assert message["message"]["text"] == "こんにちは 🎣"
        assert outcome.message_ids == (message["id"],)

    def test_to_somebody_unknown_is_rejected(self, line: LineClient) -> None:
        outcome = line.push("U" + "f" * 32, HELLO, key())
        assert isinstance(outcome, Rejected)
        assert outcome.status == 400
        assert outcome.request_id

    def test_with_a_bad_message_tells_which_part(self, line: LineClient, box: Box) -> None:
        outcome = line.push(box.friend(), [{"type": "text", "text": ""}], key())
        assert isinstance(outcome, Rejected)
        assert "messages[0].text" in outcome.reason

    def test_with_a_wrong_access_token_is_rejected(self, gateway: HttpGateway, box: Box, tmp_path: Any) -> None:
        stranger = line_at(box.url, gateway, tmp_path, line_channel_access_token="wrong")
        outcome = stranger.push(box.friend(), HELLO, key())
        assert isinstance(outcome, Rejected)
        assert outcome.status == 401

    @pytest.mark.parametrize("kind", ["timeout_after_accept", "error_500_after"])
    def test_taken_without_an_answer_and_tried_again_is_delivered_once(
        self, line: LineClient, box: Box, kind: str
    ) -> None:
        who, retry_key = box.friend(), key()
        box.breaks(kind, "push", seconds=2)
        first = line.push(who, HELLO, retry_key)
        assert isinstance(first, Unknown)
        assert first.maybe_sent
        box.mends()
        second = line.push(who, HELLO, retry_key)
        assert isinstance(second, Accepted)
        assert second.earlier
        [message] = box.chat(who)
        assert second.message_ids == (message["id"],)

    @pytest.mark.parametrize("kind", ["timeout_before_accept", "error_500_before", "drop_connection"])
    def test_lost_without_an_answer_and_tried_again_is_delivered_once(
        self, line: LineClient, box: Box, kind: str
    ) -> None:
        who, retry_key = box.friend(), key()
        box.breaks(kind, "push", seconds=2)
        first = line.push(who, HELLO, retry_key)
        assert isinstance(first, Unknown)
        assert first.maybe_sent
        assert box.chat(who) == []
        box.mends()
        second = line.push(who, HELLO, retry_key)
        assert isinstance(second, Accepted)
        assert not second.earlier
        assert len(box.chat(who)) == 1

    def test_a_try_is_one_call_whatever_goes_wrong(self, line: LineClient, box: Box) -> None:
        """Trying again is the outbox's business: only it knows the retry key's age."""
        box.breaks("error_500_before", "push")
        line.push(box.friend(), HELLO, key())
        assert len(box.calls("/message/push")) == 1

    def test_the_two_kinds_of_429_are_told_apart(self, line: LineClient, box: Box) -> None:
        who = box.friend()
        box.breaks("rate_limited", "push")
        assert isinstance(line.push(who, HELLO, key()), SendRateLimited)
        box.breaks("quota_exhausted", "push")
        assert isinstance(line.push(who, HELLO, key()), QuotaExhausted)

    def test_with_nobody_there_was_surely_not_sent(self, gateway: HttpGateway, tmp_path: Any) -> None:
        outcome = line_at(nobody_there(), gateway, tmp_path).push("U" + "1" * 32, HELLO, key())
        assert outcome == Unknown("ConnectError", maybe_sent=False)

    def test_an_answer_that_trickles_in_is_not_waited_for(self, gateway: HttpGateway, tmp_path: Any) -> None:
        """Its last byte would come after ten seconds, each byte long before the time-out."""
        answer = b'{"sentMessages":[{"id":"1"}]}'.ljust(200)
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(answer)}\r\n\r\n".encode()
        with trickling_peer(head, answer) as url:
            outcome = line_at(url, gateway, tmp_path).push("U" + "1" * 32, HELLO, key())
        assert outcome == Unknown("ReadTimeout", maybe_sent=True)


class TestMulticast:
    def test_reaches_everybody_once_over_a_retry(self, line: LineClient, box: Box) -> None:
        crowd, retry_key = [box.friend(f"会員{n}") for n in range(3)], key()
        box.breaks("timeout_after_accept", "multicast", seconds=2, times=1)
        assert isinstance(line.multicast(crowd, HELLO, retry_key), Unknown)
        again = line.multicast(crowd, HELLO, retry_key)
        assert isinstance(again, Accepted)
        assert again.earlier
        assert [len(box.chat(who)) for who in crowd] == [1, 1, 1]


class TestReply:
    def test_a_token_is_good_once(self, line: LineClient, box: Box) -> None:
        who = box.friend()
        token = box.world.reply_tokens.issue(who, box.world.clock.now_ms())
        assert isinstance(line.reply(token, HELLO), Accepted)
        again = line.reply(token, HELLO)
        assert isinstance(again, Rejected)
        assert "Invalid reply token" in again.reason
        assert len(box.chat(who)) == 1


class TestOddAnswers:
    """A broken proxy in between can say anything; the caller still gets a value, never an exception."""

    @pytest.mark.parametrize(
        ("status", "body", "kind"),
        [
            (200, b"{}", Unknown),
            (200, b"<html>", Unknown),
            (400, b'{"message":"no","details":null}', Rejected),
            (400, b'{"message":"no","details":["x",{}]}', Rejected),
            (400, b"\xff\xfe", Unknown),
            (409, b'{"message":"again","sentMessages":[{}]}', Accepted),
            (409, b"[]", Accepted),
            (429, b"", SendRateLimited),
            (302, b"", Rejected),
            (502, b"<html>bad gateway</html>", Unknown),
        ],
    )
    def test_to_a_push(self, gateway: HttpGateway, tmp_path: Any, status: int, body: bytes, kind: type[Any]) -> None:
        async def say(_request: Request) -> Response:
            return Response(body, status, media_type="application/json")

        with serving(Starlette(routes=[Route("/{path:path}", say, methods=["POST", "GET"])])) as url:
            odd = line_at(url, gateway, tmp_path)
            assert isinstance(odd.push("U" + "1" * 32, HELLO, key()), kind)
            assert isinstance(odd.profile("U" + "1" * 32), NoProfile | LineUnreachable)
