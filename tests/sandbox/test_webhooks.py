import base64
import hashlib
import hmac
import re
import time
from collections.abc import Callable
from typing import Any

import httpx2
import orjson
import pytest

from tests.sandbox.receiver import Received, Receiver
from tsudoi.sandbox.config import SandboxConfig

MakePerson = Callable[..., dict[str, Any]]
ENDPOINT = "/v2/bot/channel/webhook/endpoint"
TEST = "/v2/bot/channel/webhook/test"
ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")


def is_signed(received: Received, config: SandboxConfig) -> bool:
    digest = hmac.new(config.channel_secret.encode(), received.body, hashlib.sha256).digest()
    return received.headers["x-line-signature"] == base64.b64encode(digest).decode()


def follow(control: httpx2.Client, user_id: str, **delivery: Any) -> dict[str, Any]:
    answer = control.post(f"/_sandbox/users/{user_id}/follow", json={"delivery": delivery})
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["webhook"])


class TestShape:
    def test_a_follow(
        self, control: httpx2.Client, config: SandboxConfig, inbox: Receiver, stranger: MakePerson
    ) -> None:
        user_id = stranger()["user_id"]
        webhook = follow(control, user_id)
        [received] = inbox.received
        assert (received.path, is_signed(received, config)) == ("/api/line/webhook", True)
        assert received.headers["content-type"] == "application/json; charset=utf-8"
        event = received.event
        assert event.pop("replyToken")
        assert ULID.fullmatch(event["webhookEventId"])
        assert abs(event.pop("timestamp") - time.time() * 1000) < 5000
        assert event == {
            "type": "follow",
            "mode": "active",
            "source": {"type": "user", "userId": user_id},
            "webhookEventId": webhook["event_id"],
            "deliveryContext": {"isRedelivery": False},
            "follow": {"isUnblocked": False},
        }
        assert (webhook["status"], webhook["error"]) == (200, None)
        assert re.fullmatch("U[0-9a-f]{32}", orjson.loads(received.body)["destination"])

    def test_blocking_and_coming_back(self, control: httpx2.Client, inbox: Receiver, friend_id: str) -> None:
        control.post(f"/_sandbox/users/{friend_id}/block").raise_for_status()
        assert inbox.last.event["type"] == "unfollow"
        assert "replyToken" not in inbox.last.event
        control.post(f"/_sandbox/users/{friend_id}/unblock").raise_for_status()
        assert (inbox.last.event["type"], inbox.last.event["follow"]) == ("follow", {"isUnblocked": True})

    def test_adding_the_account_again_is_unblocking_too(
        self, control: httpx2.Client, inbox: Receiver, friend_id: str
    ) -> None:
        control.post(f"/_sandbox/users/{friend_id}/block").raise_for_status()
        follow(control, friend_id)
        assert inbox.last.event["follow"] == {"isUnblocked": True}

    def test_a_text(self, control: httpx2.Client, inbox: Receiver, friend_id: str) -> None:
        control.post(f"/_sandbox/users/{friend_id}/messages", json={"text": "出席します🎉"}).raise_for_status()
        message = inbox.last.event["message"]
        assert (inbox.last.event["type"], message["type"], message["text"]) == ("message", "text", "出席します🎉")
        assert message["quoteToken"]
        [entry] = control.get(f"/_sandbox/users/{friend_id}/chat").json()["messages"]
        assert (entry["id"], entry["from"]) == (message["id"], "user")

    def test_a_postback(self, control: httpx2.Client, inbox: Receiver, friend_id: str) -> None:
        body = {"data": "answer=attend", "params": {"date": "2026-01-01"}}
        control.post(f"/_sandbox/users/{friend_id}/postbacks", json=body).raise_for_status()
        assert inbox.last.event["postback"] == body
        assert inbox.last.event["replyToken"]

    def test_what_cannot_happen_does_not_happen(
        self, control: httpx2.Client, inbox: Receiver, stranger: MakePerson, friend_id: str
    ) -> None:
        passer_by = stranger()["user_id"]
        assert control.post(f"/_sandbox/users/{passer_by}/block").status_code == 409
        assert control.post(f"/_sandbox/users/{friend_id}/unblock").status_code == 409
        control.post(f"/_sandbox/users/{friend_id}/block").raise_for_status()
        before = len(inbox.received)
        assert control.post(f"/_sandbox/users/{friend_id}/messages", json={"text": "x"}).status_code == 409
        assert len(inbox.received) == before


class TestOnDemand:
    def test_copies_are_the_same_to_the_byte(
        self, control: httpx2.Client, inbox: Receiver, stranger: MakePerson
    ) -> None:
        webhook = follow(control, stranger()["user_id"], copies=3)
        assert len(inbox.received) == 3
        assert len({received.body for received in inbox.received}) == 1
        assert webhook["statuses"] == [200, 200, 200]

    def test_a_bad_signature(
        self, control: httpx2.Client, config: SandboxConfig, inbox: Receiver, stranger: MakePerson
    ) -> None:
        follow(control, stranger()["user_id"], bad_signature=True)
        assert not is_signed(inbox.last, config)
        assert len(base64.b64decode(inbox.last.headers["x-line-signature"])) == 32

    def test_an_old_event(self, control: httpx2.Client, inbox: Receiver, stranger: MakePerson) -> None:
        follow(control, stranger()["user_id"], age_seconds=86401)
        assert 86401_000 <= time.time() * 1000 - inbox.last.event["timestamp"] < 86411_000

    def test_an_event_without_an_id(
        self, control: httpx2.Client, config: SandboxConfig, inbox: Receiver, stranger: MakePerson
    ) -> None:
        follow(control, stranger()["user_id"], omit_event_id=True)
        assert "webhookEventId" not in inbox.last.event
        assert is_signed(inbox.last, config)

    def test_redelivery_keeps_id_and_time(
        self, control: httpx2.Client, config: SandboxConfig, inbox: Receiver, stranger: MakePerson
    ) -> None:
        inbox.status = 500
        event_id = follow(control, stranger()["user_id"])["event_id"]
        control.post("/_sandbox/clock", json={"advance_seconds": 600})
        inbox.status = 200
        again = control.post(f"/_sandbox/webhooks/{event_id}/redeliver").json()["webhook"]
        assert again["status"] == 200
        first, second = (received.event for received in inbox.received)
        assert second == {**first, "deliveryContext": {"isRedelivery": True}}
        assert is_signed(inbox.last, config)
        [kept] = control.get("/_sandbox/webhooks").json()["webhooks"]
        assert [(attempt["status"], attempt["redelivery"]) for attempt in kept["attempts"]] == [
            (500, False),
            (200, True),
        ]

    def test_redelivery_of_something_never_sent(self, control: httpx2.Client) -> None:
        assert control.post("/_sandbox/webhooks/01ARZ3NDEKTSV4RRFFQ69G5FAV/redeliver").status_code == 404

    def test_any_events_in_one_body(self, control: httpx2.Client, config: SandboxConfig, inbox: Receiver) -> None:
        events = [{"type": "videoPlayComplete", "timestamp": 1}, {"type": "beacon", "timestamp": 2}]
        assert control.post("/_sandbox/webhooks", json={"events": events}).json()["webhook"]["status"] == 200
        assert orjson.loads(inbox.last.body)["events"] == events
        assert is_signed(inbox.last, config)

    @pytest.mark.parametrize(
        "delivery", [{"copies": 0}, {"copies": 101}, {"copies": "2"}, {"bad_signature": 1}, {"age_seconds": True}]
    )
    def test_a_wish_that_makes_no_sense_changes_nothing(
        self, control: httpx2.Client, inbox: Receiver, stranger: MakePerson, delivery: dict[str, Any]
    ) -> None:
        user_id = stranger()["user_id"]
        answer = control.post(f"/_sandbox/users/{user_id}/follow", json={"delivery": delivery})
        assert answer.status_code == 400
        assert inbox.received == []
        assert control.get(f"/_sandbox/users/{user_id}").json()["following"] is False


class TestTheOtherEnd:
    def test_an_error_is_reported(self, control: httpx2.Client, inbox: Receiver, stranger: MakePerson) -> None:
        inbox.status = 503
        webhook = follow(control, stranger()["user_id"])
        assert (webhook["status"], webhook["error"]) == (503, "error_status_code")

    def test_two_seconds_without_an_answer_is_a_time_out(
        self, control: httpx2.Client, inbox: Receiver, stranger: MakePerson
    ) -> None:
        inbox.delay_seconds = 2.3
        started = time.monotonic()
        webhook = follow(control, stranger()["user_id"])
        assert (webhook["status"], webhook["error"]) == (None, "request_timeout")
        assert time.monotonic() - started > 1.9

    def test_nobody_there(self, line: httpx2.Client, control: httpx2.Client, stranger: MakePerson) -> None:
        line.put(ENDPOINT, json={"endpoint": "http://127.0.0.1:1/hook"}).raise_for_status()
        webhook = follow(control, stranger()["user_id"])
        assert (webhook["status"], webhook["error"]) == (None, "could_not_connect")

    def test_no_address_set(self, control: httpx2.Client, stranger: MakePerson) -> None:
        webhook = follow(control, stranger()["user_id"])
        assert (webhook["status"], webhook["error"]) == (None, "webhook_url_not_set")

    def test_it_is_in_the_list_of_calls(self, control: httpx2.Client, inbox: Receiver, stranger: MakePerson) -> None:
        follow(control, stranger()["user_id"])
        assert len(inbox.received) == 1
        call = control.get("/_sandbox/calls").json()["calls"][-1]
        assert (call["direction"], call["path"], call["status"], call["note"]) == (
            "out",
            "/api/line/webhook",
            200,
            "follow",
        )


class TestEndpointOfLine:
    def test_none_is_set(self, line: httpx2.Client) -> None:
        assert line.get(ENDPOINT).status_code == 404
        assert line.post(TEST, json={}).status_code == 400

    def test_what_was_set_is_told(self, line: httpx2.Client) -> None:
        url = "https://product.example/api/line/webhook"
        assert line.put(ENDPOINT, json={"endpoint": url}).json() == {}
        assert line.get(ENDPOINT).json() == {"endpoint": url, "active": True}

    @pytest.mark.parametrize("url", ["http://product.example/", "x", "", None, "https://x.example/" + "a" * 500])
    def test_only_https_or_loopback(self, line: httpx2.Client, url: Any) -> None:
        answer = line.put(ENDPOINT, json={"endpoint": url})
        assert (answer.status_code, answer.json()["details"][0]["property"]) == (400, "endpoint")

    def test_the_test_posts_an_empty_signed_body(
        self, line: httpx2.Client, config: SandboxConfig, inbox: Receiver
    ) -> None:
        body = line.post(TEST, json={}).json()
        assert (body["success"], body["statusCode"], body["reason"], body["detail"]) == (True, 200, "OK", "200 OK")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", body["timestamp"])
        assert orjson.loads(inbox.last.body)["events"] == []
        assert is_signed(inbox.last, config)

    def test_the_test_of_another_address(self, line: httpx2.Client, inbox: Receiver) -> None:
        inbox.status = 404
        there = line.post(TEST, json={"endpoint": inbox.url}).json()
        assert (there["success"], there["statusCode"], there["reason"]) == (False, 404, "ERROR_STATUS_CODE")
        nobody = line.post(TEST, json={"endpoint": "http://127.0.0.1:1/"}).json()
        assert (nobody["success"], nobody["statusCode"], nobody["reason"]) == (False, 0, "COULD_NOT_CONNECT")
