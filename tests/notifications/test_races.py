"""Senders, cancellations and moves at the same time: nobody is told what is not true any more, and nobody twice."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.factories.line_stand_in import Answer, Push
from tests.notifications.clinic import Clinic
from tests.product_fixtures import postgresql_only
from tsudoi.core.db.interface import Tx
from tsudoi.notifications.notices.service import claiming
from tsudoi.notifications.notices.service.reading import NoticeReader

NUMBER = 40


def at_once(*functions: Callable[[], object]) -> None:
    with ThreadPoolExecutor(len(functions)) as pool:
        for future in [pool.submit(function) for function in functions]:
            future.result()


def test_two_senders_send_each_job_once(clinic: Clinic) -> None:
    clinic.reserve_many(NUMBER)
    clinic.line.always(Answer(seconds=0.01))
    at_once(clinic.run, clinic.run, clinic.run)
    assert len(set(clinic.line.keys)) == len(clinic.line.pushes) == NUMBER
    assert {job.status for job in clinic.jobs(kind="CONFIRMATION")} == {"SENT"}


def test_a_reminder_never_goes_out_for_what_is_cancelled(clinic: Clinic) -> None:
    """Each cancellation is either before the call, and then there is none, or during it."""
    reservations = clinic.reserve_many(NUMBER)
    clinic.run()
    for reservation in reservations:
        clinic.due(reservation, "REMINDER")
    clinic.line.pushes.clear()
    canceled_before: set[str | None] = set()

    def cancel_all() -> None:
        for reservation in reversed(reservations):
            clinic.cancel(reservation)
            job = clinic.job(reservation, "REMINDER")
            if job.status == "DASH":
                canceled_before.add(job.retry_key)

    at_once(clinic.run, cancel_all, clinic.run)
    reminded = {push.retry_key for push in clinic.line.pushes if "リマインド" in push.text}
    assert not reminded & canceled_before
    jobs = clinic.jobs(kind="REMINDER")
    assert {job.status for job in jobs} <= {"SENT", "DASH"}
    assert {job.retry_key for job in jobs if job.status == "SENT"} == reminded
    assert sum(job.status == "DASH" for job in jobs) + len(reminded) == NUMBER


def test_a_reminder_never_names_a_time_that_was_moved_before(clinic: Clinic) -> None:
    reservations = clinic.reserve_many(12)
    clinic.run()
    for reservation in reservations:
        clinic.due(reservation, "REMINDER")
    clinic.line.pushes.clear()

    def move_all() -> None:
        for number, reservation in enumerate(reversed(reservations)):
            clinic.move(reservation, timedelta(days=40 + number))

    at_once(clinic.run, move_all, clinic.run)
    clinic.run()
    assert len(set(clinic.line.keys)) == len(clinic.line.pushes)
    for reservation in reservations:
        old = clinic.job(reservation, "REMINDER", revision=0)
        assert (old.status, old.dash_reason) in {("SENT", None), ("DASH", "MOVED")}
        assert clinic.job(reservation, "CONFIRMATION", revision=1).status == "SENT"


def faulty(clinic: Clinic) -> dict[tuple[str, str], int]:
    """Every other call goes wrong in turn: accepted and lost, 500 before and after, 429. Runs until nothing is pending.

    Returns how often LINE delivered each message.
    """
    delivered: dict[tuple[str, str], int] = {}
    faults = (
        Answer(silent=True),
        Answer(500, {"message": "Internal"}),
        Answer(429, {"message": "The API rate limit has been exceeded. Try again later."}),
    )

    def deliver(push: Push) -> None:
        if push.retry_key not in clinic.line.accepted:
            clinic.line.accepted.add(push.retry_key or "")
            delivered[push.to, push.text] = delivered.get((push.to, push.text), 0) + 1

    def sometimes(push: Push, number: int) -> Answer:
        fault = faults[number // 2 % len(faults)] if number % 2 else None
        # Silence after the message was taken, and a 500 after it half of the time.
        if fault is None or fault.silent or (fault.status == 500 and number % 4 == 1):
            deliver(push)
        return fault or Answer()

    clinic.line.answer = sometimes
    while any(job.status == "PENDING" for job in clinic.jobs(kind="CONFIRMATION")):
        at_once(clinic.run, clinic.run)
    return delivered


def test_with_faults_everybody_gets_it_once_or_is_shown_as_failed(clinic: Clinic) -> None:
    clinic.reserve_many(NUMBER)
    delivered = faulty(clinic)
    assert set(delivered.values()) == {1}
    jobs = clinic.jobs(kind="CONFIRMATION")
    assert {job.status for job in jobs} <= {"SENT", "FAILED"}
    told = {to for to, _ in delivered}
    assert all(job.line_user_id in told for job in jobs if job.status == "SENT")
    assert all(job.maybe_sent for job in jobs if job.status == "FAILED" and job.line_user_id in told)


def test_a_new_key_for_each_attempt_would_send_twice(clinic: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: without the stored key the test above fails."""
    original = claiming._claimed
    monkeypatch.setattr(claiming, "_claimed", lambda row, token: replace(original(row, token), retry_key=None))
    clinic.reserve_many(NUMBER)
    clinic.line.in_turn(*[Answer(silent=True)] * 3 * NUMBER)
    clinic.run()
    clinic.run()
    assert len(clinic.line.accepted) == 2 * NUMBER


@postgresql_only
def test_a_reservation_that_somebody_holds_is_begun_a_moment_later(clinic: Clinic) -> None:
    held, free = clinic.reserve_many(2)
    has_lock, release = threading.Event(), threading.Event()

    def hold(tx: Tx) -> None:
        assert list(clinic.runtime.part(NoticeReader).lock(tx, [held])) == [held]
        has_lock.set()
        release.wait(30)

    def run() -> None:
        has_lock.wait(30)
        clinic.run()

    def let_go() -> None:
        has_lock.wait(30)
        while len(clinic.line.pushes) < 1:
            release.wait(0.01)
        release.set()

    at_once(lambda: clinic.db.write_now(hold), run, let_go)
    assert [clinic.job(one).status for one in (held, free)] == ["SENT", "SENT"]
    assert clinic.line.keys == [clinic.job(free).retry_key, clinic.job(held).retry_key]


@postgresql_only
def test_a_reservation_that_is_held_for_long_waits_for_the_next_run(
    clinic: Clinic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tsudoi.notifications.notices.jobs._BUSY_TRIES", 2)
    reservation = clinic.reserve()
    reader = clinic.runtime.part(NoticeReader)

    def hold(tx: Tx) -> None:
        reader.lock(tx, [reservation])
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(clinic.run).result().sent == 0

    clinic.db.write_now(hold)
    job = clinic.job(reservation)
    assert (job.status, job.lease_until, job.maybe_sent) == ("PENDING", None, 0)
    assert clinic.run().sent == 1
