import time
import uuid
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tsudoi.sandbox.fault_places import FaultKind
from tsudoi.sandbox.faults import FaultRule, Faults

HELLO = {"type": "text", "text": "こんにちは"}
PUSH = "/v2/bot/message/push"
Chat = Callable[[str], list[dict[str, Any]]]


@pytest.fixture
def set_faults(control: httpx2.Client) -> Callable[..., list[dict[str, Any]]]:
    def put(*rules: dict[str, Any]) -> list[dict[str, Any]]:
        answer = control.put("/_sandbox/faults", json={"rules": list(rules)})
        assert answer.status_code == 200, answer.text
        kept: list[dict[str, Any]] = answer.json()["rules"]
        return kept

    return put


SetFaults = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def key() -> str:
    return str(uuid.uuid4())


def push(line: httpx2.Client, user_id: str, key: str | None = None, timeout: float = 5.0) -> httpx2.Response:
    headers = {} if key is None else {"x-line-retry-key": key}
    return line.post(PUSH, json={"to": user_id, "messages": [HELLO]}, headers=headers, timeout=timeout)


class TestBeforeAcceptance:
    @pytest.mark.parametrize(
        ("kind", "refusal"),
        [
            ("error_500_before", (500, "The server encountered an internal error. Try again later.")),
            ("rate_limited", (429, "The API rate limit has been exceeded. Try again later.")),
            ("quota_exhausted", (429, "You have reached your monthly limit.")),
        ],
    )
    def test_the_call_fails_once_and_the_key_is_still_free(
        self,
        line: httpx2.Client,
        set_faults: SetFaults,
        friend_id: str,
        chat: Chat,
        kind: str,
        refusal: tuple[int, str],
    ) -> None:
        set_faults({"kind": kind, "endpoint": "push", "times": 1})
        key = str(uuid.uuid4())
        failed = push(line, friend_id, key)
        assert (failed.status_code, failed.json()["message"]) == refusal
        assert chat(friend_id) == []
        assert push(line, friend_id, key).status_code == 200

    @pytest.mark.parametrize("kind", ["timeout_before_accept", "drop_connection"])
    def test_the_connection_ends_without_an_answer(
        self, line: httpx2.Client, set_faults: SetFaults, friend_id: str, chat: Chat, key: str, kind: str
    ) -> None:
        set_faults({"kind": kind, "times": 1, "seconds": 0.2 if kind.startswith("timeout") else 0})
        with pytest.raises(httpx2.RemoteProtocolError):
            push(line, friend_id, key)
        assert chat(friend_id) == []
        assert push(line, friend_id, key).status_code == 200
        assert len(chat(friend_id)) == 1


class TestAfterAcceptance:
    def test_a_time_out_has_sent_the_message(
        self, line: httpx2.Client, set_faults: SetFaults, friend_id: str, chat: Chat, key: str
    ) -> None:
        set_faults({"kind": "timeout_after_accept", "times": 1})
        started = time.monotonic()
        with pytest.raises(httpx2.ReadTimeout):
            push(line, friend_id, key, timeout=0.3)
        assert time.monotonic() - started < 10
        assert len(chat(friend_id)) == 1
        assert push(line, friend_id, key).status_code == 409
        assert len(chat(friend_id)) == 1

    def test_after_its_seconds_the_connection_is_closed(
        self, line: httpx2.Client, set_faults: SetFaults, friend_id: str, chat: Chat
    ) -> None:
        set_faults({"kind": "timeout_after_accept", "seconds": 0.3})
        started = time.monotonic()
        with pytest.raises(httpx2.RemoteProtocolError):
            push(line, friend_id)
        assert 0.25 < time.monotonic() - started < 10
        assert len(chat(friend_id)) == 1

    def test_a_500_has_sent_the_message(
        self, line: httpx2.Client, set_faults: SetFaults, friend_id: str, chat: Chat, key: str
    ) -> None:
        set_faults({"kind": "error_500_after", "times": 1})
        assert push(line, friend_id, key).status_code == 500
        assert len(chat(friend_id)) == 1
        again = push(line, friend_id, key)
        assert (again.status_code, again.json()["sentMessages"][0]["id"]) == (409, chat(friend_id)[0]["id"])

    def test_a_conflict_has_sent_the_message(
        self, line: httpx2.Client, set_faults: SetFaults, friend_id: str, chat: Chat, key: str
    ) -> None:
        set_faults({"kind": "conflict"})
        answer = push(line, friend_id, key)
        assert answer.status_code == 409
        assert answer.headers["x-line-accepted-request-id"]
        assert answer.json()["sentMessages"][0]["id"] == chat(friend_id)[0]["id"]

    def test_without_a_key_there_is_no_conflict(
        self, line: httpx2.Client, set_faults: SetFaults, friend_id: str
    ) -> None:
        set_faults({"kind": "conflict"})
        assert push(line, friend_id).status_code == 200

    @pytest.mark.parametrize("kind", ["timeout_after_accept", "error_500_after", "conflict"])
    def test_what_line_refuses_stays_refused(
        self, line: httpx2.Client, set_faults: SetFaults, key: str, kind: str
    ) -> None:
        set_faults({"kind": kind})
        assert push(line, "U" + "0" * 32, key).status_code == 400


class TestSlow:
    def test_the_answer_is_late_but_good(self, line: httpx2.Client, set_faults: SetFaults, friend_id: str) -> None:
        set_faults({"kind": "slow", "seconds": 0.3})
        started = time.monotonic()
        assert push(line, friend_id).status_code == 200
        assert time.monotonic() - started >= 0.3


class TestRules:
    def test_a_rule_holds_for_its_endpoint_only(
        self, line: httpx2.Client, control: httpx2.Client, set_faults: SetFaults, friend_id: str
    ) -> None:
        set_faults({"kind": "error_500_before", "endpoint": "profile"}, {"kind": "rate_limited", "endpoint": "verify"})
        assert push(line, friend_id).status_code == 200
        assert line.get(f"/v2/bot/profile/{friend_id}").status_code == 500
        assert control.post("/oauth2/v2.1/verify").status_code == 429
        control.delete("/_sandbox/faults").raise_for_status()
        assert line.get(f"/v2/bot/profile/{friend_id}").status_code == 200

    def test_somebody_without_the_token_meets_no_fault(self, control: httpx2.Client, set_faults: SetFaults) -> None:
        set_faults({"kind": "error_500_before"})
        assert control.post(PUSH).status_code == 401

    def test_rules_are_told_back_with_what_they_did(
        self, line: httpx2.Client, control: httpx2.Client, set_faults: SetFaults, friend_id: str
    ) -> None:
        [rule] = set_faults({"kind": "error_500_before", "endpoint": "push", "times": 2, "seed": 7})
        assert (rule["id"], rule["percent"], rule["fired"]) == ("rule-1", 100.0, 0)
        assert [push(line, friend_id).status_code for _ in range(3)] == [500, 500, 200]
        [rule] = control.get("/_sandbox/faults").json()["rules"]
        assert (rule["seen"], rule["fired"]) == (3, 2)

    @pytest.mark.parametrize(
        "rule",
        [
            {},
            {"kind": "earthquake"},
            {"kind": "slow", "endpoint": "nowhere"},
            {"kind": "slow", "percent": 101},
            {"kind": "slow", "percent": -1},
            {"kind": "slow", "seconds": -1},
            {"kind": "slow", "times": "1"},
            "slow",
        ],
    )
    def test_a_rule_that_makes_no_sense_is_refused_and_the_old_ones_stay(
        self, control: httpx2.Client, set_faults: SetFaults, rule: Any
    ) -> None:
        set_faults({"kind": "slow", "id": "old"})
        assert control.put("/_sandbox/faults", json={"rules": [rule]}).status_code == 400
        assert [kept["id"] for kept in control.get("/_sandbox/faults").json()["rules"]] == ["old"]

    def test_the_note_in_the_list_of_calls_names_the_fault(
        self, line: httpx2.Client, control: httpx2.Client, set_faults: SetFaults, friend_id: str
    ) -> None:
        set_faults({"kind": "drop_connection"})
        with pytest.raises(httpx2.RemoteProtocolError):
            push(line, friend_id)
        call = control.get("/_sandbox/calls").json()["calls"][-1]
        assert (call["status"], call["note"]) == (None, "fault: drop_connection")

    def test_also_where_line_then_refuses(
        self, line: httpx2.Client, control: httpx2.Client, set_faults: SetFaults, friend_id: str
    ) -> None:
        set_faults({"kind": "error_500_before", "endpoint": "push"})
        push(line, friend_id)
        call = control.get("/_sandbox/calls").json()["calls"][-1]
        assert (call["status"], call["note"]) == (500, "fault: error_500_before")

    def test_line_can_be_down_while_google_is_up(self) -> None:
        faults = Faults()
        faults.rules = [FaultRule("down", FaultKind.ERROR_500_BEFORE, "line")]
        assert [faults.decide(name) is not None for name in ("push", "verify", "sheets", "google_token")] == [
            True,
            True,
            False,
            False,
        ]


class TestTheDice:
    def outcomes(self, *rules: FaultRule, calls: int = 2000) -> list[FaultKind | None]:
        faults = Faults()
        faults.rules = list(rules)
        decided = [faults.decide("push", has_retry_key=True) for _ in range(calls)]
        return [None if fault is None else fault.kind for fault in decided]

    def test_the_same_seed_gives_the_same_faults(self) -> None:
        first, second, other = (
            self.outcomes(FaultRule("r", FaultKind.ERROR_500_BEFORE, percent=20, seed=seed)) for seed in (1, 1, 2)
        )
        assert first == second
        assert first != other

    def test_the_percentage_is_met(self) -> None:
        hits = [kind for kind in self.outcomes(FaultRule("r", FaultKind.SLOW, percent=20, seed=3)) if kind]
        assert 320 <= len(hits) <= 480
        assert not any(self.outcomes(FaultRule("r", FaultKind.SLOW, percent=0)))
        assert all(self.outcomes(FaultRule("r", FaultKind.SLOW, percent=100)))

    def test_one_rules_luck_does_not_shift_anothers(self) -> None:
        alone = self.outcomes(FaultRule("b", FaultKind.CONFLICT, percent=10, seed=5))
        beside = self.outcomes(
            FaultRule("a", FaultKind.RATE_LIMITED, percent=30, seed=4),
            FaultRule("b", FaultKind.CONFLICT, percent=10, seed=5),
        )
        assert all(
            before is FaultKind.CONFLICT
            for before, after in zip(alone, beside, strict=True)
            if after is FaultKind.CONFLICT
        )
        assert {FaultKind.RATE_LIMITED, FaultKind.CONFLICT} <= set(beside)
