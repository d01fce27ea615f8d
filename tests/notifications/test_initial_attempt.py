"""The attempt right after a booking: new jobs only, once, within a second, and it never fails the request."""

import asyncio
import time
from collections.abc import Callable
from datetime import timedelta

import pytest

from tests.factories.line_stand_in import MONTHLY, SILENT, Answer
from tests.notifications.clinic import Clinic
from tests.product_fixtures import sqlite_only
from tsudoi.core.errors import DatabaseUnavailable
from tsudoi.notifications.notices import jobs
from tsudoi.notifications.notices.jobs import initial_attempt, job_ids
from tsudoi.notifications.notices.service import sending
from tsudoi.notifications.notices.service.making import TABLE


def attempt(clinic: Clinic, *ids: int) -> float:
    started = time.monotonic()
    asyncio.run(initial_attempt(clinic.runtime, ids))
    return time.monotonic() - started


def test_the_new_job_is_sent_and_the_others_wait(clinic: Clinic) -> None:
    other, new = clinic.reserve(), clinic.reserve()
    attempt(clinic, clinic.job(new).job_id)
    assert (clinic.job(new).status, clinic.job(other).status) == ("SENT", "PENDING")
    assert clinic.job(new, "REMINDER").status == "PENDING"
    assert [one.caller for one in clinic.attempts(clinic.job(new).job_id)] == ["initial"]


def test_a_job_of_the_future_is_not_tried(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    attempt(clinic, clinic.job(reservation, "REMINDER").job_id)
    assert clinic.line.pushes == []


def test_it_is_the_function_of_the_command(clinic: Clinic) -> None:
    """The same answer has the same result, and one call is all that it makes."""
    by_command, at_once = clinic.reserve(), clinic.reserve()
    clinic.line.always(Answer(429, MONTHLY))
    attempt(clinic, clinic.job(at_once).job_id)
    clinic.run()
    first, second = clinic.job(by_command), clinic.job(at_once)
    assert (first.status, first.attempt_count, first.last_error) == (
        second.status,
        second.attempt_count,
        second.last_error,
    )
    assert len(clinic.line.pushes) == 2


def test_after_silence_the_command_asks_with_the_same_key(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    clinic.line.in_turn(SILENT)
    attempt(clinic, clinic.job(reservation).job_id)
    assert (clinic.job(reservation).status, len(clinic.line.pushes)) == ("PENDING", 1)
    clinic.run()
    assert clinic.job(reservation).status == "SENT"
    assert len(set(clinic.line.keys)) == 1


def test_a_line_that_sleeps_costs_a_second_at_most(clinic: Clinic) -> None:
    reservations = clinic.reserve_many(3)
    clinic.line.always(Answer(seconds=12))
    took = attempt(clinic, *(clinic.job(one).job_id for one in reservations))
    assert took < 1.8
    assert {clinic.job(one).status for one in reservations} == {"PENDING"}


@sqlite_only
def test_more_jobs_than_fit_are_left_to_the_command(clinic: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
    # This is about the number. On a busy machine eight attempts may take longer than a second.
    monkeypatch.setattr(jobs, "_FIRST_ATTEMPT", 30.0)
    reservations = clinic.reserve_many(20)
    attempt(clinic, *(clinic.job(one).job_id for one in reservations))
    assert len(clinic.line.pushes) == 8
    clinic.run()
    assert len(set(clinic.line.keys)) == len(clinic.line.pushes) == 20


@sqlite_only
def test_without_time_for_a_call_the_job_is_given_back(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    before = clinic.job(reservation)
    clinic.try_now(before.job_id, until=time.monotonic() + 0.05)
    after = clinic.job(reservation)
    assert (after.status, after.maybe_sent, after.lease_until, after.attempt_count) == ("PENDING", 0, None, 0)
    assert clinic.line.pushes == []
    assert clinic.attempts(before.job_id) == []


@sqlite_only
def test_a_failing_database_does_not_fail_the_request(clinic: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
    reservation = clinic.reserve()

    def away(*_arguments: object) -> None:
        raise DatabaseUnavailable

    monkeypatch.setattr(sending, "step", away)
    attempt(clinic, clinic.job(reservation).job_id)
    assert clinic.job(reservation).status == "PENDING"


@pytest.mark.row("2.9.6")
def test_a_dry_run_covers_it(make_clinic: Callable[..., Clinic]) -> None:
    clinic = make_clinic(notification_cron_dry_run=True)
    reservation = clinic.reserve()
    before = clinic.jobs()
    attempt(clinic, clinic.job(reservation).job_id)
    clinic.try_now(clinic.job(reservation).job_id)
    assert clinic.run().candidates == 0
    assert clinic.jobs() == before
    assert clinic.line.requests == 0


@sqlite_only
def test_where_booking_is_off_nothing_is_due(make_clinic: Callable[..., Clinic]) -> None:
    on = make_clinic()
    reservation = on.reserve()
    off = make_clinic(features=("events",))
    assert off.run().candidates == 0
    attempt(off, on.job(reservation).job_id)
    assert on.job(reservation).status == "PENDING"


def test_only_jobs_are_picked_from_what_a_transaction_wrote() -> None:
    assert job_ids([(TABLE, 3), ("payment_tasks", 4), (TABLE, 5)]) == [3, 5]


def test_a_cancellation_older_than_its_attempt_is_made_by_the_command(clinic: Clinic) -> None:
    """The server died right after the commit."""
    reservation = clinic.reserve()
    clinic.run()
    clinic.cancel(reservation)
    clinic.hospital.db.clock.advance(timedelta(minutes=3))  # type: ignore[attr-defined]
    assert clinic.run().sent == 1
    assert clinic.job(reservation, "CANCEL_COMPLETED").status == "SENT"
