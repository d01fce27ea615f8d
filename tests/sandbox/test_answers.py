"""Everybody answers at random: from the link in the chat to the product, a few at a time, one run at once."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import httpx2
import orjson
import pytest

from tests.sandbox.product_stand_in import StandIn, product_stand_in
from tsudoi.sandbox.answer_plan import AnswerOptions, Invitation, plan
from tsudoi.sandbox.answering import AT_ONCE
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import RunningSandbox, running
from tsudoi.sandbox.users import User


@dataclass(frozen=True)
class Show:
    control: httpx2.Client
    line: httpx2.Client
    liff_id: str

    def friends(self, count: int) -> list[str]:
        made: list[str] = self.control.post("/_sandbox/users/crowd", json={"count": count}).json()["user_ids"]
        return made

    def invite(self, user_ids: list[str], event_id: int, message: dict[str, Any] | None = None) -> None:
        link = f"https://liff.line.me/{self.liff_id}/events/{event_id}"
        message = message or {"type": "text", "text": f"出欠のご回答をお願いします。\n{link}"}
        body = {"to": user_ids, "messages": [message]}
        self.line.post("/v2/bot/message/multicast", json=body).raise_for_status()

    def start(self, **options: Any) -> httpx2.Response:
        return self.control.post("/_sandbox/answers", json={"seconds": 0, **options})

    def progress(self) -> dict[str, Any]:
        found: dict[str, Any] = self.control.get("/_sandbox/answers").json()
        return found

    def finished(self) -> dict[str, Any]:
        deadline = time.monotonic() + 20
        while self.progress()["running"]:
            assert time.monotonic() < deadline, "the run does not end"
            time.sleep(0.02)
        return self.progress()

    def out_calls(self) -> list[dict[str, Any]]:
        calls = self.control.get("/_sandbox/calls").json()["calls"]
        return [call for call in calls if call["direction"] == "out"]


def show_in(box: RunningSandbox, config: SandboxConfig) -> Iterator[Show]:
    headers = {"authorization": f"Bearer {config.channel_access_token}"}
    with (
        httpx2.Client(base_url=box.url, trust_env=False) as control,
        httpx2.Client(base_url=box.url, headers=headers, trust_env=False) as line,
    ):
        yield Show(control, line, config.liff_id)


@pytest.fixture(scope="module")
def shared_stand_in() -> Iterator[StandIn]:
    with product_stand_in() as stand_in:
        yield stand_in


@pytest.fixture(scope="module")
def shared_show(config: SandboxConfig, shared_stand_in: StandIn) -> Iterator[Show]:
    with running(replace(config, liff_endpoint_url=f"{shared_stand_in.url}/liff/")) as box:
        yield from show_in(box, config)


@pytest.fixture
def product(shared_stand_in: StandIn) -> StandIn:
    shared_stand_in.refusals.clear()
    shared_stand_in.answers.clear()
    return shared_stand_in


@pytest.fixture
def show(shared_show: Show, product: StandIn) -> Show:
    shared_show.control.post("/_sandbox/reset").raise_for_status()
    return shared_show


@pytest.fixture
def deserted(config: SandboxConfig) -> Iterator[Show]:
    """A box whose product is not running."""
    with product_stand_in() as gone:
        url = gone.url
    with running(replace(config, liff_endpoint_url=f"{url}/liff/")) as box:
        yield from show_in(box, config)


class TestEverybodyAnswers:
    def test_each_as_themselves_to_the_newest_event(self, show: Show, product: StandIn) -> None:
        friends = show.friends(30)
        show.invite(friends, 6)
        show.invite(friends, 7)
        answer = show.start(share=100, seed=1)
        assert (answer.status_code, answer.json()) == (202, {"people": 30, "invited": 30})
        progress = show.finished()
        assert {given["path"] for given in product.answers} == {"/api/liff/events/7/respond"}
        assert sorted(given["user_id"] for given in product.answers) == sorted(friends)
        said = [given["status"] for given in product.answers]
        assert (progress["attend"], progress["absent"]) == (said.count("attend"), said.count("absent"))
        assert progress["attend"] > progress["absent"] > 0
        assert any(given["extra_text"] for given in product.answers)
        assert product.most_busy <= AT_ONCE

    def test_of_one_event_only_those_who_were_asked_to_it(self, show: Show, product: StandIn) -> None:
        first, second, _without_link = show.friends(3)
        show.invite([first, second], 1)
        show.invite([second], 2)
        assert show.start(share=100, event_id=1).json() == {"people": 2, "invited": 2}
        show.finished()
        assert {given["path"] for given in product.answers} == {"/api/liff/events/1/respond"}
        assert show.start(share=100, event_id=3).json() == {"people": 0, "invited": 0}

    def test_who_blocked_the_account_or_got_no_link_does_not(self, show: Show) -> None:
        friends = show.friends(3)
        show.invite(friends[:2], 1)
        show.control.post(f"/_sandbox/users/{friends[0]}/block")
        assert show.start(share=100).json() == {"people": 1, "invited": 1}

    def test_nobody_was_asked(self, show: Show) -> None:
        show.friends(2)
        assert show.start().json() == {"people": 0, "invited": 0}
        assert not show.progress()["running"]

    def test_a_link_behind_a_button_counts_and_one_that_a_friend_typed_does_not(self, show: Show) -> None:
        asked, typing = show.friends(2)
        uri = {"type": "uri", "label": "回答する", "uri": f"https://liff.line.me/{show.liff_id}/events/5"}
        template = {"type": "buttons", "text": "総会", "actions": [uri]}
        show.invite([asked], 5, {"type": "template", "altText": "総会", "template": template})
        show.control.post(f"/_sandbox/users/{typing}/messages", json={"text": uri["uri"]})
        assert show.start(share=100).json() == {"people": 1, "invited": 1}

    def test_part_of_them(self, show: Show) -> None:
        show.invite(show.friends(10), 1)
        assert show.start(share=40).json() == {"people": 4, "invited": 10}
        show.finished()
        assert show.start(share=0).json()["people"] == 0

    def test_the_stream_tells_how_far_they_are(self, show: Show) -> None:
        show.invite(show.friends(2), 1)
        told: list[dict[str, Any]] = []
        with show.control.stream("GET", "/_sandbox/stream", timeout=60) as stream:
            lines = stream.iter_lines()
            next(lines)
            httpx2.post(f"{show.control.base_url}/_sandbox/answers", json={"seconds": 0, "share": 100}, trust_env=False)
            while not told or told[-1]["running"]:
                event = orjson.loads(next(line for line in lines if line.startswith("data:"))[5:])
                told += [event["answers"]] if event["type"] == "answers" else []
        assert [row["attend"] + row["absent"] for row in told] == [0, 1, 2, 2]
        assert {row["people"] for row in told} == {2}

    @pytest.mark.parametrize(
        "options",
        [{"share": 101}, {"share": -1}, {"share": "all"}, {"seconds": 61}, {"seconds": -1}, {"event_id": 0}],
    )
    def test_a_wish_that_makes_no_sense(self, show: Show, options: dict[str, Any]) -> None:
        assert show.start(**options).status_code == 400


class TestOneRunAtATime:
    def test_the_second_is_refused_and_stopping_makes_room(self, show: Show, product: StandIn) -> None:
        show.invite(show.friends(5), 1)
        assert show.start(share=100, seconds=60, seed=2).status_code == 202
        assert show.start().status_code == 409
        assert show.control.delete("/_sandbox/answers").status_code == 204
        progress = show.progress()
        assert (progress["running"], progress["stopped"], progress["failed"]) == (False, True, 0)
        assert show.start(share=100).status_code == 202
        assert show.finished()["failed"] == 0
        assert len(product.answers) >= 5

    def test_an_emptied_box_forgets_it(self, show: Show) -> None:
        show.invite(show.friends(5), 1)
        show.start(share=100, seconds=60)
        show.control.post("/_sandbox/reset")
        assert show.progress()["people"] == 0
        assert not show.progress()["running"]


class TestWhatGoesWrong:
    def test_a_product_that_is_down(self, deserted: Show) -> None:
        deserted.invite(deserted.friends(6), 1)
        assert deserted.start(share=100).json()["people"] == 6
        progress = deserted.finished()
        assert (progress["attend"], progress["absent"], progress["failed"]) == (0, 0, 6)
        calls = deserted.out_calls()
        assert {(call["path"], call["status"]) for call in calls} == {("/api/liff/session", None)}
        assert all(call["note"].endswith("could_not_connect") for call in calls)

    def test_a_refusal_is_counted_and_named_without_tokens(self, show: Show, product: StandIn) -> None:
        friends = show.friends(3)
        product.refusals[friends[1]] = "NOT_REGISTERED"
        show.invite(friends, 1)
        show.start(share=100)
        progress = show.finished()
        assert (progress["attend"] + progress["absent"], progress["failed"]) == (2, 1)
        [refused] = [call for call in show.out_calls() if call["status"] == 403]
        assert refused["path"] == "/api/liff/events/1/respond"
        assert refused["note"].endswith("NOT_REGISTERED")
        log = show.control.get("/_sandbox/calls").text
        assert "eyJ" not in log
        assert "tsudoi_liff" not in log


def test_the_same_dice_make_the_same_show() -> None:
    invited = [Invitation(User(f"U{number}", "会員"), 1) for number in range(200)]
    first, again, other = (plan(invited, AnswerOptions(90, 10, seed)) for seed in (3, 3, 4))
    assert first == again
    assert first != other
    assert len(first) == 180
    assert 100 < sum(answer.status == "attend" for answer in first) < 150
    assert [answer.at for answer in first] == sorted(answer.at for answer in first)
    assert 0 <= first[0].at <= first[-1].at <= 10
