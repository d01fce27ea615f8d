"""Many answers to one thread at the same instant: one decision, no answer lost, and the controls without the lock."""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Any

import httpx2
import pytest

from tests.concurrency.threads import at_once
from tests.factories.product import Box, Product
from tests.factories.threads import ALL, ANY, MadeThread, make_thread
from tests.product_fixtures import box, impatient, make_product, plain_log, postgresql_only, shared_box
from tests.scheduling.organizing.desk import desk_at
from tests.sizes import size
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import ReadTx
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.scheduling.deadlines.service import judge
from tsudoi.scheduling.decision.queries import DecidingFacts, facts_of
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.delivery.service.enqueueing import message_settings
from tsudoi.scheduling.invitations.endpoints.answering import AnswerRoute
from tsudoi.scheduling.invitations.service import answering
from tsudoi.scheduling.thread.models import SchedulingThread, ThreadAnswer, ThreadFinalize, ThreadSelection

__all__ = ["box", "impatient", "make_product", "plain_log", "shared_box"]

PEOPLE, CLIENTS, ROUNDS = size(40, 200), size(20, 100), size(12, 200)
KEYS, COPIES, THREADS = size(20, 500), 10, 12


@pytest.fixture
def product(make_product: Callable[..., Product], box: Box, monkeypatch: pytest.MonkeyPatch) -> Product:
    """With a mail server, and without a limit of answers."""
    monkeypatch.setattr(AnswerRoute, "limits_per_principal", ())
    return make_product(smtp_url=box.smtp_url, mail_from="みなと町会 <office@example.jp>")


@pytest.fixture
def without_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: nobody waits, and everybody pauses between reading and writing."""

    def slowly(tx: ReadTx, thread_id: str) -> DecidingFacts | None:
        found = facts_of(tx, thread_id)
        time.sleep(0.1)
        return found

    monkeypatch.setattr(answering, "lock_thread", lambda *_: None)
    monkeypatch.setattr(answering, "facts_of", slowly)


def addresses(count: int) -> list[str]:
    return [f"person{number}@example.com" for number in range(count)]


def say_yes(http: httpx2.Client, thread: MadeThread, number: int, **headers: str) -> httpx2.Response:
    body = {"status": "selected", "selected_slot_id": thread.slots[0]}
    return http.post(thread.invites[number].respond, json=body, headers=headers)


def answer_at_once(product: Product, thread: MadeThread) -> dict[str, tuple[int, dict[str, Any]]]:
    """Everybody says yes to the same slot; gives what each of them heard."""

    def client(number: int) -> list[tuple[str, tuple[int, dict[str, Any]]]]:
        with product.client() as http:
            found = []
            for one in range(number, len(thread.invites), CLIENTS):
                heard = say_yes(http, thread, one)
                found.append((thread.invites[one].key, (heard.status_code, heard.json())))
            return found

    return dict(pair for pairs in at_once(CLIENTS, client) for pair in pairs)


def check_one_decision(product: Product, needed: int) -> None:
    """`needed` people decide, exactly they take part, everybody else hears 409, and everybody gets one mail."""
    rule = {**ANY, "type": "K_OF_N", "participants": [], "k": needed, "rule": {"k": needed}}
    thread = make_thread(product.db, *addresses(PEOPLE), rule=rule)
    heard = answer_at_once(product, thread)
    assert Counter(status for status, _ in heard.values()) == {200: needed, 409: PEOPLE - needed}
    assert {body["code"] for status, body in heard.values() if status == 409} == {"THREAD_FINALIZED"}
    assert sum(body["evaluation"]["finalized"] for status, body in heard.values() if status == 200) == 1
    [decision] = [row for row in product.rows(ThreadFinalize) if row["thread_id"] == thread.id]
    assert set(decision["final_participants"]) == {key for key, (status, _) in heard.items() if status == 200}
    assert decision["auto_finalized"] == 1
    messages = [row for row in product.rows(ThreadMessage) if row["thread_id"] == thread.id]
    told = Counter((row["type"], row["invitee_key"]) for row in messages)
    assert told == {("decision", invite.key): 1 for invite in thread.invites}
    ids = {row["mail_id"] for row in messages}
    mails = Counter(row["to_address"] for row in product.rows(MailMessage) if row["id"] in ids)
    assert mails == dict.fromkeys(addresses(PEOPLE), 1)


@pytest.mark.row("1.I.16")
class TestAnswersAtTheSameInstant:
    def test_decide_once_by_the_first(self, product: Product) -> None:
        check_one_decision(product, 1)

    def test_decide_once_by_many_together(self, product: Product) -> None:
        check_one_decision(product, PEOPLE // 2)

    @postgresql_only
    @pytest.mark.usefixtures("without_lock")
    def test_without_the_lock_they_do_not(self, product: Product) -> None:
        with pytest.raises(AssertionError):
            check_one_decision(product, PEOPLE // 2)


def undecided(product: Product, rounds: int) -> int:
    """Two people without whom nothing is decided answer together, again and again. How often is nothing decided?"""
    found = 0
    with product.client() as one, product.client() as two:
        clients = (one, two)
        for number in range(rounds):
            thread = make_thread(product.db, f"a{number}@example.com", f"b{number}@example.com", rule=ALL, slots=1)
            heard = at_once(2, lambda who: say_yes(clients[who], thread, who))  # noqa: B023 (runs at once)
            assert [answer.status_code for answer in heard] == [200, 200]
            decisions = [row for row in product.rows(ThreadFinalize) if row["thread_id"] == thread.id]
            assert sum(answer.json()["evaluation"]["finalized"] for answer in heard) == len(decisions)
            found += not decisions
    return found


@pytest.mark.row("1.I.16")
class TestTheLastTwoAnswers:
    def test_decide_together(self, product: Product) -> None:
        assert undecided(product, ROUNDS) == 0
        assert {row["status"] for row in product.rows(SchedulingThread)} == {"finalized"}

    @postgresql_only
    @pytest.mark.usefixtures("without_lock")
    def test_without_the_lock_each_sees_the_other_as_missing_and_nobody_decides(self, product: Product) -> None:
        assert undecided(product, 3) == 3


class TestParallelCopies:
    def test_of_an_answer_are_one_answer_with_the_same_bytes(self, product: Product) -> None:
        """Two people use the same keys for different answers."""
        thread = make_thread(product.db, *addresses(2), rule={**ALL, "participants": []})
        asked = [(number % 2, f"key-{number // 2}", f"{number}") for number in range(KEYS) for _ in range(COPIES)]
        Random(4).shuffle(asked)

        def send(number: int) -> list[tuple[tuple[int, str, str], httpx2.Response]]:
            with product.client() as http:
                return [(one, _decline(http, thread, *one)) for one in asked[number::THREADS]]

        bodies: dict[Any, set[bytes]] = defaultdict(set)
        fresh: Counter[Any] = Counter()
        for one, answer in (pair for pairs in at_once(THREADS, send) for pair in pairs):
            assert answer.status_code == 200, answer.text
            bodies[one].add(answer.content)
            fresh[one] += "idempotent-replayed" not in answer.headers
        assert [len(seen) for seen in bodies.values()] == [1] * KEYS
        assert set(fresh.values()) == {1}
        assert Counter(row["comment"] for row in product.rows(ThreadAnswer)) == {f"{n}": 1 for n in range(KEYS)}
        assert len(product.rows(ThreadSelection)) == 2

    def test_with_different_bodies_one_body_wins(self, product: Product) -> None:
        thread = make_thread(product.db, *addresses(2), rule=ALL)

        def send(number: int) -> int:
            with product.client() as http:
                return _decline(http, thread, 0, "the same", f"{number}").status_code

        assert Counter(at_once(COPIES, send)) == {200: 1, 422: COPIES - 1}
        assert len(product.rows(ThreadAnswer)) == 1

    def test_the_history_has_every_answer_in_the_order_in_which_they_counted(self, product: Product) -> None:
        """Without a key each is an answer; the newest of them is the one that is stored."""
        thread = make_thread(product.db, *addresses(2), rule=ALL)

        def send(number: int) -> None:
            with product.client() as http:
                body = {"status": "selected", "selected_slot_id": thread.slots[number % 3], "comment": f"{number}"}
                http.post(thread.invites[0].respond, json=body).raise_for_status()

        at_once(COPIES, send)
        history = sorted(product.rows(ThreadAnswer), key=lambda row: row["id"])
        assert sorted(int(row["comment"]) for row in history) == list(range(COPIES))
        assert all(earlier["answered_at"] <= later["answered_at"] for earlier, later in pairwise(history))
        [stored] = [row for row in product.rows(ThreadSelection) if row["invitee_key"] == thread.invites[0].key]
        last = history[-1]
        assert (stored["comment"], stored["selected_slot_id"]) == (last["comment"], last["slots"][0]["slot_id"])


def _decline(http: httpx2.Client, thread: MadeThread, who: int, key: str, comment: str) -> httpx2.Response:
    content = json.dumps({"status": "declined", "comment": comment})
    headers = {"idempotency-key": key, "content-type": "application/json"}
    return http.post(thread.invites[who].respond, content=content, headers=headers)


@pytest.mark.row("1.I.16")
def test_at_the_deadline_several_workers_and_a_late_call_decide_once(product: Product, clock: ManualClock) -> None:
    """Two workers judge the same thread while the office types in an answer that came by telephone."""
    desk = desk_at(product, clock)
    common = message_settings(product.settings)
    threads = []
    for number in range(size(4, 50)):
        ends = clock.now() + timedelta(hours=1)
        names = (f"a{number}@example.com", f"b{number}@example.com")
        thread = make_thread(product.db, *names, expires=timedelta(hours=1), deadline_at=ends, decide_at_deadline=1)
        assert say_yes(product.http, thread, 0).json()["evaluation"]["finalized"] is False
        threads.append(thread)
    clock.advance(timedelta(hours=1))

    def act(number: int) -> list[int | bool]:
        if number < 2:
            return [product.db.write_now(judge, common, thread.id) for thread in threads]
        bodies = [{"invitee_key": one.invites[1].key, "status": "declined"} for one in threads]
        return [desk.post(f"/{one.id}/answers", body).status_code for one, body in zip(threads, bodies, strict=True)]

    first, second, office = at_once(3, act)
    assert [sum(pair) for pair in zip(first, second, strict=True)] == [1] * len(threads)
    assert set(office) <= {200, 409}
    assert Counter(row["thread_id"] for row in product.rows(ThreadFinalize)) == {one.id: 1 for one in threads}
    told = Counter(
        (row["invitee_key"], row["thread_id"]) for row in product.rows(ThreadMessage) if row["type"] == "decision"
    )
    assert set(told.values()) == {1}
    assert len(told) == 2 * len(threads)
