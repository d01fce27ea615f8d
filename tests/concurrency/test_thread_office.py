"""Offices that create, decide, change and end the same thread at the same moment, while people answer."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import httpx2
import pytest

from tests.concurrency.threads import at_once
from tests.factories.product import Box, Product
from tests.factories.threads import ALL, BY_HAND, make_thread
from tests.product_fixtures import box, impatient, make_product, plain_log, shared_box
from tests.scheduling.organizing.desk import URL, Desk, desk_at
from tests.sizes import size
from tsudoi.core.clock import ManualClock
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.invitations.endpoints.answering import AnswerRoute
from tsudoi.scheduling.organizing.endpoints.admitting import CountedRoute
from tsudoi.scheduling.thread.models import (
    AttendanceRule,
    SchedulingSlot,
    SchedulingThread,
    ThreadFinalize,
    ThreadInvite,
    ThreadSelection,
    ThreadSelectionSlot,
)

__all__ = ["box", "impatient", "make_product", "plain_log", "shared_box"]

KEYS, COPIES, THREADS = size(6, 100), 10, 8
RAJ, MEI = {"name": "Raj", "email": "raj@example.com"}, {"name": "林", "email": "mei@example.jp"}


@pytest.fixture
def desk(make_product: Callable[..., Product], box: Box, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(AnswerRoute, "limits_per_principal", ())
    monkeypatch.setattr(CountedRoute, "limit", None)
    return desk_at(make_product(smtp_url=box.smtp_url, mail_from="みなと町会 <office@example.jp>"), clock)


def create(desk: Desk, http: httpx2.Client, key: str, title: str) -> httpx2.Response:
    """Who hears that it is in flight asks again, as a browser does."""
    body = {"title": title, "invitees": [RAJ, MEI]}
    while (answer := http.post(URL, json=body, headers={**desk.bearer, "idempotency-key": key})).status_code == 409:
        assert answer.json()["code"] == "IN_FLIGHT"
    return answer


class TestCopiesOfACreation:
    def test_make_one_thread_and_one_set_of_mails(self, desk: Desk) -> None:
        asked = [f"key-{number}" for number in range(KEYS)] * COPIES
        Random(4).shuffle(asked)

        def send(number: int) -> list[tuple[str, int, bytes]]:
            with desk.product.client() as http:
                answers = [(key, create(desk, http, key, key)) for key in asked[number::THREADS]]
                return [(key, answer.status_code, answer.content) for key, answer in answers]

        heard = [one for some in at_once(THREADS, send) for one in some]
        assert {status for _, status, _ in heard} == {201}
        by_key = {key: {body for name, _, body in heard if name == key} for key in asked}
        assert all(len(bodies) == 1 for bodies in by_key.values()), "byte-equal"
        assert Counter(row["title"] for row in desk.rows(SchedulingThread)) == dict.fromkeys(by_key, 1)
        expected = {SchedulingSlot: 3 * KEYS, ThreadInvite: 2 * KEYS, AttendanceRule: KEYS, ThreadMessage: 2 * KEYS}
        assert {model: len(desk.rows(model)) for model in expected} == expected

    def test_with_other_contents_one_content_wins(self, desk: Desk) -> None:
        def send(number: int) -> int:
            with desk.product.client() as http:
                return create(desk, http, "k1", f"会{number}").status_code

        assert Counter(at_once(4, send)) == {201: 1, 422: 3}
        assert len(desk.rows(SchedulingThread)) == 1


class TestTwoOfficesAtOnce:
    def test_decide_one_date_and_the_other_is_told_so(self, desk: Desk) -> None:
        thread = make_thread(desk.product.db, "raj@example.com", "mei@example.jp", rule=BY_HAND)

        def decide(number: int) -> int:
            body = {"selected_slot_id": thread.slots[number % 3], "reason": "会長の都合"}
            return desk.post(f"/{thread.id}/finalize", body).status_code

        # Two of the six ask for the slot that was decided, which changes nothing.
        assert Counter(at_once(6, decide)) == {200: 2, 409: 4}
        assert len(desk.rows(ThreadFinalize)) == 1
        assert Counter(row["type"] for row in desk.rows(ThreadMessage)) == {"decision": 2}

    def test_cancel_and_reopen_once(self, desk: Desk) -> None:
        thread = make_thread(desk.product.db, "raj@example.com", rule=BY_HAND)
        body = {"selected_slot_id": thread.slots[0], "reason": "会長の都合"}
        assert desk.post(f"/{thread.id}/finalize", body).status_code == 200
        assert Counter(at_once(4, lambda _: desk.post(f"/{thread.id}/reopen").status_code)) == {200: 1, 409: 3}
        assert set(at_once(4, lambda _: desk.post(f"/{thread.id}/cancel").status_code)) == {200}
        told = Counter(row["type"] for row in desk.rows(ThreadMessage))
        assert told == {"decision": 1, "reopened": 1, "cancelled": 1}

    def test_change_the_rule_that_they_saw_and_one_is_told_so(self, desk: Desk) -> None:
        thread = make_thread(desk.product.db, "raj@example.com", "mei@example.jp")
        answers = at_once(4, lambda _: desk.put(f"/{thread.id}/rule", {"version": 1, "rule": ALL}).status_code)
        assert Counter(answers) == {200: 1, 409: 3}
        assert [row["version"] for row in desk.rows(AttendanceRule)] == [2]

    def test_ask_the_same_people_once(self, desk: Desk) -> None:
        thread = make_thread(desk.product.db, "raj@example.com")
        people = [{"name": f"人{number}", "email": f"p{number}@example.com"} for number in range(4)]

        def ask(number: int) -> int:
            return desk.post(f"/{thread.id}/invitees", {"invitees": people[number:] + people[:number]}).status_code

        assert Counter(at_once(4, ask)) == {201: 4}
        assert len(desk.rows(ThreadInvite)) == len(desk.rows(ThreadSelection)) == 5
        assert Counter(row["to"] for row in desk.rows(ThreadMessage, type="invite")) == {
            person["email"]: 1 for person in people
        }


@pytest.mark.row("1.I.16")
def test_everything_at_once_keeps_the_thread_whole(desk: Desk) -> None:
    """Answers, decisions, cancellations, new and removed slots, people and rules, in parallel on one thread."""
    people = [f"p{number}@example.com" for number in range(6)]
    thread = make_thread(desk.product.db, *people, rule={**ALL, "type": "K_OF_N", "k": 3, "rule": {"k": 3}})
    extra = [desk.slot(days=5 + number) for number in range(20)]
    heard: Counter[tuple[str, int]] = Counter()

    def office(dice: Random) -> tuple[str, httpx2.Response]:
        slots = [row["slot_id"] for row in desk.rows(SchedulingSlot)]
        slot_id, invite = dice.choice([*slots, thread.slots[0]]), dice.choice(thread.invites)
        version = desk.rows(AttendanceRule)[0]["version"]
        orders: dict[str, Callable[[], httpx2.Response]] = {
            "finalize": lambda: desk.post(f"/{thread.id}/finalize", {"selected_slot_id": slot_id, "reason": "都合"}),
            "reopen": lambda: desk.post(f"/{thread.id}/reopen"),
            "slots": lambda: desk.post(f"/{thread.id}/slots", {"slots": [dice.choice(extra)]}),
            "remove": lambda: desk.delete(f"/{thread.id}/slots/{slot_id}"),
            "uninvite": lambda: desk.delete(f"/{thread.id}/invitees/{invite.key}"),
            "invite": lambda: desk.post(
                f"/{thread.id}/invitees", {"invitees": [{"name": "人", "email": dice.choice(people)}], "force": True}
            ),
            "rule": lambda: desk.put(f"/{thread.id}/rule", {"version": version, "rule": ALL}),
            "change": lambda: desk.patch(f"/{thread.id}", {"place": "本部"}),
            "answers": lambda: desk.post(
                f"/{thread.id}/answers", {"invitee_key": invite.key, "status": "selected", "selected_slot_id": slot_id}
            ),
            "status": lambda: desk.get(f"/{thread.id}/status"),
            "list": desk.get,
        }
        name = dice.choice(list(orders))
        return name, orders[name]()

    def person(http: httpx2.Client, dice: Random) -> tuple[str, httpx2.Response]:
        slots = [row["slot_id"] for row in desk.rows(SchedulingSlot)]
        chosen: dict[str, Any] = {"status": "declined"}
        if slots and dice.random() < 0.8:
            chosen = {"status": "selected", "selected_slot_ids": dice.sample(slots, min(2, len(slots)))}
        return "respond", http.post(dice.choice(thread.invites).respond, json=chosen)

    def act(number: int) -> None:
        dice = Random(number)
        with desk.product.client() as http:
            for _ in range(size(12, 150)):
                name, answer = office(dice) if number % 2 else person(http, dice)
                heard[name, answer.status_code] += 1
                assert answer.status_code < 500, (name, answer.text)

    at_once(8, act)
    assert heard["respond", 200] > 0, heard
    check_whole(desk, thread.id)


def check_whole(desk: Desk, thread_id: str) -> None:
    """What must be true of a thread at any time."""
    [row] = desk.rows(SchedulingThread, id=thread_id)
    decisions = desk.rows(ThreadFinalize, thread_id=thread_id)
    assert (row["status"] == "finalized") == (len(decisions) == 1)
    slots = {slot["slot_id"] for slot in desk.rows(SchedulingSlot, thread_id=thread_id)}
    assert {decision["selected_slot_id"] for decision in decisions} <= slots
    invited = [invite["invitee_key"] for invite in desk.rows(ThreadInvite, thread_id=thread_id)]
    selections = {one["selection_id"]: one for one in desk.rows(ThreadSelection, thread_id=thread_id)}
    assert sorted(one["invitee_key"] for one in selections.values()) == sorted(invited)
    chosen: dict[str, set[str]] = {selection_id: set() for selection_id in selections}
    for mark in desk.rows(ThreadSelectionSlot):
        chosen[mark["selection_id"]].add(mark["slot_id"])
    for selection_id, selection in selections.items():
        assert chosen[selection_id] <= slots
        assert selection["selected_slot_id"] in chosen[selection_id] or not chosen[selection_id], selection
    ids = [message["job_id"] for message in desk.rows(ThreadMessage)]
    assert len(ids) == len(set(ids))
