"""G14: `tsudoi migrate` is killed in the middle, on the schema of the release before with rows in it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.core.db.test_upgrade import Tables, as_before, migrate_to
from tests.factories.processes import environment
from tests.sizes import size
from tsudoi.core.db.schema import found_version, migrate, migration_connection, require_current

PREVIOUS = "0013"
MOMENT, UTC = "2025-08-16T10:00:00+09:00", "2025-08-16T01:00:00.000000+00:00"
KILLS = size(1, 20)
# Stops inside the transaction of the upgrade, after its statements and before its commit, and waits to be killed.
STOPS_BEFORE_THE_COMMIT = """
import sys, time
from tsudoi.core.db import schema
original = schema.migration_connection
from contextlib import contextmanager
@contextmanager
def waiting(url):
    with original(url) as connection:
        yield connection
        print("migrated", flush=True)
        time.sleep(600)
schema.migration_connection = waiting
schema.migrate(sys.argv[1])
"""
TABLES = ("members", "events", "event_targets", "event_responses", "line_events", "audit_head")


@pytest.fixture
def filled(empty_url: str) -> str:
    """What an installation of the release before has, by the SQL of that release."""
    migrate_to(empty_url, PREVIOUS)
    events = "INSERT INTO events (id, title, held_at, created_by_admin, created_at, updated_at) VALUES"
    members = "INSERT INTO members (id, name, name_key, is_target, created_at, updated_at) VALUES"
    answers = "INSERT INTO event_responses (event_id, member_id, status, extra_text, via, responded_at) VALUES"
    line = (
        "INSERT INTO line_events (event_key, type, user_id, event_ms, redelivered, payload, received_at, status,"
        " due_at, updated_at) VALUES"
    )
    no = "false" if "postgresql" in empty_url else "0"
    with migration_connection(empty_url) as connection:
        for statement in (
            (
                "INSERT INTO admin_users (id, username, password_hash, created_at, updated_at)"
                f" VALUES (1, 'office', 'x', '{MOMENT}', '{MOMENT}')"
            ),
            f"{events} (1, '理事会', '{MOMENT}', 1, '{MOMENT}', '{MOMENT}')",
            *(f"{members} ({one}, '会員{one}', '会員{one}', 1, '{MOMENT}', '{MOMENT}')" for one in range(1, 51)),
            *(f"INSERT INTO event_targets (event_id, member_id) VALUES (1, {one})" for one in range(1, 51)),
            *(f"{answers} (1, {one}, 'attend', '{one}名', 'liff', '{MOMENT}')" for one in range(1, 51)),
            *(
                f"{line} ('done{one}', 'message', 'U1', 1, {no}, '{{\"text\":\"秘密の話\"}}', '{MOMENT}', 'DONE',"
                f" '{MOMENT}', '{UTC}')"
                for one in range(5)
            ),
            (
                f"{line} ('waits', 'follow', 'U2', 1, {no}, '{{\"replyToken\":\"r\"}}', '{MOMENT}', 'PENDING',"
                f" '{MOMENT}', '{UTC}')"
            ),
        ):
            connection.execute(text(statement.replace(":", "\\:")))
    return empty_url


def rows(url: str) -> Tables:
    with migration_connection(url) as connection:
        return {
            table: [dict(row) for row in connection.execute(text(f"SELECT * FROM {table} ORDER BY 1, 2")).mappings()]
            for table in TABLES
        }


def kill_a_migration(url: str, folder: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", STOPS_BEFORE_THE_COMMIT, url],
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "migrated\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()


def test_nothing_is_lost_and_the_next_run_finishes(filled: str, tmp_path: Path) -> None:
    before = rows(filled)
    for _ in range(KILLS):
        kill_a_migration(filled, tmp_path)
        assert found_version(filled) == PREVIOUS
        assert rows(filled) == before
    migrate(filled)
    require_current(filled)
    after = rows(filled)
    # What was done needs its content no more. What waits keeps it.
    contents = {row["event_key"]: row.pop("payload") for row in after["line_events"]}
    assert contents.pop("waits") == '{"replyToken":"r"}'
    assert set(contents.values()) == {"{}"}
    for row in before["line_events"]:
        del row["payload"]
    assert as_before(after, before) == before
