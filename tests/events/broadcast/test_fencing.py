"""Whose word counts: only that of whoever still holds the lease, and only what surely did not go out is withdrawn."""

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from tests.events.broadcast.crowd import Hall, gather
from tests.product_fixtures import sqlite_only
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import DatabaseUnavailable
from tsudoi.events.broadcast import jobs
from tsudoi.events.broadcast.queries import PushResult
from tsudoi.events.broadcast.service import claiming
from tsudoi.events.broadcast.service.claiming import claim_tasks
from tsudoi.events.broadcast.service.enqueueing import Recipient
from tsudoi.events.broadcast.service.settling import settle_attempt, withdraw_unsent
from tsudoi.events.broadcast.service.tasks import LEASE, NOBODY, Recipients, SendAttempt, SendTask
from tsudoi.events.event.models import Event
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_outcomes import Accepted, Rejected
from tsudoi.line.delivery import rules
from tsudoi.line.delivery.rules import Judgement


def claim(office: Hall, number: int = 8) -> list[SendTask]:
    return office.db.write_now(claim_tasks, number)


def attempt(office: Hall, task: SendTask) -> SendAttempt:
    sender = jobs.BroadcastSender(office.runtime)
    try:
        return sender._attempt(task, 1)
    finally:
        sender.close()


class TestLateWorker:
    @pytest.mark.parametrize("word", [Accepted("late"), Rejected(400, "late")])
    def test_is_not_heard(self, office: Hall, word: Any) -> None:
        sent = office.invite(2)
        [task] = claim(office)
        assert office.send(sent) == PushResult(pending=2)
        office.clock.advance(LEASE)
        assert office.send(sent) == PushResult(success=2)
        before = (office.people(), office.stats())
        assert office.db.write_now(settle_attempt, SendAttempt(task, NOBODY, word)).kept is False
        assert (office.people(), office.stats()) == before

    def test_leaves_a_doubt_behind(self, office: Hall) -> None:
        """Whoever held the lease may have sent before it died, so that a refusal proves nothing."""
        office.refuse_strangers()
        sent = office.enqueue(gather(office.db, office.box, 2, strangers=[0]))
        claim(office)
        office.clock.advance(LEASE)
        assert office.send(sent) == PushResult(unknown=2)
        assert office.calls("push") == []

    @sqlite_only
    def test_does_not_send_what_it_held_while_it_slept(self, office: Hall) -> None:
        office.invite(2)
        [task] = claim(office)
        office.clock.advance(timedelta(hours=25))
        assert attempt(office, task).outcome is None
        assert office.calls("multicast") == []

    def test_a_database_that_fails_after_the_call_costs_nothing(
        self, office: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_args: object, **_more: object) -> None:
            raise OSError("the disk is gone")

        sent = office.invite(2)
        with monkeypatch.context() as patch:
            patch.setattr(rules, "judge", fail)
            assert office.send(sent) == PushResult(pending=2)
        office.clock.advance(LEASE)
        assert office.send(sent) == PushResult(success=2)
        assert office.violations(sent) == []


class TestOneOfMany:
    """What ends at the same time is written down together, and yet each for itself where one cannot be."""

    def test_does_not_stop_the_others(self, office: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        real = rules.judge

        def judge(outcome: Any, **more: Any) -> Judgement:
            if isinstance(outcome, Rejected):
                raise OSError("this one cannot be written down")
            return real(outcome, **more)

        office.refuse_strangers()
        sent = office.enqueue(gather(office.db, office.box, 12, strangers=[2]))
        with monkeypatch.context() as patch:
            patch.setattr(rules, "judge", judge)
            assert office.send(sent) == PushResult(success=10, pending=2)
        assert len(office.lines()) == 10
        office.clock.advance(LEASE)
        assert office.send(sent) == PushResult(success=10, unknown=2)
        assert office.violations(sent) == []

    def test_what_line_said_is_kept_when_the_next_cannot_be_read(
        self, office: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real, seen = claiming.recipients_of, list[int]()

        def recipients_of(tx: ReadTx, task: SendTask) -> Recipients:
            seen.append(task.row.id)
            if len(seen) > 1:
                raise OSError("the disk is gone")
            return real(tx, task)

        sent = office.invite(6)
        with monkeypatch.context() as patch:
            patch.setattr(claiming, "recipients_of", recipients_of)
            patch.setattr(jobs, "THREADS", 1)
            with pytest.raises(OSError, match="the disk is gone"):
                office.send(sent)
        assert office.result(sent) == PushResult(success=2, pending=4)
        assert not any(row["uncertain"] or row["lease_token"] for row in office.chunks()), "nobody called for the rest"
        assert office.send(sent) == PushResult(success=6)
        assert office.violations(sent) == []

    def test_what_line_said_waits_for_a_database_that_comes_back(
        self, office: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real, away = claiming.settle_and_claim, [True]

        def settle_and_claim(tx: Tx, attempts: Sequence[SendAttempt], *more: Any) -> Any:
            if any(one.outcome for one in attempts) and away:
                away.pop()
                raise DatabaseUnavailable
            return real(tx, attempts, *more)

        monkeypatch.setattr(claiming, "settle_and_claim", settle_and_claim)
        sent = office.invite(2)
        assert office.send(sent) == PushResult(success=2)
        assert len(office.calls("multicast")) == 1
        assert len(office.lines()) == 2

    def test_nothing_more_is_called_while_the_database_is_away(
        self, office: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = claiming.settle_and_claim

        def settle_and_claim(tx: Tx, attempts: Sequence[SendAttempt], *more: Any) -> Any:
            if attempts:
                raise DatabaseUnavailable
            return real(tx, attempts, *more)

        sent = office.invite(20)
        with monkeypatch.context() as patch:
            patch.setattr(claiming, "settle_and_claim", settle_and_claim)
            patch.setattr(jobs, "THREADS", 1)
            patch.setattr(jobs, "_MOMENT", 0)
            office.box.breaks("slow", "multicast", seconds=0.2)
            assert office.send(sent).success == 0
        assert len(office.calls("multicast")) <= 2
        office.box.mends()
        office.clock.advance(LEASE)
        assert office.send(sent) == PushResult(success=20)
        assert office.violations(sent) == []

    def test_there_is_a_last_look(self, office: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """A busy LINE asks for two seconds; a slow last call takes longer than that."""
        office.box.breaks("rate_limited", "multicast", times=1)
        sent = office.invite(4)
        real = LineClient.multicast

        def slow(self: LineClient, *call: Any) -> Any:
            outcome = real(self, *call)
            if isinstance(outcome, Accepted):
                time.sleep(0.2)
                office.clock.advance(timedelta(seconds=5))
            return outcome

        monkeypatch.setattr(LineClient, "multicast", slow)
        assert office.send(sent) == PushResult(success=4)


class TestStopping:
    def test_gives_back_what_was_not_tried(self, office: Hall) -> None:
        sent = office.invite(2)
        [task] = claim(office)
        office.runtime.stopping.set()
        office.db.write_now(settle_attempt, attempt(office, task))
        assert jobs.drain(office.runtime) == 0
        [chunk] = office.chunks()
        assert (chunk["lease_token"], chunk["uncertain"]) == (None, False)
        office.runtime.stopping.clear()
        assert office.send(sent) == PushResult(success=2)

    def test_sends_nothing_after_its_time(self, office: Hall) -> None:
        sent = office.invite(2)
        jobs.send(office.runtime, sent, until=time.monotonic() - 1)
        assert office.calls("multicast") == []


class TestWithdraw:
    def test_what_has_not_gone_out_stays_here(self, office: Hall) -> None:
        people = gather(office.db, office.box, 6)
        sent = office.enqueue(people[:4])
        reminder = office.enqueue(people[4:], "reminder", reminder_day="2025-08-16")
        notice = office.enqueue(people, "cancel")
        held = claim(office, 1)
        office.db.write_now(withdraw_unsent, office.event_id)
        assert office.result(sent) == PushResult(fail=2, pending=2)
        assert office.result(reminder) == PushResult(fail=2)
        assert {row["last_error"] for row in office.people() if row["status"] == "FAILED"} == {"cancelled"}
        assert office.stats() == (0, 2)
        assert office.db.write_now(settle_attempt, SendAttempt(held[0], NOBODY, Accepted("in time"))).kept
        assert office.send(notice) == PushResult(success=6)
        assert office.result(sent) == PushResult(success=2, fail=2)

    def test_pushes_too_but_not_what_may_be_out_already(self, office: Hall) -> None:
        office.refuse_strangers()
        office.box.breaks("rate_limited", "push")
        sent = office.enqueue(gather(office.db, office.box, 4, strangers=[1]))
        office.send(sent)
        office.box.breaks("error_500_after", "multicast")
        second = office.enqueue([Recipient(1, office.people()[0]["line_user_id"])], "late")
        office.send(second)
        office.db.write_now(withdraw_unsent, office.event_id)
        assert office.result(sent) == PushResult(success=2, fail=2)
        assert office.result(second) == PushResult(pending=1)

    def test_what_was_in_hand_is_not_tried_again_after_the_event_was_cancelled(self, office: Hall) -> None:
        sent = office.invite(2)
        office.box.breaks("rate_limited", "multicast")
        office.send(sent)
        cancelled = update(Event).values(cancelled_at=office.clock.now())
        office.db.write_now(lambda tx: tx.execute(cancelled).rowcount)
        office.box.mends()
        assert office.send_all(sent) == PushResult(fail=2)
        assert len(office.calls("multicast")) == 1
