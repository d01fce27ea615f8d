"""An upgrade keeps what is in the database. Filled as the version before left it, by plain SQL of that version."""

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, inspect, text

from tsudoi.core.db.schema import migrate, migration_connection, require_current

MOMENT, LATER = "2025-08-16T10:00:00+09:00", "2026-08-16T01:00:00.000000+00:00"


def _migrate_to(url: str, version: str) -> None:
    config = Config()
    config.set_main_option("script_location", "tsudoi:migrations")
    config.set_main_option("path_separator", "os")
    with migration_connection(url) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)


def _rows(connection: Connection, table: str) -> list[dict[str, object]]:
    found = connection.execute(text(f"SELECT * FROM {table} ORDER BY 1, 2"))
    return [dict(row) for row in found.mappings()]


@pytest.fixture
def at_0004(empty_url: str) -> str:
    _migrate_to(empty_url, "0004")
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
