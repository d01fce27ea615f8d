"""One migrated database per pytest worker and back end, emptied before each test that uses it.

To create a database costs a hundred times more than to empty one, and on PostgreSQL each new connection is a new
process. SQLAlchemy keeps its compiled statements in the engine. So the database and the engine stay, and each test gets
a `Database` object of its own on top of them.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psycopg
from psycopg import sql
from sqlalchemy import Engine

from tests.postgres import PostgresServer
from tests.servers import eventually
from tsudoi.core.clock import Clock
from tsudoi.core.db import postgres as postgres_module
from tsudoi.core.db import sqlite as sqlite_module
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database

_STRANGERS = """
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"""
# Whatever a test may change about the schema changes one of these. (Emptying a table does not.)
_SCHEMA = """
    SELECT (SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace),
        (SELECT max(a.xmin::text::bigint) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            WHERE c.relnamespace = 'public'::regnamespace),
        (SELECT max(xmin::text::bigint) FROM pg_constraint WHERE connamespace = 'public'::regnamespace),
        (SELECT count(*) FROM pg_constraint WHERE connamespace = 'public'::regnamespace),
        (SELECT max(xmin::text::bigint) FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
        (SELECT count(*) FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
        (SELECT max(xmin::text::bigint) FROM pg_trigger), (SELECT count(*) FROM pg_trigger)"""

# Rows are deleted, because a truncated table is a new set of files. Only large tables are better off that way.
_LARGE = """
    SELECT 1 FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 262144 LIMIT 1"""
_RESTART = """
    SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
    FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL"""


class ReusedDatabase(ABC):
    """A migrated database that many tests use one after the other."""

    @abstractmethod
    def emptied(self) -> str:
        """The address of the database, which holds only what the migrations put into it."""

    @abstractmethod
    def close(self) -> None: ...

    @contextmanager
    def opened(self, url: str, clock: Clock) -> Iterator[Database]:
        """A new object on the engines of the last test."""
        with self._kept_engines():
            database = open_database(url, clock)
        try:
            yield database
        finally:
            self._release(database)

    @abstractmethod
    def _kept_engines(self) -> Any: ...

    def _release(self, database: Database) -> None:
        database.close()


class ReusedSqlite(ReusedDatabase):
    """A file, replaced by a copy of the migrated one. Connections are cheap here; the engines are kept."""

    def __init__(self, template: Path, folder: Path) -> None:
        self._template = template.read_bytes()
        self._path = folder / "test.sqlite3"
        self._engines: dict[bool, Engine] = {}

    def emptied(self) -> str:
        # A new file, not the old one written over: a connection that a test left open keeps the old one.
        for name in (self._path.name, f"{self._path.name}-wal", f"{self._path.name}-shm"):
            self._path.with_name(name).unlink(missing_ok=True)
        self._path.write_bytes(self._template)
        return f"sqlite:///{self._path}"

    def close(self) -> None:
        for engine in self._engines.values():
            engine.dispose()

    def _kept_engines(self) -> Any:
        original = sqlite_module.open_engine

        def kept(path: Path, *, query_only: bool = False) -> Engine:
            if query_only not in self._engines:
                self._engines[query_only] = original(path, query_only=query_only)
            return self._engines[query_only]

        return patch.object(sqlite_module, "open_engine", kept)


class ReusedPostgres(ReusedDatabase):
    """A database whose rows are deleted in one transaction, with the connections of the last test."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self._create()

    def emptied(self) -> str:
        if not self._is_unchanged():
            self._drop()
            self._create()
            return self._url
        self._dismiss_strangers()
        # `replica` turns off the triggers that forbid to empty some of the tables, and the order of foreign keys.
        with self._control.transaction():
            self._control.execute("SET LOCAL session_replication_role = replica")
            self._control.execute(self._truncate if self._control.execute(_LARGE).fetchone() else self._delete)
            for statement, rows in self._seeds.items():
                self._control.cursor().executemany(statement, rows)
        return self._url

    def close(self) -> None:
        self._drop()

    def _is_unchanged(self) -> bool:
        """Whether a test has altered the schema, or has cut the connections to the database (ours among them).

        Tables that a test has added are dropped, which is much cheaper than a new database.
        """
        try:
            added = [name for name in self._table_names() if name not in self._tables]
            if added:
                self._dismiss_strangers()
                self._control.execute(sql.SQL("DROP TABLE {} CASCADE").format(self._listed(added)))
            return self._control.execute(_SCHEMA).fetchone() == self._schema
        except psycopg.OperationalError:
            return False

    def _create(self) -> None:
        self._url = self._server.create_migrated()
        self._control = psycopg.connect(self._url, autocommit=True)
        self._engine: Engine | None = None
        self._schema = self._control.execute(_SCHEMA).fetchone()
        self._tables = self._table_names()
        tables = [sql.Identifier(name) for name in self._tables]
        self._truncate = (
            sql.SQL("TRUNCATE {} RESTART IDENTITY").format(self._listed(self._tables)).as_bytes(self._control)
        )
        deletes = [sql.SQL("DELETE FROM {}").format(name) for name in tables]
        self._delete = sql.SQL("; ").join([*deletes, sql.SQL(_RESTART)]).as_bytes(self._control)
        self._seeds = dict(filter(None, map(self._seed, tables)))

    def _table_names(self) -> list[str]:
        found = self._control.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        return [name for (name,) in found]

    def _listed(self, names: list[str]) -> sql.Composed:
        return sql.SQL(", ").join(map(sql.Identifier, names))

    def _seed(self, table: sql.Identifier) -> tuple[bytes, list[tuple[Any, ...]]] | None:
        """What the migrations have put into the table, and the statement that puts it back."""
        found = self._control.execute(sql.SQL("SELECT * FROM {}").format(table))
        rows = found.fetchall()
        if not rows:
            return None
        places = sql.SQL(", ").join([sql.Placeholder()] * len(rows[0]))
        return sql.SQL("INSERT INTO {} VALUES ({})").format(table, places).as_bytes(self._control), rows

    def _drop(self) -> None:
        self._control.close()
        if self._engine is not None:
            self._engine.dispose()
        self._server.drop(self._url)

    def _dismiss_strangers(self) -> None:
        """Connections that a test left open, or had killed so that the pool does not know yet."""
        known = 0 if self._engine is None else self._engine.pool.checkedin()  # type: ignore[attr-defined]
        if len(self._control.execute(_STRANGERS).fetchall()) == known:
            return
        if self._engine is not None:
            self._engine.dispose()
        for (pid,) in self._control.execute(_STRANGERS).fetchall():
            self._control.execute("SELECT pg_terminate_backend(%s)", (pid,))
        eventually(lambda: not self._control.execute(_STRANGERS).fetchall())

    def _kept_engines(self) -> Any:
        original = postgres_module.open_engine

        def kept(url: str, connections: int) -> Engine:
            self._engine = self._engine or original(url, connections)
            return self._engine

        return patch.object(postgres_module, "open_engine", kept)

    def _release(self, database: Database) -> None:
        """Waits for what the database still does; its connections stay open for the next test."""
        assert isinstance(database, postgres_module.PostgresDatabase)
        database._threads.shutdown(wait=True)
        database._watch.close()
