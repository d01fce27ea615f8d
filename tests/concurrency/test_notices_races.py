"""Cancellations and moves while several senders work: what is committed before a call begins is not told any more."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from tests.concurrency.threads import at_once
from tests.factories.product import runtime_for
from tests.factories.webhooks import user_id
from tests.notifications.clinic import Clinic
from tests.notifications.conftest import clinic, line, make_clinic, no_pauses
from tests.product_fixtures import plain_log, postgresql_only
from tests.sizes import size
from tsudoi.booking.checkout.rules.events import EventFacts
from tsudoi.booking.checkout.service import paid
from tsudoi.booking.checkout.service.receiving import receive
from tsudoi.booking.profile.service import link_line
from tsudoi.booking.reservations.service.booking import book
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Tx
from tsudoi.core.runtime import Runtime
from tsudoi.notifications.notices import jobs
from tsudoi.notifications.notices.jobs import send_pending_jobs
from tsudoi.notifications.notices.service import beginning
from tsudoi.notifications.notices.service.reading import NoticeReader
from tsudoi.notifications.templates.queries import current_bodies

__all__ = ["clinic", "line", "make_clinic", "no_pauses", "plain_log"]

ROUNDS = size(5, 120)
EACH = 12
_DEADLOCKS = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"


@pytest.fixture
def second(clinic: Clinic, database_url: str, clock: ManualClock) -> Iterator[Runtime]:
    """Another process, as far as the database can tell."""
    other = open_database(database_url, clock)
    with runtime_for(clinic.runtime.settings, other) as runtime:
        yield runtime
    other.close()


class Begins:
    """When the step began that decided about each call, and whether a lease was ever lost."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at: dict[int, float] = {}
        self.lost: list[int] = []
        step, log = jobs._SendingRun._step, jobs._SendingRun._log

        def timed_step(run: Any, room: int) -> Any:
            begun = time.monotonic()
            calls = step(run, room)
            self.at.update({call.claimed.job_id: begun for call in calls})
            return calls

        def watched_log(run: Any, settled: Any) -> None:
            self.lost += [one.attempt.call.claimed.job_id for one in settled if not one.kept]
            log(run, settled)

        monkeypatch.setattr(jobs._SendingRun, "_step", timed_step)
        monkeypatch.setattr(jobs._SendingRun, "_log", watched_log)


def deadlocks(clinic: Clinic) -> int:
    """How many PostgreSQL has seen in this database; on SQLite there are none."""
    return int(clinic.sql(_DEADLOCKS)[0][0]) if clinic.db.dialect == "postgresql" else 0


def test_nothing_is_told_after_it_was_cancelled_or_moved(
    clinic: Clinic, second: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins, changed, before = Begins(monkeypatch), dict[int, float](), deadlocks(clinic)

    def change(reservation_ids: list[int], *, by_move: bool) -> None:
        for number, reservation_id in enumerate(reservation_ids):
            if by_move:
                clinic.move(reservation_id, timedelta(days=30 + number))
            else:
                clinic.cancel(reservation_id)
            changed[reservation_id] = time.monotonic()

    for _ in range(ROUNDS):
        reservations = clinic.reserve_many(EACH)
        for reservation in reservations:
            clinic.due(reservation, "REMINDER")
        work: list[Callable[[], object]] = [
            partial(send_pending_jobs, clinic.runtime, caller="command"),
            partial(send_pending_jobs, second, caller="command"),
            partial(change, reservations[::3], by_move=False),
            partial(change, reservations[1::3], by_move=True),
        ]
        at_once(len(work), partial(_do, work))
        clinic.run()
    first = [job for job in clinic.jobs() if job.revision == 0 and job.kind != "CANCEL_COMPLETED"]
    pushed = set(clinic.line.keys)
    for job in first:
        was_before = job.reservation_id in changed and changed[job.reservation_id] < begins.at.get(job.job_id, 0)
        assert not was_before, "told of what was over before the call began"
        assert (job.retry_key in pushed) == (job.status == "SENT")
        assert job.status == "SENT" or (job.status == "DASH" and job.reservation_id in changed)
    assert len(clinic.line.keys) == len(pushed), "somebody was told twice"
    assert begins.lost == []
    assert {job.status for job in clinic.jobs() if job.scheduled_at <= clinic.now} == {"SENT", "DASH"}
    assert deadlocks(clinic) == before


def _do(work: list[Callable[[], object]], number: int) -> None:
    work[number]()


@postgresql_only
class TestTheLock:
    """A cancellation that comes between the look at the reservation and the commit of the attempt."""

    def canceled_in_between(self, clinic: Clinic, monkeypatch: pytest.MonkeyPatch) -> tuple[bool, str]:
        """Whether the cancellation was committed before the attempt, and what became of the confirmation."""
        reservation = clinic.reserve()
        job_id, done, seen = clinic.job(reservation).job_id, threading.Event(), list[bool]()

        def cancel() -> None:
            clinic.cancel(reservation)
            done.set()

        def slow(tx: Tx) -> Any:
            pool.submit(cancel)
            seen.append(done.wait(0.5))
            return current_bodies(tx)

        monkeypatch.setattr(beginning, "current_bodies", slow)
        with ThreadPoolExecutor(1) as pool:
            clinic.run(only=[job_id])
        return seen[0], clinic.job(reservation).status

    def test_waits(self, clinic: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.canceled_in_between(clinic, monkeypatch) == (False, "SENT")

    def test_without_the_lock_it_would_be_told_after_the_cancellation(
        self, clinic: Clinic, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        reader = clinic.runtime.part(NoticeReader)
        clinic.runtime.add(replace(reader, lock=lambda _tx, ids: list(ids)))
        assert self.canceled_in_between(clinic, monkeypatch) == (True, "SENT")


@postgresql_only
def test_linking_while_a_payment_arrives_loses_no_reminder(clinic: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both lock the person, so that the link waits and finds a seat that is certain."""
    person, linked = clinic.person(linked=False), threading.Event()
    slot_id = clinic.hospital.slot(clinic.hospital.type("人間ドック", price_jpy=3000), "2025-09-10")
    held = clinic.db.write_now(book, person, slot_id, "test", "http://127.0.0.1:1").id
    event = EventFacts("evt_1", "payment_intent.succeeded", clinic.now, livemode=False, reservation_id=held)
    event = replace(event, payment_intent_id="pi_1", amount=3000, currency="jpy")
    real = paid._mark_paid

    def link() -> None:
        clinic.db.write_now(link_line, person, user_id(500_000))
        linked.set()

    def slow(*given: Any) -> int:
        pool.submit(link)
        assert not linked.wait(0.5)
        return real(*given)

    monkeypatch.setattr(paid, "_mark_paid", slow)
    with ThreadPoolExecutor(1) as pool:
        clinic.db.write_now(receive, event, live=False)
    assert clinic.job(held, "REMINDER").status == "PENDING"
    assert clinic.skips(held) == {"CONFIRMATION": "NO_LINE_LINK"}
