"""What a run does with the jobs that are due: which it takes, in which order, and what it writes."""

import uuid
from datetime import timedelta

import pytest

from tests.factories.line_stand_in import OK, Answer, Push
from tests.notifications.clinic import Clinic
from tsudoi.core.clock import utc_text
from tsudoi.notifications.notices import jobs


@pytest.mark.quick("happy_path")
@pytest.mark.row("2.7.7", "2.5.2", "2.1.6")
def test_a_success_is_sent(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    result = clinic.run()
    job = clinic.job(reservation)
    assert (job.status, job.last_error, job.attempt_count, job.outcome_unknown) == ("SENT", None, 0, 0)
    assert (result.candidates, result.sent, result.failed, result.unknown) == (1, 1, 0, 0)
    assert [attempt.outcome for attempt in clinic.attempts(job.job_id)] == ["SENT"]
    assert clinic.statuses(reservation) == {"CONFIRMATION": "SENT", "REMINDER": "PENDING"}


@pytest.mark.row("2.3.11")
def test_a_row_with_the_documented_columns_alone_is_a_full_job(clinic: Clinic) -> None:
    reservation = clinic.without_jobs(clinic.reserve())
    job_id = clinic.by_hand(reservation, "CONFIRMATION", clinic.now - timedelta(minutes=1))
    clinic.run()
    [push] = clinic.line.pushes
    assert str(uuid.UUID(push.retry_key)) == push.retry_key
    [job] = clinic.jobs(job_id=job_id)
    assert (job.status, job.retry_key) == ("SENT", push.retry_key)


@pytest.mark.row("2.7.4")
def test_the_condition_of_the_document_lists_what_is_tried(clinic: Clinic) -> None:
    reservations = clinic.reserve_many(6)
    clinic.due(reservations[0], "REMINDER")
    for reservation, status in zip(reservations[1:4], ("SENT", "FAILED", "DASH"), strict=True):
        clinic.change(clinic.job(reservation).job_id, status=status)
    condition = "SELECT job_id FROM notification_jobs WHERE status='PENDING' AND scheduled_at <= :now_utc"
    listed = {row.job_id for row in clinic.sql(condition, now_utc=utc_text(clinic.now))}
    clinic.run()
    tried = {row.job_id for row in clinic.sql("SELECT job_id FROM notification_attempts")}
    assert listed == tried
    assert len(clinic.line.pushes) == len(listed) == 4


@pytest.mark.row("2.7.5", "2.7.6")
def test_due_exactly_now_counts_and_the_future_does_not(clinic: Clinic) -> None:
    now, later = clinic.reserve_many(2)
    clinic.change(clinic.job(now).job_id, scheduled_at=clinic.now)
    clinic.change(clinic.job(later).job_id, scheduled_at=clinic.now + timedelta(seconds=60))
    before = clinic.job(later)
    clinic.run()
    assert clinic.job(now).status == "SENT"
    assert clinic.job(later) == before
    assert len(clinic.line.pushes) == 1


@pytest.mark.row("2.4.6", "2.7.9")
def test_the_oldest_goes_first_and_text_order_is_time_order(clinic: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tsudoi.notifications.notices.jobs.THREADS", 1)
    reservations = clinic.reserve_many(3)
    times = ("2025-08-16T02:00:00.000001+00:00", "2025-08-16T02:00:00+00:00", "2025-08-16T01:59:59.999999+00:00")
    for reservation, at in zip(reservations, times, strict=True):
        clinic.by_hand(clinic.without_jobs(reservation), "CONFIRMATION", at)
    clinic.run()
    expected = [clinic.job(reservation).retry_key for reservation in reversed(reservations)]
    assert clinic.line.keys == expected


@pytest.mark.row("2.5.8", "2.5.9")
def test_only_pending_jobs_are_taken_however_often_it_runs(clinic: Clinic) -> None:
    reservations = clinic.reserve_many(3)
    for reservation, status in zip(reservations, ("SENT", "FAILED", "DASH"), strict=True):
        clinic.change(clinic.job(reservation).job_id, status=status)
    before = clinic.jobs(kind="CONFIRMATION")
    for _ in range(3):
        assert clinic.run().candidates == 0
    assert clinic.line.pushes == []
    assert clinic.jobs(kind="CONFIRMATION") == before


@pytest.mark.row("2.7.11")
def test_a_limit_bounds_a_run(clinic: Clinic) -> None:
    clinic.reserve_many(5)
    result = clinic.run(limit=2)
    assert (result.candidates, result.sent, len(clinic.line.pushes)) == (2, 2, 2)
    assert clinic.run().sent == 3


def test_more_than_a_batch_is_sent_once_each(clinic: Clinic) -> None:
    clinic.reserve_many(120)
    assert clinic.run().sent == 120
    assert len(set(clinic.line.keys)) == len(clinic.line.keys) == 120


@pytest.mark.row("2.1.2")
def test_no_push_without_a_row(clinic: Clinic) -> None:
    first, second, third = clinic.reserve_many(3)
    clinic.line.in_turn(OK, Answer(400, {"message": "The request body has 1 error(s)"}))
    clinic.run()
    clinic.cancel(first)
    clinic.move(second, timedelta(days=20))
    clinic.run()
    clinic.due(third, "REMINDER")
    clinic.run()
    tried = clinic.sql(
        "SELECT DISTINCT j.retry_key FROM notification_jobs j JOIN notification_attempts a ON a.job_id = j.job_id"
    )
    assert set(clinic.line.keys) == {row.retry_key for row in tried}


@pytest.mark.row("2.1.3")
def test_the_row_is_committed_before_the_call(clinic: Clinic) -> None:
    reservation, seen = clinic.reserve(), []

    def look(push: Push, _number: int) -> Answer:
        seen.append(clinic.sql("SELECT status, maybe_sent, retry_key FROM notification_jobs ORDER BY job_id")[0])
        return OK

    clinic.line.answer = look
    clinic.run()
    assert [tuple(row) for row in seen] == [("PENDING", 1, clinic.job(reservation).retry_key)]


def test_a_call_that_hangs_does_not_hold_up_the_others(clinic: Clinic) -> None:
    reservations = clinic.reserve_many(30)
    slow = clinic.job(reservations[0]).retry_key
    clinic.line.answer = lambda push, _: Answer(seconds=0.7 if push.retry_key == slow else 0)
    finished: list[str] = []
    original = clinic.line.receive

    def receive(push: Push) -> Answer:
        finished.append(push.retry_key or "")
        return original(push)

    clinic.line.receive = receive  # type: ignore[method-assign]
    assert clinic.run().sent == 30
    assert len(finished) == 30


def test_the_push_log_has_a_line_without_names(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    clinic.run()
    [file] = (clinic.runtime.settings.log_dir / "push").iterdir()
    assert f'"reservation_id":{reservation}' in file.read_text()
    assert "山田" not in file.read_text()


@pytest.mark.row("2.3.10")
def test_a_change_of_the_status_changes_the_time_of_the_row(clinic: Clinic) -> None:
    reservation = clinic.reserve()
    before = clinic.job(reservation)
    clinic.hospital.db.clock.advance(timedelta(minutes=5))  # type: ignore[attr-defined]
    clinic.run()
    after = clinic.job(reservation)
    assert after.created_at == before.created_at
    assert after.updated_at == clinic.now > before.updated_at


@pytest.mark.parametrize("seconds_ahead", [0.1, 60])
def test_few_calls_are_begun_ahead_when_line_is_slow(
    clinic: Clinic, monkeypatch: pytest.MonkeyPatch, seconds_ahead: float
) -> None:
    """Eight calls take 0.2 seconds, so that 0.1 seconds are four calls. The control begins a minute ahead."""
    monkeypatch.setattr(jobs, "_AHEAD", seconds_ahead)
    clinic.reserve_many(40)
    begun: list[int] = []

    def answer(_push: Push, _number: int) -> Answer:
        begun.append(len(clinic.jobs(maybe_sent=1)))
        return Answer(seconds=0.2)

    clinic.line.answer = answer
    assert clinic.run().sent == 40
    # Up to eight more have ended and are not settled yet.
    assert (max(begun) <= 2 * jobs.THREADS + 4) == (seconds_ahead < 1)


def test_a_call_that_waited_for_too_long_is_given_back(clinic: Clinic, monkeypatch: pytest.MonkeyPatch) -> None:
    reservation = clinic.reserve()
    monkeypatch.setattr("tsudoi.notifications.notices.jobs._LONGEST_AHEAD", timedelta(seconds=-1))
    result = clinic.run()
    assert (result.candidates, result.sent, clinic.line.pushes) == (1, 0, [])
    job = clinic.job(reservation)
    assert (job.status, job.maybe_sent, job.lease_token) == ("PENDING", 0, None)
    assert clinic.attempts(job.job_id) == []
    monkeypatch.undo()
    clinic.cancel(reservation)
    assert clinic.run().sent == 1
    assert clinic.statuses(reservation) == {"CONFIRMATION": "DASH", "REMINDER": "DASH", "CANCEL_COMPLETED": "SENT"}
