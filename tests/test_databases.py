"""A test finds the database as the migrations left it, whatever the test before did."""

import pytest
from sqlalchemy import text

from tests.databases import ReusedDatabase
from tests.product_fixtures import postgresql_only
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.db.schema import found_version
from tsudoi.core.db.version import wanted_version

TIME = "'2025-01-01T00:00:00+09:00'"
SIGN_UP = f"INSERT INTO admin_users (username, password_hash, created_at, updated_at) VALUES ('x', 'x', {TIME}, {TIME})"


def run(database: Database, *statements: str) -> None:
    def verb(tx: Tx) -> None:
        for statement in statements:
            tx.execute(text(statement))

    database.write_now(verb)


def rows(database: Database, query: str) -> list[tuple[object, ...]]:
    return database.read_now(lambda tx: [tuple(row) for row in tx.execute(text(query))])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_head SET last_id = 7",
        "DELETE FROM alembic_version",
        "DROP TABLE heartbeats",
        "CREATE TABLE extra (id INTEGER PRIMARY KEY, admin_id INTEGER UNIQUE REFERENCES admin_users)",
        "ALTER TABLE admin_users ADD COLUMN extra TEXT",
        SIGN_UP,
    ],
)
def test_is_as_it_was(reused_database: ReusedDatabase, clock: ManualClock, statement: str) -> None:
    with reused_database.opened(reused_database.emptied(), clock) as database:
        run(database, statement)
    url = reused_database.emptied()
    assert found_version(url) == wanted_version()
    with reused_database.opened(url, clock) as database:
        assert rows(database, "SELECT last_id FROM audit_head") == [(0,)]
        assert rows(database, "SELECT * FROM heartbeats") == []
        run(database, "CREATE TABLE extra (id INTEGER PRIMARY KEY)")
        run(database, SIGN_UP)
        assert len(rows(database, "SELECT * FROM admin_users WHERE id = 1")[0]) == 8


@postgresql_only
def test_a_constraint_that_was_dropped_is_there_again(reused_database: ReusedDatabase, clock: ManualClock) -> None:
    held = "SELECT conname FROM pg_constraint WHERE conname = 'ck_reservation_slots_booked_count'"
    with reused_database.opened(reused_database.emptied(), clock) as database:
        run(database, "ALTER TABLE reservation_slots DROP CONSTRAINT ck_reservation_slots_booked_count")
        assert rows(database, held) == []
    with reused_database.opened(reused_database.emptied(), clock) as database:
        assert len(rows(database, held)) == 1


@postgresql_only
def test_connections_that_were_cut_are_replaced(reused_database: ReusedDatabase, clock: ManualClock) -> None:
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    with reused_database.opened(reused_database.emptied(), clock) as database:
        run(database, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
    with reused_database.opened(reused_database.emptied(), clock) as database:
        assert rows(database, "SELECT * FROM admin_users") == []


@postgresql_only
def test_a_table_more_is_no_reason_for_another_database(reused_database: ReusedDatabase, clock: ManualClock) -> None:
    url = reused_database.emptied()
    with reused_database.opened(url, clock) as database:
        run(database, "CREATE TABLE extra (id SERIAL PRIMARY KEY)")
    assert reused_database.emptied() == url
