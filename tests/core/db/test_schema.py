import ast
import re
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

import tsudoi.migrations
from tsudoi.core.db.schema import (
    all_models,
    found_version,
    migrate,
    migration_connection,
    require_current,
)
from tsudoi.core.db.version import SchemaMismatch, wanted_version

VERSIONS = sorted((Path(tsudoi.migrations.__file__).parent / "versions").glob("*.py"))


def _script() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", "tsudoi:migrations")
    config.set_main_option("path_separator", "os")
    return ScriptDirectory.from_config(config)


def _set_version(url: str, version: str) -> None:
    with migration_connection(url) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})


def _checks(connection: Connection, table: str) -> dict[str, str]:
    """Alembic does not compare check constraints, so the test does, spelling apart."""
    found = inspect(connection).get_check_constraints(table)
    return {str(check["name"]): "".join(re.findall(r"[\w']+", check["sqltext"].lower())) for check in found}


class TestMigrations:
    def test_lead_from_nothing_to_the_models(self, empty_url: str) -> None:
        migrate(empty_url)
        options = {"compare_type": True, "compare_server_default": True}
        with migration_connection(empty_url) as connection:
            context = MigrationContext.configure(connection, opts=options)
            assert compare_metadata(context, all_models()) == []

    def test_make_the_same_check_constraints_as_the_models(self, empty_url: str) -> None:
        migrate(empty_url)
        with migration_connection(empty_url) as connection:
            migrated = {name: _checks(connection, name) for name in all_models().tables}
            for table in all_models().sorted_tables:
                connection.exec_driver_sql(f'ALTER TABLE "{table.name}" RENAME TO "old_{table.name}"')
                for index in table.indexes:
                    connection.exec_driver_sql(f'DROP INDEX "{index.name}"')
            _rename_constraints_away(connection)
            all_models().create_all(connection)
            modelled = {name: _checks(connection, name) for name in all_models().tables}
        assert migrated == modelled
        assert any(migrated.values())

    def test_notice_a_model_that_no_migration_knows(self, database_url: str) -> None:
        """The control of the first test: it can fail."""
        with migration_connection(database_url) as connection:
            connection.exec_driver_sql("ALTER TABLE rate_limits ADD COLUMN extra TEXT")
            connection.exec_driver_sql("DROP INDEX idx_sessions_subject")
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            kinds = sorted(str(change[0]) for change in compare_metadata(context, all_models()))
        assert kinds == ["add_index", "remove_column"]

    def test_are_one_line_of_history(self) -> None:
        script = _script()
        assert script.get_heads() == [wanted_version()]
        assert script.get_bases() == ["0001"]
        revisions = [revision.revision for revision in script.walk_revisions()][::-1]
        assert revisions == [f"{number:04d}" for number in range(1, len(VERSIONS) + 1)]

    def test_only_go_forward(self) -> None:
        for path in VERSIONS:
            functions = {node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}
            assert "upgrade" in functions
            assert "downgrade" not in functions

    def test_are_not_done_twice(self, database_url: str) -> None:
        migrate(database_url)
        assert found_version(database_url) == wanted_version()


def _rename_constraints_away(connection: Connection) -> None:
    """On PostgreSQL names of unique constraints are names of indexes, one name space for all tables."""
    if connection.dialect.name != "postgresql":
        return
    query = """SELECT conrelid::regclass::text, conname FROM pg_constraint
               WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u')"""
    for table, name in connection.exec_driver_sql(query).all():
        connection.exec_driver_sql(f'ALTER TABLE {table} RENAME CONSTRAINT "{name}" TO "old_{name}"')


class TestRequireCurrent:
    def test_is_content_with_the_wanted_version(self, database_url: str) -> None:
        require_current(database_url)

    def test_refuses_an_empty_database(self, empty_url: str) -> None:
        with pytest.raises(SchemaMismatch, match="tsudoi migrate") as caught:
            require_current(empty_url)
        assert caught.value.found is None
        assert "未作成" in str(caught.value)

    @pytest.mark.parametrize("other", ["0000", "9999"])
    def test_refuses_an_older_and_a_newer_one(self, database_url: str, other: str) -> None:
        _set_version(database_url, other)
        with pytest.raises(SchemaMismatch, match="tsudoi migrate") as caught:
            require_current(database_url)
        assert (caught.value.found, caught.value.wanted) == (other, wanted_version())
        assert other in str(caught.value)

    def test_refuses_a_version_table_without_a_version(self, database_url: str) -> None:
        with migration_connection(database_url) as connection:
            connection.exec_driver_sql("DELETE FROM alembic_version")
        with pytest.raises(SchemaMismatch):
            require_current(database_url)
