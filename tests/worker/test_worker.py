"""The worker by itself: what it does when, and that one bad thing does not stop the others."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest

from tests.events.broadcast.crowd import Hall, make_event
from tests.factories.product import Box, Product, sending_within
from tests.factories.webhooks import event, user_id
from tests.product_fixtures import sqlite_only
from tests.servers import eventually
from tsudoi import worker as worker_module
from tsudoi.access.registration import ActiveContexts, Clockwork, Context, Sender
from tsudoi.core.clock import ManualClock
from tsudoi.core.models import Heartbeat
from tsudoi.core.outbox.claims import claim, complete, take
from tsudoi.core.outbox.table import Outcome
from tsudoi.core.runtime import Runtime
from tsudoi.events.broadcast.service.settling import withdraw_unsent
from tsudoi.line.friends.models import LineFriend
from tsudoi.line.inbox.jobs import LEASE, InboxEvent
from tsudoi.line.inbox.models import LineEvent
from tsudoi.line.inbox.service import INBOX
from tsudoi.worker import Worker, is_due


@contextmanager
def working(product: Product) -> Iterator[threading.Thread]:
    thread = threading.Thread(target=product.worker.run)
    thread.start()
    try:
        yield thread
    finally:
        product.worker.stop()
        thread.join(10)
        assert not thread.is_alive()


class TestRun:
    def test_a_webhook_wakes_it(self, product: Product, box: Box) -> None:
        with working(product):
            who = box.person("山田 太郎")
            box.does(who, "follow")
            eventually(lambda: [row for row in product.rows(LineFriend) if row["display_name"] == "山田 太郎"])

    @sqlite_only
    def test_it_outlives_a_failing_database(self, product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(worker_module, "IDLE", timedelta(milliseconds=10))
        failing, real = threading.Event(), take
        failures: list[int] = []

        def failing_take(*args: object) -> object:
            if failing.is_set():
                failures.append(1)
                raise RuntimeError("the database is away")
            return real(*args)  # type: ignore[arg-type]

        monkeypatch.setattr("tsudoi.line.inbox.jobs.take", failing_take)
        failing.set()
        with working(product):
            product.post_webhook(event("unfollow"))
            eventually(lambda: len(failures) > 2)
            failing.clear()
            eventually(lambda: product.rows(LineFriend))


class TestBroadcasts:
    def test_are_sent_when_it_is_nudged(self, product: Product, box: Box, clock: ManualClock) -> None:
        hall = Hall(product.runtime, clock, box, product.db.write_now(make_event))
        with working(product):
            sent = hall.invite(3)
            product.runtime.work.send()
            eventually(lambda: hall.result(sent).success == 3)
        assert hall.violations(sent) == []

    def test_are_part_of_what_is_due(self, product: Product, box: Box, clock: ManualClock) -> None:
        hall = Hall(product.runtime, clock, box, product.db.write_now(make_event))
        sent = hall.invite(3)
        product.post_webhook(event("unfollow"))
        assert product.drain() == 2
        assert hall.result(sent).success == 3

    @sqlite_only
    def test_that_line_keeps_waiting_do_not_delay_the_inbox(
        self, product: Product, box: Box, clock: ManualClock
    ) -> None:
        """The call lasts until its time-out; the event is handled long before."""
        product.line.policies = sending_within(timedelta(seconds=20))
        hall = Hall(product.runtime, clock, box, product.db.write_now(make_event))
        box.breaks("slow", "multicast", seconds=2)
        sent = hall.invite(3)
        with working(product):
            product.runtime.work.send()
            eventually(lambda: hall.chunks()[0]["lease_token"])
            product.post_webhook(event("unfollow"))
            eventually(lambda: product.rows(LineFriend))
            assert hall.result(sent).pending == 3


class TestClockwork:
    @sqlite_only
    def test_a_job_that_fails_stops_neither_the_others_nor_the_inbox(self, product: Product) -> None:
        def explode(_runtime: Runtime) -> None:
            raise OSError("no space left on device")

        replace_contexts(product, clockwork=(Clockwork("bad", timedelta(seconds=1), explode), NOTE_A_RUN))
        with working(product):
            product.post_webhook(event("unfollow"))
            eventually(lambda: product.rows(LineFriend))
            eventually(lambda: RUNS)

    @sqlite_only
    def test_writes_the_lines_that_a_crash_left_out(self, product: Product, box: Box, clock: ManualClock) -> None:
        hall = Hall(product.runtime, clock, box, product.db.write_now(make_event))
        hall.invite(3)
        product.db.write_now(withdraw_unsent, hall.event_id)
        clock.advance(timedelta(minutes=2))
        with working(product):
            eventually(lambda: len(hall.lines()) == 3)


class TestDrain:
    @sqlite_only
    def test_one_bad_event_does_not_stop_the_others(self, product: Product) -> None:
        def explode(_runtime: Runtime, event: InboxEvent) -> tuple[Outcome, str | None]:
            raise ValueError("boom 山田 太郎")

        replace_contexts(product, line_handlers={"follow": explode})
        product.post_webhook(event("follow"), event("unfollow", who=user_id(2)))
        product.drain()
        assert [row["user_id"] for row in product.rows(LineFriend)] == [user_id(2)]
        bad = product.rows(LineEvent)[0]
        assert (bad["status"], bad["last_error"]) == ("PENDING", "ValueError")

    def test_a_late_worker_cannot_complete_what_another_took(self, product: Product, clock: ManualClock) -> None:
        product.post_webhook(event("unfollow"))
        [held] = product.db.write_now(claim, INBOX, LEASE, 10)
        assert product.drain() == 0
        clock.advance(LEASE)
        assert product.drain() == 1
        assert product.db.write_now(complete, INBOX, held.id, held.lease_token, "FAILED") is False
        assert product.rows(LineEvent)[0]["status"] == "DONE"

    @sqlite_only
    def test_two_workers_never_handle_the_same_event(self, product: Product) -> None:
        handled: list[str] = []
        lock = threading.Lock()

        def note(_runtime: Runtime, event: InboxEvent) -> tuple[Outcome, str | None]:
            with lock:
                handled.append(event.user_id)
            return Outcome.OK, None

        replace_contexts(product, line_handlers={"unfollow": note})
        product.post_webhook(*[event("unfollow", who=user_id(n)) for n in range(100)])
        second = Worker(product.runtime)
        threads = [threading.Thread(target=_drain, args=(each,)) for each in (product.worker, second)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(handled) == sorted(user_id(n) for n in range(100))


def _drain(worker: Worker) -> None:
    while worker.drain():
        pass


RUNS: list[int] = []
NOTE_A_RUN = Clockwork("good", timedelta(seconds=1), lambda _runtime: RUNS.append(1))


def replace_contexts(product: Product, **more: Any) -> None:
    """One more context in front of the others, so that what it registers counts; the worker is told of it."""
    active = product.runtime.part(ActiveContexts)
    product.runtime.add(ActiveContexts((*active.contexts, Context("scratch", **more))))
    product.worker._active = product.runtime.part(ActiveContexts)


@sqlite_only
class TestHeartbeats:
    def test_each_loop_has_its_own(self, product: Product) -> None:
        loops = ["clockwork", *(sender.name for sender in product.runtime.part(ActiveContexts).senders)]
        assert {"event_broadcasts", "line_inbox", "mails"} < set(loops)
        with working(product):
            eventually(lambda: len(product.rows(Heartbeat)) == len(loops))
        assert [row["name"] for row in product.rows(Heartbeat)] == sorted(f"worker:{loop}" for loop in loops)

    def test_a_sender_that_hangs_is_named_while_the_others_go_on(
        self, product: Product, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hanging, let_go = threading.Event(), threading.Event()

        def hang(_runtime: Runtime) -> int:
            hanging.set()
            let_go.wait(20)
            return 0

        monkeypatch.setattr(worker_module, "HEARTBEAT_EVERY", timedelta(milliseconds=20))
        replace_contexts(product, senders=(Sender("stuck", hang),))
        with working(product):
            hanging.wait(10)
            clock.advance(timedelta(minutes=3))
            product.runtime.work.send()
            eventually(lambda: product.http.get("/readyz").json()["work"]["worker"] == "no heartbeat: stuck")
            product.post_webhook(event("unfollow"))
            eventually(lambda: product.rows(LineFriend))
            let_go.set()


def test_a_clockwork_job_runs_when_its_time_has_come(clock: ManualClock) -> None:
    now = clock.now()
    assert is_due(NOTE_A_RUN, None, now)
    assert not is_due(NOTE_A_RUN, now, now + timedelta(milliseconds=999))
    assert is_due(NOTE_A_RUN, now, now + timedelta(seconds=1))
