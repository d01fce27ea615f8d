"""`tsudoi notifications send`: what it prints, its exit codes, and the dry run."""

import json
import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.databases import ReusedDatabase
from tests.factories.line_stand_in import MONTHLY, SILENT, Answer, LineStandIn
from tests.factories.terminal import Terminal
from tests.notifications.clinic import Clinic, clinic_at
from tests.notifications.cron import Cron
from tests.product_fixtures import postgresql_only, sqlite_only
from tsudoi.booking.switch import is_on
from tsudoi.contexts import active_contexts
from tsudoi.core.clock import JST, SystemClock, display
from tsudoi.core.heartbeats import beat
from tsudoi.core.models import Heartbeat
from tsudoi.core.settings import Settings
from tsudoi.gateway.models import ApiCallLog
from tsudoi.notifications.pause.service import pause


@pytest.fixture
def cron(
    database_url: str,
    reused_database: ReusedDatabase,
    line: LineStandIn,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    no_pauses: None,
) -> Iterator[Cron]:
    monkeypatch.chdir(tmp_path)
    with (
        reused_database.opened(database_url, SystemClock()) as db,
        clinic_at(db, line, tmp_path / "data") as clinic,
    ):
        yield Cron(clinic, database_url, tmp_path, Terminal(tmp_path, monkeypatch, capsys))


def dump(clinic: Clinic, url: str) -> list[Any]:
    """Everything that is stored, of every table."""
    if url.startswith("sqlite"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
            return list(connection.iterdump())
    tables = clinic.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
    return [[tuple(row) for row in clinic.sql(f"SELECT * FROM {name} ORDER BY 1")] for (name,) in tables]


@pytest.mark.row("2.7.2", "2.7.3", "2.7.11")
def test_it_sends_and_says_how_much(cron: Cron) -> None:
    good, bad, silent = cron.clinic.reserve_many(3)
    answers = {
        cron.clinic.job(bad).retry_key: Answer(400, {"message": "no"}),
        cron.clinic.job(silent).retry_key: SILENT,
    }
    cron.clinic.line.answer = lambda push, _: answers.get(push.retry_key, Answer())
    done = cron()
    assert done.code == 0
    assert done.out.splitlines()[-1] == "candidates=3 sent=1 failed=1 unknown=1 dry_run=false"
    assert cron.clinic.job(good).status == "SENT"
    [beat] = cron.clinic.hospital.rows(Heartbeat, name="notifications")
    assert cron.clinic.now - beat.at < timedelta(minutes=1)


@pytest.mark.row("2.7.11")
def test_a_limit_and_json(cron: Cron) -> None:
    cron.clinic.reserve_many(5)
    found = json.loads(cron("--limit", "2", "--json").out)
    assert {name: found[name] for name in ("candidates", "sent", "failed", "unknown", "dry_run", "paused")} == {
        "candidates": 2,
        "sent": 2,
        "failed": 0,
        "unknown": 0,
        "dry_run": False,
        "paused": False,
    }
    assert len(cron.clinic.line.pushes) == 2
    assert cron("--limit", "0").code != 0


@pytest.mark.quick("refusal")
@pytest.mark.row("2.8.1")
def test_the_monthly_limit_is_no_exception(cron: Cron) -> None:
    cron.clinic.reserve_many(3)
    cron.clinic.line.always(Answer(429, MONTHLY))
    done = cron()
    assert done.code == 0
    assert done.out.splitlines()[-1] == "candidates=3 sent=0 failed=3 unknown=0 dry_run=false"
    assert "Traceback" not in done.err


def test_nothing_to_do_is_a_run_too(cron: Cron) -> None:
    cron.clinic.reserve()
    cron.clinic.run()
    done = cron()
    assert (done.code, done.out) == (0, "candidates=0 sent=0 failed=0 unknown=0 dry_run=false\n")
    assert len(cron.clinic.hospital.rows(Heartbeat, name="notifications")) == 1


def test_a_pause_is_said(cron: Cron) -> None:
    cron.clinic.reserve()
    cron.clinic.db.write_now(pause, "文面の確認", "test")
    done = cron()
    assert done.code == 0
    assert "停止中" in done.out
    assert done.out.splitlines()[-1] == "candidates=0 sent=0 failed=0 unknown=0 dry_run=false"
    assert cron.clinic.line.requests == 0


@pytest.mark.row("2.9.1", "2.9.2", "2.9.3", "2.9.4")
@pytest.mark.parametrize("value", ["true", "TRUE", "1", "yes"])
def test_a_dry_run_lists_and_changes_nothing(cron: Cron, value: str) -> None:
    reservations = cron.clinic.reserve_many(3)
    url = cron.settings["DATABASE_URL"]
    before = dump(cron.clinic, url)
    done = cron(NOTIFICATION_CRON_DRY_RUN=value)
    assert dump(cron.clinic, url) == before
    assert cron.clinic.line.requests == 0
    assert done.code == 0
    *table, last = done.out.splitlines()
    assert last == "candidates=3 sent=0 failed=0 unknown=0 dry_run=true"
    for reservation, line in zip(reservations, table[1:], strict=True):
        job = cron.clinic.job(reservation)
        assert line.split()[:2] == [str(job.job_id), "CONFIRMATION"]
        assert display(job.scheduled_at) in line
        assert f" {reservation} " in line
        assert "U***" in line
        assert "SEND" in line


@sqlite_only
@pytest.mark.row("2.9.3")
def test_a_dry_run_says_what_would_not_be_sent(cron: Cron) -> None:
    reservation = cron.clinic.reserve()
    cron.clinic.sql("UPDATE reservations SET canceled_at = created_at WHERE id = :r", r=reservation)
    found = json.loads(cron("--json", NOTIFICATION_CRON_DRY_RUN="true").out)
    [job] = found["jobs"]
    assert (job["would"], found["candidates"]) == ("DASH CANCELLED", 1)
    assert job["scheduled_at"] == cron.clinic.job(reservation).scheduled_at.astimezone(JST).strftime("%Y/%m/%d %H:%M")


@pytest.mark.row("2.9.4")
def test_false_sends(cron: Cron) -> None:
    cron.clinic.reserve()
    assert "sent=1" in cron(NOTIFICATION_CRON_DRY_RUN="false").out


@pytest.mark.row("2.9.5")
@pytest.mark.parametrize("value", ["ture", "2", "dry"])
def test_a_value_that_cannot_be_read_does_not_send(cron: Cron, value: str) -> None:
    cron.clinic.reserve()
    url = cron.settings["DATABASE_URL"]
    before = dump(cron.clinic, url)
    done = cron(NOTIFICATION_CRON_DRY_RUN=value)
    assert done.code == 2
    assert "NOTIFICATION_CRON_DRY_RUN" in done.err
    assert cron.clinic.line.requests == 0
    assert dump(cron.clinic, url) == before


def test_settings_that_cannot_send_are_refused(cron: Cron) -> None:
    """Every job would fail for a token that is missing."""
    cron.clinic.reserve()
    done = cron(LINE_CHANNEL_ACCESS_TOKEN="")
    assert done.code == 2
    assert "LINE_CHANNEL_ACCESS_TOKEN" in done.err
    assert cron.clinic.jobs(kind="CONFIRMATION")[0].status == "PENDING"


@sqlite_only
def test_cron_with_other_settings_than_the_server_is_told_so(cron: Cron) -> None:
    cron.clinic.reserve()
    done = cron(JWT_SECRET="", REFRESH_SECRET="", SECURITY_PIN_PEPPER="")
    assert done.code == 2
    assert "JWT_SECRET" in done.err
    assert cron(JWT_SECRET="", REFRESH_SECRET="", SECURITY_PIN_PEPPER="", FEATURES="events").code == 0


@postgresql_only
@pytest.mark.row("2.10.5")
def test_a_database_that_cannot_be_written_sends_nothing(cron: Cron) -> None:
    reservation = cron.clinic.reserve()
    url = cron.settings["DATABASE_URL"]
    read_only = f"{url}{'&' if '?' in url else '?'}options=-c%20default_transaction_read_only%3Don"
    done = cron(DATABASE_URL=read_only)
    assert done.code == 3
    assert "read-only" in done.err
    assert cron.clinic.line.requests == 0
    assert cron.clinic.job(reservation).status == "PENDING"


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("sqlite:////nowhere/tsudoi.sqlite3", 3),
        ("postgresql://nobody@127.0.0.1:9/nothing", 3),
    ],
)
@sqlite_only
def test_a_database_that_is_away(cron: Cron, url: str, code: int) -> None:
    done = cron(DATABASE_URL=url)
    assert (done.code, done.out) == (code, "")
    assert "DATABASE_URL" in done.err


@sqlite_only
def test_a_database_without_a_schema(cron: Cron, tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "empty.sqlite3").close()
    done = cron(DATABASE_URL=f"sqlite:///{tmp_path / 'empty.sqlite3'}")
    assert done.code == 2
    assert "migrate" in done.err


def test_each_call_is_logged_masked(cron: Cron) -> None:
    cron.clinic.reserve()
    cron()
    [row] = cron.clinic.hospital.rows(ApiCallLog, operation="push")
    assert row.status_code == 200
    assert cron.clinic.line.pushes[0].to not in row.request_body


@pytest.mark.parametrize("features", ["", "events", "booking", "events,booking"])
@pytest.mark.parametrize("secret", ["", "k7Qf2mX9vB4tR8wZ1cN6yH3jL5pD0sGa"])
def test_booking_is_on_as_in_the_server(tmp_path: Path, features: str, secret: str) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path, features=features, jwt_secret=secret or None)
    assert is_on(settings) == ("booking" in [context.name for context in active_contexts(settings)])


@pytest.mark.found("24.E5")
def test_a_sender_whose_clock_is_wrong_says_so_and_leaves_the_notices_alone(
    cron: Cron, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five of five were given up as too late by a sender that was a day ahead."""
    cron.clinic.reserve_many(2)
    before = cron.clinic.jobs()
    days = timedelta(days=1 if cron.settings["DATABASE_URL"].startswith("postgres") else -1)
    cron.clinic.db.write_now(beat, "worker:clockwork", SystemClock().now())
    right = SystemClock.now
    monkeypatch.setattr(SystemClock, "now", lambda clock: right(clock) + days)
    done = cron()
    monkeypatch.undo()
    assert (done.code, "[WRONG_CLOCK]" in done.err) == (2, True), done.err
    assert cron.clinic.jobs() == before
