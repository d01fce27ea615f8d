"""G5 and G6: LINE misbehaves, senders are killed, several send at once, and nobody is told twice.

Each check stands next to mutants that it must find: without them, "no violations" could mean that nothing was checked.
"""

import random
import re
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests.concurrency.threads import at_once
from tests.events.broadcast.crowd import Hall, gather, hall
from tests.events.broadcast.senders import Nursery, Senders, nursery
from tests.factories.product import Box
from tests.product_fixtures import box, impatient, plain_log, shared_box, sqlite_only
from tests.sizes import size
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database
from tsudoi.core.runtime import Runtime
from tsudoi.events.broadcast import jobs, rules
from tsudoi.events.broadcast.service.settling import settle_attempt
from tsudoi.events.broadcast.service.tasks import LEASE, NOBODY, SendAttempt, SendTask
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_outcomes import Accepted, SendOutcome, Unknown
from tsudoi.line.delivery import rules as delivery
from tsudoi.line.delivery.rules import CalledOff, Judgement, SendVerdict
from tsudoi.sandbox.calls import Call

__all__ = ["box", "impatient", "plain_log", "shared_box"]

PEOPLE = size(1_200, 10_000)
SEVERAL = size(300, 10_000)
KILLS = size(5, 60)
CHUNK = 50
# One in five calls goes wrong, in every way there is; the end of the quota, which ends everything, has its own test.
KINDS = (
    "timeout_after_accept",
    "timeout_before_accept",
    "error_500_before",
    "error_500_after",
    "rate_limited",
    "conflict",
    "drop_connection",
)


@pytest.fixture
def crowd(
    db: Database,
    clock: ManualClock,
    box: Box,
    tmp_path: Path,
    plain_log: None,
    impatient: None,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Hall]:
    monkeypatch.setattr(rules, "CHUNK", CHUNK)
    with hall(db, clock, box, tmp_path / "data") as found:
        found.refuse_strangers()
        yield found


@pytest.fixture(scope="module")
def one_nursery() -> Iterator[Nursery]:
    with nursery() as found:
        yield found


@pytest.fixture
def processes(crowd: Hall, one_nursery: Nursery, database_url: str) -> Senders:
    return Senders(one_nursery, database_url, crowd.box.url, crowd.runtime.settings.data_dir)


def misbehave(box: Box, seed: int, percent: float = 20.0, kinds: Sequence[str] = KINDS) -> None:
    each = {"percent": percent / len(kinds), "seconds": 0.5, "endpoint": "*"}
    rules_ = [{"kind": kind, "seed": seed + number, **each} for number, kind in enumerate(kinds)]
    box.http.put("/_sandbox/faults", json={"rules": rules_}).raise_for_status()


def invite(crowd: Hall, people: int) -> int:
    """In every fourth chunk there is an id that LINE refuses, so that its people are told one by one."""
    strangers = range(rules.CHUNK // 2, people, rules.CHUNK * 4)
    return crowd.enqueue(gather(crowd.db, crowd.box, people, strangers=strangers))


@contextmanager
def silent_after(box: Box, calls: int) -> Iterator[threading.Event]:
    """LINE answers so many calls and then none until the block ends, so that its senders cannot finish before.

    The event is set when LINE has become silent. The calls that it has not answered are taken when the block ends.
    """
    silent, over = threading.Event(), threading.Event()
    record, last = box.world.record_call, box.world.calls._count + calls

    def record_and_fall_silent(call: Call) -> None:
        record(call)
        if box.world.calls._count >= last and not over.is_set():
            silent.set()
            over.wait()

    with patch.object(box.world, "record_call", record_and_fall_silent):
        try:
            yield silent
        finally:
            over.set()


def check(crowd: Hall, sent: int, people: int) -> None:
    result = crowd.result(sent)
    assert result.pending == 0
    assert result.success + result.fail + result.unknown == people
    assert crowd.violations(sent) == []
    assert crowd.stats() == (result.success, result.fail)
    crowd.clock.advance(timedelta(minutes=2))
    jobs.finish_log(crowd.runtime)
    assert Counter(line["member_id"] for line in crowd.lines()) == Counter(range(1, people + 1))
    assert (
        Counter(line["status"] for line in crowd.lines())
        == Counter({"success": result.success, "fail": result.fail, "unknown": result.unknown}) - Counter()
    )


class TestG5:
    def test_with_faults_and_kills_each_is_told_once_or_parked(self, crowd: Hall, processes: Senders) -> None:
        seed, killed_at_work = random.randrange(10**6), 0
        moments = random.Random(seed)
        sent = invite(crowd, PEOPLE)
        misbehave(crowd.box, seed)
        while killed_at_work < KILLS and crowd.result(sent).pending:
            with silent_after(crowd.box, moments.randint(1, 12)) as silent:
                numbers = processes.start(crowd.clock.now(), 2)
                # Senders that were told to try again later may leave before they have made so many calls.
                killed_at_work += silent.wait(5)
                time.sleep(moments.uniform(0, 0.03))
                processes.kill(numbers)
            crowd.clock.advance(LEASE)
        # How long the work lasts is chance: a killed call can make the outcome for a whole chunk unknown.
        assert killed_at_work >= KILLS / 2, f"all was sent too early (seed {seed})"
        while crowd.result(sent).pending:
            processes.start(crowd.clock.now(), 2)
            processes.wait()
            crowd.clock.advance(LEASE)
        check(crowd, sent, PEOPLE)

    def test_the_end_of_the_quota_in_the_middle(self, crowd: Hall) -> None:
        sent = invite(crowd, 600)
        misbehave(crowd.box, 5, kinds=(*KINDS, "quota_exhausted"))
        crowd.send_all(sent)
        check(crowd, sent, 600)

    def test_a_kill_between_line_and_the_commit(self, crowd: Hall, processes: Senders) -> None:
        sent = crowd.enqueue(gather(crowd.db, crowd.box, 90))
        processes.start(crowd.clock.now(), 1, dies=True)
        processes.wait()
        assert crowd.box.http.get("/_sandbox/deliveries/summary").json()["total"] > 0
        assert crowd.result(sent).pending == 90
        processes.start(crowd.clock.now(), 1)
        processes.wait()
        assert crowd.result(sent).pending == 90, "the leases are still held"
        crowd.clock.advance(LEASE)
        processes.start(crowd.clock.now(), 1)
        processes.wait()
        assert crowd.result(sent).success == 90
        check(crowd, sent, 90)


class NewKeyPerTry(LineClient):
    def push(self, to: str, messages: Any, retry_key: str, **options: Any) -> SendOutcome:  # noqa: ARG002 (the mutation)
        return super().push(to, messages, str(uuid.uuid4()), **options)

    def multicast(self, to: Any, messages: Any, _retry_key: str) -> SendOutcome:
        return super().multicast(to, messages, str(uuid.uuid4()))


@sqlite_only
class TestMutants:
    """The same faults and the same check, without kills: one thing is done wrongly, and it is found."""

    @pytest.fixture(autouse=True)
    def many_chunks(self, crowd: Hall, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG002 (after its own)
        monkeypatch.setattr(rules, "CHUNK", 5)

    def run(self, crowd: Hall) -> list[str]:
        """So many faults that it is not left to chance whether the mistake is found."""
        sent = invite(crowd, size(300, 600))
        misbehave(crowd.box, 11, percent=45.0)
        crowd.send_all(sent)
        return crowd.violations(sent)

    def test_as_it_is_nothing_is_found(self, crowd: Hall) -> None:
        assert self.run(crowd) == []

    def test_a_new_key_per_try_tells_people_twice(self, crowd: Hall) -> None:
        crowd.runtime.part(LineClient).__class__ = NewKeyPerTry
        assert any(re.search("told [2-9] times", found) for found in self.run(crowd))

    def test_marking_before_sending_leaves_people_out(self, crowd: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        real = jobs.BroadcastSender._attempt

        def too_early(self: Any, task: SendTask, claimed_in: int) -> SendAttempt:
            self._runtime.db.write_now(settle_attempt, SendAttempt(task, NOBODY, Accepted("too early")))
            return real(self, task, claimed_in)

        monkeypatch.setattr(jobs.BroadcastSender, "_attempt", too_early)
        assert any("DONE, told 0 times" in found for found in self.run(crowd))

    def test_pushing_after_an_unknown_outcome_tells_people_twice(
        self, crowd: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = delivery.judge

        def guessing(outcome: SendOutcome | CalledOff, *, uncertain: bool, alone: bool) -> Judgement:
            if isinstance(outcome, Unknown) and not alone:
                return Judgement(SendVerdict.ONE_BY_ONE, "guessed")
            return real(outcome, uncertain=uncertain, alone=alone)

        monkeypatch.setattr(delivery, "judge", guessing)
        assert any(re.search("told [2-9] times", found) for found in self.run(crowd))


class TestG6:
    def test_several_senders_at_once(self, crowd: Hall, database_url: str, clock: ManualClock) -> None:
        sent = invite(crowd, SEVERAL)
        misbehave(crowd.box, 3, percent=5.0, kinds=("error_500_after", "rate_limited", "conflict"))
        other = open_database(database_url, clock)
        try:
            second = Runtime.of(crowd.runtime.settings, other)
            second.add(crowd.runtime.part(LineClient))
            senders = [jobs.BroadcastSender((crowd.runtime, second)[number % 2]) for number in range(4)]

            def work(number: int) -> int:
                return senders[number].run(time.monotonic() + 60)

            for _ in range(40):
                at_once(4, work)
                if crowd.result(sent).pending == 0:
                    break
                clock.advance(timedelta(minutes=16))
        finally:
            other.close()
            for sender in senders:
                sender.close()
        check(crowd, sent, SEVERAL)
