import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import select
from sqlalchemy.engine import make_url

from tests.factories.processes import environment, without_where
from tests.product_fixtures import sqlite_only
from tsudoi.cli import app
from tsudoi.core.db.interface import Database, ReadTx
from tsudoi.core.models import AuditLog
from tsudoi.scheduling.thread.models import (
    AttendanceRule,
    SchedulingSlot,
    SchedulingThread,
    ThreadFinalize,
    ThreadInvite,
    ThreadSelection,
)

NOW = "2026-01-01T00:00:00.000000+00:00"
TABLES = ("thread_finalize", "thread_selections", "thread_invites", "thread_attendance_rules", "scheduling_slots")
MODELS = (SchedulingThread, AttendanceRule, SchedulingSlot, ThreadInvite, ThreadSelection, ThreadFinalize)


def row(table: str, **values: str) -> str:
    quoted = ", ".join(f"'{value}'" for value in values.values())
    return f"INSERT INTO {table} ({', '.join(values)}) VALUES ({quoted})"


LIVING = row("scheduling_threads", id="t", organizer_user_id="u", created_at=NOW, updated_at=NOW)


def below(one: str) -> list[str]:
    """A rule, a slot, an invitation, an answer and a decision of this thread."""
    times = {"start_at": "2026-01-01T14:00:00+09:00", "end_at": "2026-01-01T15:00:00+09:00", "timezone": "Asia/Tokyo"}
    person = {"token": f"k-{one}", "email": "", "candidate_name": "A", "expires_at": NOW, "created_at": NOW}
    return [
        row("thread_attendance_rules", thread_id=one, rule_json="{}"),
        row("scheduling_slots", thread_id=one, slot_id=f"s-{one}", **times),
        row("thread_invites", thread_id=one, id=f"i-{one}", invitee_key="e:1", **person),
        row("thread_selections", thread_id=one, selection_id=f"a-{one}", invitee_key="e:1", created_at=NOW),
        row("thread_finalize", thread_id=one, selected_slot_id=f"s-{one}", finalized_at=NOW),
    ]


def without_foreign_keys(url: str, *statements: str) -> None:
    """As a program that does not check them writes."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(Path(make_url(url).database or ""))) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.commit()
        return
    with psycopg.connect(url) as connection:
        connection.execute("SET session_replication_role = replica")
        for statement in statements:
            connection.execute(statement.encode())


def everything(db: Database) -> list[list[Any]]:
    def read(tx: ReadTx) -> list[list[Any]]:
        return [list(tx.execute(select(model)).all()) for model in MODELS]

    return db.read_now(read)


@pytest.fixture
def clean(
    db: Database, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[str, str]]:
    monkeypatch.chdir(tmp_path)
    for name, value in environment(tmp_path, DATABASE_URL=database_url).items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str) -> tuple[str, str]:
        try:
            code = app(["threads", "clean-orphans", *arguments])
        except SystemExit as ended:
            code = ended.code
        assert code in (None, 0)
        told = capsys.readouterr()
        return told.out, without_where(told.err)[1]

    return run


def printed(number: int) -> str:
    return "".join(f"{table}: {number}\n" for table in TABLES)


class TestCleanOrphans:
    @pytest.mark.row("1.5.4", "1.5.5", "1.5.6")
    def test_counts_then_removes_what_has_no_thread(
        self, db: Database, database_url: str, clean: Callable[..., tuple[str, str]]
    ) -> None:
        without_foreign_keys(database_url, LIVING, *below("t"), *below("gone"))
        before = everything(db)
        assert clean("--dry-run") == (printed(1), "")
        assert everything(db) == before
        assert clean() == (printed(1), "")
        assert [len(rows) for rows in everything(db)] == [1] * 6
        assert clean() == (printed(0), "")
        [entry] = db.read_now(lambda tx: tx.execute(select(AuditLog)).all())
        assert (entry.action, entry.subject) == ("THREADS_CLEAN_ORPHANS", "threads")

    @sqlite_only
    def test_a_slot_that_a_living_decision_names_is_kept_and_reported(
        self, db: Database, database_url: str, clean: Callable[..., tuple[str, str]]
    ) -> None:
        orphan = below("gone")[1]
        decision = below("t")[4].replace("s-t", "s-gone")
        without_foreign_keys(database_url, LIVING, orphan, decision)
        out, err = clean()
        assert "scheduling_slots: 0\n" in out
        assert "1 slots without a thread are kept" in err
        assert len(db.read_now(lambda tx: tx.execute(select(SchedulingSlot)).all())) == 1
