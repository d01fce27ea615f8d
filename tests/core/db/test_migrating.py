"""A migration is all or nothing, and only one runs at a time."""

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Text, inspect, text

from tests.concurrency.threads import at_once
from tsudoi.core.db.schema import found_version, migrate, migration_connection, require_current


class Killed(BaseException):
    """Not an Exception: neither is what really ends a migration, a signal."""


def _tables(url: str) -> set[str]:
    with migration_connection(url) as connection:
        return set(inspect(connection).get_table_names())


def _migrate_and_die(url: str, *statements: str) -> None:
    with pytest.raises(Killed), migration_connection(url) as connection:  # noqa: PT012 (dying inside is the point)
        for statement in statements:
            connection.exec_driver_sql(statement)
        raise Killed


class TestKilledInTheMiddle:
    def test_leaves_an_empty_database_empty(self, empty_url: str) -> None:
        _migrate_and_die(empty_url, "CREATE TABLE half (id INTEGER PRIMARY KEY)")
        assert _tables(empty_url) == set()
        migrate(empty_url)
        require_current(empty_url)

    def test_leaves_the_old_tables_and_rows(self, database_url: str) -> None:
        before = _tables(database_url)
        _migrate_and_die(
            database_url,
            "ALTER TABLE heartbeats ADD COLUMN extra TEXT",
            "UPDATE audit_head SET last_id = 7",
            "DROP TABLE rate_limits",
            "UPDATE alembic_version SET version_num = '9999'",
        )
        assert _tables(database_url) == before
        require_current(database_url)
        with migration_connection(database_url) as connection:
            assert connection.exec_driver_sql("SELECT last_id FROM audit_head").scalar() == 0
            assert "extra" not in {column["name"] for column in inspect(connection).get_columns("heartbeats")}


class TestAtTheSameTime:
    def test_several_processes_may_migrate(self, empty_url: str) -> None:
        """As many threads as a deployment might start servers at once; each opens its own connection."""
        at_once(4, lambda _: migrate(empty_url))
        require_current(empty_url)
        with migration_connection(empty_url) as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM audit_head").scalar() == 1

    def test_one_at_a_time(self, database_url: str) -> None:
        """Read, then write what was read plus one: the lock is what keeps the sum right."""

        def add_one(_number: int) -> None:
            with migration_connection(database_url) as connection:
                found = connection.exec_driver_sql("SELECT last_id FROM audit_head").scalar()
                connection.execute(text("UPDATE audit_head SET last_id = :next"), {"next": int(found or 0) + 1})

        at_once(8, add_one)
        with migration_connection(database_url) as connection:
            assert connection.exec_driver_sql("SELECT last_id FROM audit_head").scalar() == 8


class TestRebuildingATable:
    def test_keeps_the_rows_that_point_at_it(self, database_url: str) -> None:
        """SQLite alters by copying and dropping, and a drop deletes first, which would cascade."""
        moment = "2025-08-16T10:00:00+09:00"
        with migration_connection(database_url) as connection:
            connection.exec_driver_sql(
                "INSERT INTO admin_users (id, username, password_hash, created_at, updated_at) "
                f"VALUES (1, 'office', 'x', '{moment}', '{moment}')"
            )
            connection.exec_driver_sql(
                f"INSERT INTO trusted_devices (token_hash, admin_id, created_at) VALUES ('h', 1, '{moment}')"
            )
        with migration_connection(database_url) as connection:
            operations = Operations(MigrationContext.configure(connection))
            with operations.batch_alter_table("admin_users") as batch:
                batch.alter_column("username", type_=Text())
        with migration_connection(database_url) as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM trusted_devices").scalar() == 1

    def test_refuses_to_leave_a_row_that_points_nowhere(self, database_url: str) -> None:
        moment = "2025-08-16T10:00:00+09:00"
        with pytest.raises(Exception, match=r"(?i)foreign key"), migration_connection(database_url) as connection:
            connection.exec_driver_sql(
                f"INSERT INTO trusted_devices (token_hash, admin_id, created_at) VALUES ('h', 99, '{moment}')"
            )
        assert found_version(database_url) is not None
        with migration_connection(database_url) as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM trusted_devices").scalar() == 0
