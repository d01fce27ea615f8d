import uuid
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

HELLO = {"type": "text", "text": "こんにちは"}
PATH = "/v2/bot/message"
DAY = 24 * 60 * 60
Chat = Callable[[str], list[dict[str, Any]]]


def with_key(key: str) -> dict[str, str]:
    return {"X-Line-Retry-Key": key}


@pytest.fixture
def key() -> str:
    return str(uuid.uuid4())


class TestTheSameKeyAgain:
    def test_a_push_is_sent_once_and_the_answer_repeats_the_first(
        self, line: httpx2.Client, friend_id: str, chat: Chat, key: str
    ) -> None:
        body = {"to": friend_id, "messages": [HELLO]}
        first = line.post(f"{PATH}/push", json=body, headers=with_key(key))
        second = line.post(f"{PATH}/push", json=body, headers=with_key(key.upper()))
        assert (first.status_code, second.status_code) == (200, 409)
        assert second.json() == {"message": "The retry key is already accepted", **first.json()}
        assert second.headers["x-line-accepted-request-id"] == first.headers["x-line-request-id"]
        assert second.headers["x-line-request-id"] != first.headers["x-line-request-id"]
        assert len(chat(friend_id)) == 1

    @pytest.mark.parametrize("endpoint", ["multicast", "broadcast"])
    def test_a_multicast_or_broadcast_has_no_sent_messages_to_repeat(
        self, line: httpx2.Client, friend_id: str, chat: Chat, key: str, endpoint: str
    ) -> None:
        body = {"messages": [HELLO], **({"to": [friend_id]} if endpoint == "multicast" else {})}
        assert line.post(f"{PATH}/{endpoint}", json=body, headers=with_key(key)).status_code == 200
        again = line.post(f"{PATH}/{endpoint}", json=body, headers=with_key(key))
        assert (again.status_code, again.json()) == (409, {"message": "The retry key is already accepted"})
        assert len(chat(friend_id)) == 1

    def test_another_body_under_the_same_key_is_not_sent(
        self, line: httpx2.Client, friend_id: str, chat: Chat, key: str
    ) -> None:
        line.post(f"{PATH}/push", json={"to": friend_id, "messages": [HELLO]}, headers=with_key(key))
        other = {"to": friend_id, "messages": [{"type": "text", "text": "別の文面"}]}
        assert line.post(f"{PATH}/push", json=other, headers=with_key(key)).status_code == 409
        assert [entry["message"] for entry in chat(friend_id)] == [HELLO]


class TestTheDay:
    def test_a_key_is_remembered_for_24_hours_and_then_sends_again(
        self, line: httpx2.Client, control: httpx2.Client, friend_id: str, chat: Chat, key: str
    ) -> None:
        body = {"to": friend_id, "messages": [HELLO]}
        line.post(f"{PATH}/push", json=body, headers=with_key(key))
        control.post("/_sandbox/clock", json={"advance_seconds": DAY - 60})
        assert line.post(f"{PATH}/push", json=body, headers=with_key(key)).status_code == 409
        control.post("/_sandbox/clock", json={"advance_seconds": 61})
        assert line.post(f"{PATH}/push", json=body, headers=with_key(key)).status_code == 200
        assert len(chat(friend_id)) == 2
        assert control.get("/_sandbox/state").json()["retry_keys"][key]["accepted"] == 2


class TestAKeyThatWasNotAccepted:
    def test_a_refused_request_leaves_the_key_free(
        self, line: httpx2.Client, control: httpx2.Client, friend_id: str, key: str
    ) -> None:
        control.put("/_sandbox/quota", json={"type": "limited", "value": 0})
        body = {"to": friend_id, "messages": [HELLO]}
        assert line.post(f"{PATH}/push", json=body, headers=with_key(key)).status_code == 429
        control.put("/_sandbox/quota", json={"type": "none"})
        assert line.post(f"{PATH}/push", json={**body, "messages": []}, headers=with_key(key)).status_code == 400
        assert line.post(f"{PATH}/push", json=body, headers=with_key(key)).status_code == 200

    @pytest.mark.parametrize(
        "bad", ["", "1", "123e4567e89b12d3a456426614174000", "g23e4567-e89b-12d3-a456-426614174000"]
    )
    def test_a_key_that_is_no_uuid_is_refused(self, line: httpx2.Client, friend_id: str, chat: Chat, bad: str) -> None:
        answer = line.post(f"{PATH}/push", json={"to": friend_id, "messages": [HELLO]}, headers=with_key(bad))
        assert answer.status_code == 400
        assert chat(friend_id) == []

    @pytest.mark.parametrize(
        ("method", "path"),
        [
            ("POST", f"{PATH}/reply"),
            ("POST", f"{PATH}/validate/push"),
            ("GET", f"{PATH}/quota"),
            ("GET", "/v2/bot/info"),
            ("POST", "/v2/bot/richmenu"),
        ],
    )
    def test_where_keys_have_no_meaning_they_are_refused(
        self, line: httpx2.Client, key: str, method: str, path: str
    ) -> None:
        body = {"messages": [HELLO], "replyToken": "x"} if method == "POST" else None
        answer = line.request(method, path, json=body, headers=with_key(key))
        assert (answer.status_code, answer.json()) == (
            400,
            {"message": "The retry key can't be specified for this API"},
        )
