import asyncio
import contextlib
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import httpx2
import orjson
import pytest

from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import RunningSandbox
from tsudoi.sandbox.stream import QUEUE_LENGTH, Stream
from tsudoi.sandbox.users import CHAT_LENGTH

HELLO = {"type": "text", "text": "こんにちは"}
PUSH = "/v2/bot/message/push"
MakePerson = Callable[..., dict[str, Any]]


def users(control: httpx2.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = control.get("/_sandbox/users").json()["users"]
    return found


class TestUsers:
    def test_a_new_person_is_no_friend_yet(self, control: httpx2.Client) -> None:
        answer = control.post("/_sandbox/users", json={"display_name": "山田", "status_message": "元気"})
        assert answer.status_code == 201
        person = answer.json()
        assert re.fullmatch("U[0-9a-f]{32}", person["user_id"])
        assert person["picture_url"] == f"/_sandbox/pictures/{person['user_id']}.svg"
        assert (person["following"], person["blocked"], person["unread"], person["last_message"]) == (
            False,
            False,
            0,
            None,
        )
        assert users(control) == [person]

    def test_an_id_of_ones_own_choice(self, control: httpx2.Client) -> None:
        body = {"display_name": "山田", "user_id": "U" + "ab" * 16, "picture_url": "https://x.example/a.png"}
        assert control.post("/_sandbox/users", json=body).json()["picture_url"] == "https://x.example/a.png"
        assert control.post("/_sandbox/users", json=body).status_code == 409
        assert control.post("/_sandbox/users", json={**body, "user_id": "yamada"}).status_code == 400

    @pytest.mark.parametrize("body", [{}, {"display_name": ""}, {"display_name": 1}, {"display_name": "x" * 101}, []])
    def test_a_person_needs_a_name(self, control: httpx2.Client, body: Any) -> None:
        assert control.post("/_sandbox/users", json=body).status_code == 400
        assert users(control) == []

    def test_friendship_blocking_and_coming_back(self, control: httpx2.Client, stranger: MakePerson) -> None:
        path = f"/_sandbox/users/{stranger()['user_id']}"
        states = []
        for action in ("follow", "block", "unblock"):
            control.post(f"{path}/{action}").raise_for_status()
            person = control.get(path).json()
            states.append((person["following"], person["blocked"]))
        assert states == [(True, False), (False, True), (True, False)]

    def test_unread_and_last_message(self, line: httpx2.Client, control: httpx2.Client, friend_id: str) -> None:
        picture = {
            "type": "image",
            "originalContentUrl": "https://x.example/a",
            "previewImageUrl": "https://x.example/b",
        }
        line.post(PUSH, json={"to": friend_id, "messages": [HELLO, picture]}).raise_for_status()
        [person] = users(control)
        assert (person["unread"], person["last_message"]["text"]) == (2, "写真")
        assert person["last_message"]["at"].endswith("+09:00")
        assert control.post(f"/_sandbox/users/{friend_id}/read").status_code == 204
        [person] = users(control)
        assert person["unread"] == 0
        messages = control.get(f"/_sandbox/users/{friend_id}/chat").json()["messages"]
        assert [message["read"] for message in messages] == [True, True]

    def test_a_chat_keeps_its_end_and_the_counters_keep_all(
        self, line: httpx2.Client, control: httpx2.Client, friend_id: str
    ) -> None:
        pushes = CHAT_LENGTH // 5 + 1
        for number in range(pushes):
            messages = [{"type": "text", "text": f"{number}-{place}"} for place in range(5)]
            line.post(PUSH, json={"to": friend_id, "messages": messages}).raise_for_status()
        chat = control.get(f"/_sandbox/users/{friend_id}/chat").json()["messages"]
        assert (len(chat), chat[0]["message"]["text"]) == (CHAT_LENGTH, "1-0")
        [person] = users(control)
        assert (person["accepted"], person["delivered"], person["unread"]) == (pushes, pushes, pushes * 5)

    def test_nobody_by_that_id(self, control: httpx2.Client) -> None:
        for method, path in (("GET", "/chat"), ("POST", "/follow"), ("POST", "/id_token"), ("PATCH", "")):
            assert control.request(method, f"/_sandbox/users/U0{path}").status_code == 404


class TestClock:
    def now(self, control: httpx2.Client) -> datetime:
        return datetime.fromisoformat(control.get("/_sandbox/clock").json()["now"])

    def test_it_moves_by_seconds_or_to_a_moment(self, control: httpx2.Client) -> None:
        before = self.now(control)
        control.post("/_sandbox/clock", json={"advance_seconds": 3600}).raise_for_status()
        assert 3600 <= (self.now(control) - before).total_seconds() < 3610
        control.post("/_sandbox/clock", json={"now": "2030-04-01T09:00:00+09:00"}).raise_for_status()
        assert control.get("/_sandbox/clock").json()["now"].startswith("2030-04-01T09:00:0")

    @pytest.mark.parametrize(
        "move",
        [
            {"now": "tomorrow"},
            {"now": "2030-04-01T09:00:00"},
            {"now": 5},
            {"now": "0001-01-01T00:00:00+09:00"},
            {"advance_seconds": 1e11},
            {"advance_seconds": "60"},
        ],
    )
    def test_a_move_that_makes_no_sense_is_refused(self, control: httpx2.Client, move: dict[str, Any]) -> None:
        assert control.post("/_sandbox/clock", json=move).status_code == 400
        assert control.get("/_sandbox/clock").json()["offset_seconds"] == 0


class TestDeliveries:
    def test_the_ledger_says_who_got_what_by_which_request(
        self, line: httpx2.Client, control: httpx2.Client, friend: MakePerson
    ) -> None:
        first, second = friend()["user_id"], friend()["user_id"]
        key = "123e4567-e89b-12d3-a456-426614174000"
        pushed = line.post(PUSH, json={"to": first, "messages": [HELLO]}, headers={"x-line-retry-key": key})
        line.post("/v2/bot/message/multicast", json={"to": [first, second], "messages": [HELLO]})
        rows = control.get("/_sandbox/deliveries").json()["deliveries"]
        assert [(row["n"], row["user_id"], row["endpoint"], row["retry_key"]) for row in rows] == [
            (1, first, "push", key),
            (2, first, "multicast", None),
            (3, second, "multicast", None),
        ]
        assert rows[0]["request_id"] == pushed.headers["x-line-request-id"]
        assert rows[0]["message_ids"] == [message["id"] for message in pushed.json()["sentMessages"]]
        assert rows[1]["request_id"] == rows[2]["request_id"] != rows[0]["request_id"]
        later = control.get("/_sandbox/deliveries", params={"after": 1, "limit": 1}).json()["deliveries"]
        assert later == rows[1:2]

    def test_the_summary(self, line: httpx2.Client, control: httpx2.Client, friend: MakePerson) -> None:
        first, second = friend()["user_id"], friend()["user_id"]
        for user_id in (first, first, second):
            line.post(PUSH, json={"to": user_id, "messages": [HELLO]}).raise_for_status()
        control.post(f"/_sandbox/users/{second}/block")
        line.post(PUSH, json={"to": second, "messages": [HELLO]}).raise_for_status()
        short = {"total": 4, "delivered": 3, "users": 2, "per_user_max": 2}
        assert control.get("/_sandbox/deliveries/summary").json() == short
        full = control.get("/_sandbox/deliveries/summary", params={"by_user": 1}).json()
        assert full == {**short, "by_user": {first: 2, second: 2}}

    def test_an_empty_ledger(self, control: httpx2.Client) -> None:
        assert control.get("/_sandbox/deliveries/summary").json() == {
            "total": 0,
            "delivered": 0,
            "users": 0,
            "per_user_max": 0,
        }


class TestCalls:
    def test_calls_to_line_are_listed_and_control_calls_are_not(
        self, line: httpx2.Client, control: httpx2.Client, config: SandboxConfig
    ) -> None:
        line.get("/v2/bot/info")
        line.post(PUSH, json={})
        calls = control.get("/_sandbox/calls").json()["calls"]
        assert [(call["n"], call["method"], call["path"], call["status"], call["direction"]) for call in calls] == [
            (1, "GET", "/v2/bot/info", 200, "in"),
            (2, "POST", PUSH, 400, "in"),
        ]
        assert calls[1]["note"] == "The request body has 2 error(s)"
        assert control.get("/_sandbox/calls", params={"after": 1}).json()["calls"] == calls[1:]
        assert config.channel_access_token not in str(calls)


class TestStateAndReset:
    def test_the_state_shows_all_and_reset_leaves_nothing(
        self, line: httpx2.Client, control: httpx2.Client, friend_id: str
    ) -> None:
        key = "123e4567-e89b-12d3-a456-426614174000"
        # Not the clock of the machine: the end of a month would reset the usage.
        control.post("/_sandbox/clock", json={"now": "2027-06-15T12:00:00+09:00"}).raise_for_status()
        line.post(PUSH, json={"to": friend_id, "messages": [HELLO]}, headers={"x-line-retry-key": key})
        control.put("/_sandbox/faults", json={"rules": [{"kind": "slow", "endpoint": "reply"}]})
        control.put("/_sandbox/quota", json={"type": "limited", "value": 9})
        control.post("/_sandbox/clock", json={"advance_seconds": 1000})
        state = control.get("/_sandbox/state").json()
        assert [user["accepted"] for user in state["users"]] == [1]
        assert state["retry_keys"][key]["accepted"] == 1
        assert state["quota"] == {"type": "limited", "value": 9, "total_usage": 1}
        assert control.post("/_sandbox/reset").status_code == 204
        fresh = control.get("/_sandbox/state").json()
        assert (fresh["users"], fresh["retry_keys"], fresh["faults"], fresh["calls"]) == ([], {}, [], [])
        assert (fresh["quota"], fresh["deliveries"]["total"]) == ({"type": "none", "total_usage": 0}, 0)
        assert control.get("/_sandbox/clock").json()["offset_seconds"] == 0

    def test_what_the_phones_page_needs_to_know(
        self, control: httpx2.Client, config: SandboxConfig, box: RunningSandbox
    ) -> None:
        assert control.get("/_sandbox/config").json() == {
            "liff_id": config.liff_id,
            "liff_base": f"{box.url}/liff",
            "account": {"name": "集い 公式", "picture_url": "/_sandbox/pictures/account.svg"},
            "product_url": "http://127.0.0.1:8000",
        }


class TestStrangers:
    def test_a_page_of_another_origin_cannot_write(self, control: httpx2.Client, box: RunningSandbox) -> None:
        body = {"display_name": "山田"}
        for origin, status in (
            ("http://evil.example", 403),
            ("null", 403),
            (box.url, 201),
            ("http://phones.example", 201),
        ):
            assert control.post("/_sandbox/users", json=body, headers={"origin": origin}).status_code == status


class Listener:
    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines

    def next(self) -> dict[str, Any]:
        line = next(line for line in self._lines if line.startswith("data: "))
        return dict(orjson.loads(line.removeprefix("data: ")))


@contextlib.contextmanager
def listening(box: RunningSandbox) -> Iterator[Listener]:
    with httpx2.stream("GET", f"{box.url}/_sandbox/stream", timeout=60, trust_env=False) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = answer.iter_lines()
        assert next(lines).startswith(":")
        yield Listener(lines)


def is_heard(box: RunningSandbox) -> bool:
    return box.world.stream.has_listeners


class TestStream:
    def test_what_happens_is_told_in_order(
        self, line: httpx2.Client, control: httpx2.Client, box: RunningSandbox
    ) -> None:
        with listening(box) as listener:
            person = control.post("/_sandbox/users", json={"display_name": "山田"}).json()
            user_id = person["user_id"]
            assert listener.next() == {"type": "user", "user": person}
            control.post(f"/_sandbox/users/{user_id}/follow").raise_for_status()
            assert listener.next()["user"]["following"] is True
            webhook = listener.next()
            assert (webhook["type"], webhook["event_type"]) == ("webhook", "follow")
            line.post(PUSH, json={"to": user_id, "messages": [HELLO]}).raise_for_status()
            message = listener.next()
            assert (message["type"], message["user_id"], message["unread"]) == ("message", user_id, 1)
            assert message["message"] == control.get(f"/_sandbox/users/{user_id}/chat").json()["messages"][0]
            call = listener.next()
            assert (call["type"], call["call"]["path"]) == ("call", PUSH)
            control.post(f"/_sandbox/users/{user_id}/read").raise_for_status()
            assert listener.next() == {"type": "read", "user_id": user_id}
            control.post("/_sandbox/reset").raise_for_status()
            assert listener.next() == {"type": "reset"}

    def test_a_new_rich_menu_is_told(self, line: httpx2.Client, box: RunningSandbox) -> None:
        with listening(box) as listener:
            line.delete("/v2/bot/user/all/richmenu").raise_for_status()
            assert listener.next() == {"type": "rich_menu", "rich_menu": None}

    def test_changed_conditions_are_told(self, control: httpx2.Client, box: RunningSandbox) -> None:
        with listening(box) as listener:
            control.put("/_sandbox/faults", json={"rules": []}).raise_for_status()
            control.delete("/_sandbox/faults").raise_for_status()
            control.put("/_sandbox/quota", json={"type": "limited", "value": 3}).raise_for_status()
            assert [listener.next() for _ in range(3)] == [{"type": "conditions"}] * 3

    def test_silence_is_filled_with_comments(self, box: RunningSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tsudoi.sandbox.stream.HEARTBEAT_SECONDS", 0.05)
        with httpx2.stream("GET", f"{box.url}/_sandbox/stream", timeout=60, trust_env=False) as answer:
            comments = [line for line, _ in zip(answer.iter_lines(), range(5), strict=False) if line]
        assert comments == [": welcome", ": still here", ": still here"]

    def test_who_is_too_slow_for_the_flood_is_told_to_start_over(self) -> None:
        async def flood() -> list[dict[str, Any]]:
            stream = Stream()
            listener = stream.listen()
            await anext(listener)
            for number in range(QUEUE_LENGTH + 3):
                stream.publish("message", number=number)
            chunks = [await anext(listener) for _ in range(3)]
            return [orjson.loads(chunk.removeprefix(b"data: ")) for chunk in chunks]

        first, *rest = asyncio.run(flood())
        assert first == {"type": "reset"}
        assert [event["number"] for event in rest] == [QUEUE_LENGTH + 1, QUEUE_LENGTH + 2]

    def test_who_leaves_is_forgotten(self, control: httpx2.Client, box: RunningSandbox) -> None:
        with listening(box):
            assert is_heard(box)
        for _ in range(100):
            if not is_heard(box):
                break
            control.get("/_sandbox/clock")
        assert not is_heard(box)
