"""An upgrade keeps what is in the database. Filled as the version before left it, by plain SQL of that version."""

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, inspect, text

from tsudoi.core.db.schema import migrate, migration_connection, require_current

MOMENT, LATER = "2025-08-16T10:00:00+09:00", "2026-08-16T01:00:00.000000+00:00"


def migrate_to(url: str, version: str) -> None:
    config = Config()
    config.set_main_option("script_location", "tsudoi:migrations")
    config.set_main_option("path_separator", "os")
    with migration_connection(url) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)


def _rows(connection: Connection, table: str) -> list[dict[str, object]]:
    found = connection.execute(text(f"SELECT * FROM {table} ORDER BY 1, 2"))
    return [dict(row) for row in found.mappings()]


Tables = dict[str, list[dict[str, object]]]


def as_before(after: Tables, before: Tables) -> Tables:
    """The rows without the columns that the upgrade added: later releases add more."""
    return {
        table: [{name: row[name] for name in before[table][0] if name in row} for row in rows]
        for table, rows in after.items()
    }


@pytest.fixture
def at_0004(empty_url: str) -> str:
    migrate_to(empty_url, "0004")
    admins = "INSERT INTO admin_users (id, username, password_hash, created_at, updated_at) VALUES "
    devices = "INSERT INTO trusted_devices (token_hash, admin_id, created_at) VALUES "
    sessions = "INSERT INTO sessions (id_hash, kind, subject, data, created_at, expires_at, revoked_at) VALUES "
    keys = (
        "INSERT INTO idempotency_keys"
        " (principal, route, key, request_hash, status, body, lease_until, created_at, expires_at) VALUES "
    )
    body = "'\\x7b7d'" if "postgresql" in empty_url else "x'7b7d'"
    with migration_connection(empty_url) as connection:
        for number in (1, 2):
            connection.exec_driver_sql(f"{admins}({number}, 'office{number}', 'x', '{MOMENT}', '{MOMENT}')")
        connection.exec_driver_sql(f"{devices}('d', 1, '{MOMENT}')")
        for kind in ("admin", "liff", "token"):
            revoked = f"'{LATER}'" if kind == "token" else "NULL"
            values = f"('h-{kind}', '{kind}', '1', '{{\"a\":null}}', '{LATER}', '{LATER}', {revoked})"
            connection.exec_driver_sql(sessions + values)
        times = f"'{LATER}', '{LATER}', '{LATER}'"
        connection.exec_driver_sql(f"{keys}('admin:1', 'POST /', 'k', 'hash', 201, {body}, {times})")
        connection.exec_driver_sql(f"{keys}('admin:1', 'POST /', 'l', 'hash', NULL, NULL, {times})")
    return empty_url


def test_0005_keeps_accounts_sessions_and_keys(at_0004: str) -> None:
    tables = ("admin_users", "trusted_devices", "sessions", "idempotency_keys")
    with migration_connection(at_0004) as connection:
        before = {table: _rows(connection, table) for table in tables}
    migrate(at_0004)
    require_current(at_0004)
    with migration_connection(at_0004) as connection:
        after = {table: _rows(connection, table) for table in tables}
        indexes = {index["name"] for index in inspect(connection).get_indexes("sessions")}
    for table in tables:
        kept = [{name: row[name] for name in before[table][0]} for row in after[table]]
        assert kept == before[table], table
        assert len(kept) > 0
    assert {row["disabled_at"] for row in after["admin_users"]} == {None}
    assert {row["result"] for row in after["idempotency_keys"]} == {None}
    assert indexes >= {"idx_sessions_subject", "idx_sessions_expires_at"}


def test_0005_lets_sessions_be_of_any_kind(at_0004: str) -> None:
    columns = "id_hash, kind, subject, data, created_at, expires_at"
    staff = f"INSERT INTO sessions ({columns}) VALUES ('s', 'staff', '1', '{{}}', '{LATER}', '{LATER}')"
    with pytest.raises(Exception, match=r"(?i)check constraint"), migration_connection(at_0004) as connection:
        connection.exec_driver_sql(staff)
    migrate(at_0004)
    with migration_connection(at_0004) as connection:
        connection.exec_driver_sql(staff)


@pytest.fixture
def at_0006(empty_url: str) -> str:
    """An event whose invitation reached one member; the monthly limit kept it back from the other, chunk and all."""
    migrate_to(empty_url, "0006")
    no, yes = ("false", "true") if "postgresql" in empty_url else ("0", "1")
    now, utc = f"'{MOMENT}'", f"'{LATER}'"
    members = "INSERT INTO members (id, name, name_key, display_order, is_target, created_at, updated_at) VALUES"
    broadcasts = (
        "INSERT INTO event_broadcasts (id, event_id, kind, messages, recipients, created_by, created_at, request_key)"
    )
    chunks = "INSERT INTO event_chunks (id, broadcast_id, retry_key, status, last_error, logged, due_at, updated_at)"
    deliveries = (
        "INSERT INTO event_deliveries (id, broadcast_id, chunk_id, event_id, member_id, line_user_id, retry_key,"
        " status, due_at, updated_at)"
    )
    with migration_connection(empty_url) as connection:
        for statement in (
            (
                "INSERT INTO admin_users (id, username, password_hash, created_at, updated_at)"
                f" VALUES (1, 'office', 'x', {now}, {now})"
            ),
            (
                "INSERT INTO events (id, title, held_at, created_by_admin, created_at, updated_at)"
                f" VALUES (1, '理事会', {now}, 1, {now}, {now})"
            ),
            *(f"{members} ({one}, '会員{one}', '会員{one}', {one}, 1, {now}, {now})" for one in (1, 2)),
            f"{broadcasts} VALUES (1, 1, 'invite', '[]', 2, 'admin:office', {now}, 'a key')",
            f"{broadcasts} VALUES (2, 1, 'change', '[]', 0, 'admin:office', {now}, NULL)",
            f"{chunks} VALUES (1, 1, 'r1', 'DONE', NULL, {yes}, {utc}, {utc})",
            f"{chunks} VALUES (2, 1, 'r2', 'FAILED', 'QUOTA', {no}, {utc}, {utc})",
            *(
                f"{deliveries} VALUES ({one}, 1, {one}, 1, {one}, 'U{one}', 'd{one}', 'WAITING', {utc}, {utc})"
                for one in (1, 2)
            ),
        ):
            connection.exec_driver_sql(statement)
    return empty_url


def test_0007_keeps_what_was_sent_and_what_was_not(at_0006: str) -> None:
    tables = ("events", "members", "event_broadcasts", "event_chunks", "event_deliveries")
    with migration_connection(at_0006) as connection:
        before = {table: _rows(connection, table) for table in tables}
    migrate(at_0006)
    require_current(at_0006)
    with migration_connection(at_0006) as connection:
        after = {table: _rows(connection, table) for table in tables}
        indexes = {index["name"] for index in inspect(connection).get_indexes("event_broadcasts")}
    assert [row.pop("request_key") for row in before["event_broadcasts"]] == ["a key", None]
    assert [row["resent_by"] for row in after["event_deliveries"]] == [None, None]
    assert as_before(after, before) == before
    assert all(before.values())
    assert indexes == {"idx_event_broadcasts_event"}


def test_0007_keeps_the_rules_of_a_broadcast(at_0006: str) -> None:
    """SQLite copies the table, and a copy could forget them."""
    migrate(at_0006)
    columns = "event_id, kind, messages, recipients, created_by, created_at"
    add = f"INSERT INTO event_broadcasts ({columns}) VALUES (1, '%s', '[]', 0, 'admin:office', '{MOMENT}')"
    with migration_connection(at_0006) as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("DELETE FROM event_broadcasts WHERE id = 2")
            connection.exec_driver_sql(add % "late")
            assert [row["id"] for row in _rows(connection, "event_broadcasts")] == [1, 3], "an id is never used again"
    with pytest.raises(Exception, match=r"(?i)check constraint"), migration_connection(at_0006) as connection:
        connection.exec_driver_sql(add % "gossip")
    for broadcast_id in (1, 999):
        resent = f"UPDATE event_deliveries SET resent_by = {broadcast_id} WHERE id = 2"
        wrong = r"(?i)check constraint|foreign key"
        with pytest.raises(Exception, match=wrong), migration_connection(at_0006) as connection:
            connection.exec_driver_sql(resent)
