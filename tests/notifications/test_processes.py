"""The command as a process of its own: its documented name, time zones, what it loads, and how it ends."""

import signal
import time
from datetime import timedelta

import pytest

from tests.factories.line_stand_in import Answer
from tests.notifications.cron import ALIAS, COMMAND, Cron
from tests.notifications.test_command import cron
from tests.product_fixtures import sqlite_only
from tests.servers import eventually

__all__ = ["cron"]


@pytest.mark.row("2.7.1")
def test_the_documented_name_sends(cron: Cron) -> None:
    reservation = cron.clinic.reserve()
    done = cron.process(*ALIAS)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "candidates=1 sent=1 failed=0 unknown=0 dry_run=false"
    assert cron.clinic.job(reservation).status == "SENT"


@sqlite_only
@pytest.mark.row("2.4.5", "2.10.6")
@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York", "UTC"])
def test_the_time_zone_of_the_machine_does_not_matter(cron: Cron, zone: str) -> None:
    due, later = cron.clinic.reserve_many(2)
    cron.clinic.due(due, "REMINDER")
    cron.clinic.change(cron.clinic.job(later).job_id, scheduled_at=cron.clinic.now + timedelta(minutes=30))
    done = cron.process(*COMMAND, TZ=zone)
    assert done.stdout.splitlines()[-1] == "candidates=2 sent=2 failed=0 unknown=0 dry_run=false"
    assert cron.clinic.statuses(due) == {"CONFIRMATION": "SENT", "REMINDER": "SENT"}
    assert cron.clinic.job(later).status == "PENDING"


def test_a_run_that_finds_nothing_loads_little(cron: Cron) -> None:
    """Neither the web framework nor SQLAlchemy: cron starts this each minute."""
    script = (
        "import sys; from tsudoi.commands.notifications import SendArguments, run_send;"
        "code = run_send(SendArguments());"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'fastapi', 'starlette', 'sqlalchemy'}))"
    )
    done = cron.process("-c", script)
    assert done.stdout.splitlines() == ["candidates=0 sent=0 failed=0 unknown=0 dry_run=false", "[]"], done.stderr


@sqlite_only
def test_it_repeats_itself_until_it_is_asked_to_stop(cron: Cron) -> None:
    process = cron.started("--every", "1")
    try:
        first = cron.clinic.reserve()
        eventually(lambda: cron.clinic.job(first).status == "SENT", seconds=60)
        second = cron.clinic.reserve()
        eventually(lambda: cron.clinic.job(second).status == "SENT", seconds=60)
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 0
    assert out.splitlines() == ["candidates=1 sent=1 failed=0 unknown=0 dry_run=false"] * 2


@sqlite_only
def test_asked_to_stop_it_settles_the_calls_under_way_and_gives_the_rest_back(cron: Cron) -> None:
    cron.clinic.reserve_many(40)
    cron.clinic.line.always(Answer(seconds=1))
    process = cron.started()
    try:
        eventually(lambda: len(cron.clinic.line.pushes) >= 8, seconds=60)
        asked = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 0
    assert time.monotonic() - asked < 10
    jobs = cron.clinic.jobs(kind="CONFIRMATION")
    assert {job.status for job in jobs} == {"SENT", "PENDING"}
    assert all(job.maybe_sent == 0 and job.lease_until is None for job in jobs)
    assert sum(job.status == "SENT" for job in jobs) == len(cron.clinic.line.accepted)


@sqlite_only
def test_several_at_once_send_each_job_once(cron: Cron) -> None:
    cron.clinic.reserve_many(60)
    processes = [cron.started() for _ in range(3)]
    for process in processes:
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert len(set(cron.clinic.line.keys)) == len(cron.clinic.line.pushes) == 60
    assert {job.status for job in cron.clinic.jobs(kind="CONFIRMATION")} == {"SENT"}
