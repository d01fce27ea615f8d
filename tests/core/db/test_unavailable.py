"""The database is locked, full, read-only, gone: an honest error at once, and work again when it is back."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

import psycopg
import pytest
from sqlalchemy import text

from tests.core.db.notes import add, bodies, create_notes, seen_from_outside
from tests.postgres import PostgresServer
from tsudoi.core.clock import ManualClock
from tsudoi.core.db import postgres as postgres_module
from tsudoi.core.db import sqlite
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.db.sqlite import SqliteDatabase
from tsudoi.core.errors import DatabaseUnavailable


@pytest.fixture
def sqlite_db(tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqliteDatabase]:
    monkeypatch.setattr(sqlite, "_BUSY_TIMEOUT_MS", 50)
    database = SqliteDatabase(tmp_path / "test.sqlite3", clock)
    database.write_now(create_notes)
    yield database
    database.close()


@pytest.fixture
def pg_url(postgres: PostgresServer) -> Iterator[str]:
    with postgres.database() as url:
        yield url


@pytest.fixture
def pg_db(pg_url: str, clock: ManualClock) -> Iterator[Database]:
    database = open_database(pg_url, clock, connections=3)
    database.write_now(create_notes)
    yield database
    database.close()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


class TestSqlite:
    def test_locked_by_another_process(self, sqlite_db: SqliteDatabase) -> None:
        with _locked(sqlite_db.path):
            with pytest.raises(DatabaseUnavailable):
                sqlite_db.write_now(add, "a")
            assert sqlite_db.read_now(bodies) == []
        assert sqlite_db.write_now(add, "b") == "b"
        assert sqlite_db.read_now(bodies) == ["b"]

    def test_locked_before_the_first_connection(
        self, tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlite, "_BUSY_TIMEOUT_MS", 50)
        database = SqliteDatabase(tmp_path / "new.sqlite3", clock)
        with closing(sqlite3.connect(database.path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            for call in (lambda: database.write_now(create_notes), lambda: database.read_now(bodies)):
                with pytest.raises(DatabaseUnavailable):
                    call()
            other.execute("ROLLBACK")
        database.write_now(create_notes)
        assert database.read_now(bodies) == []
        database.close()

    def test_in_a_folder_that_is_not_there_yet(self, tmp_path: Path, clock: ManualClock) -> None:
        database = SqliteDatabase(tmp_path / "later" / "test.sqlite3", clock)
        for call in (lambda: database.write_now(create_notes), lambda: database.read_now(bodies)):
            with pytest.raises(DatabaseUnavailable):
                call()
        database.path.parent.mkdir()
        database.write_now(create_notes)
        assert database.read_now(bodies) == []
        database.close()

    def test_read_only(self, sqlite_db: SqliteDatabase) -> None:
        """A connection that met a read-only file stays read-only for ever; it has to be replaced."""
        sqlite_db.write_now(add, "before")
        sqlite_db.write_now(lambda tx: tx.connection.exec_driver_sql("PRAGMA query_only=ON").close())
        with pytest.raises(DatabaseUnavailable):
            sqlite_db.write_now(add, "refused")
        sqlite_db.write_now(add, "after")
        assert sqlite_db.read_now(bodies) == ["before", "after"]

    def test_a_reader_is_replaced_after_an_error_of_the_file(self, sqlite_db: SqliteDatabase) -> None:
        """The connection fails for good, as one whose file had an I/O error; the next read opens another."""
        sqlite_db.write_now(add, "a")

        def break_the_file(tx: ReadTx) -> None:
            raw = cast("sqlite3.Connection", tx.connection.connection.driver_connection)
            seen.append(raw)
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorname = "SQLITE_IOERR_READ"
            raise error

        seen: list[sqlite3.Connection] = []
        for _ in range(8):  # More often than there are readers.
            with pytest.raises(DatabaseUnavailable):
                sqlite_db.read_now(break_the_file)
        assert len({id(raw) for raw in seen}) == 8, "no connection is used again"
        for raw in seen:
            with pytest.raises(sqlite3.ProgrammingError, match="closed"):
                raw.execute("SELECT 1")
        assert sqlite_db.read_now(bodies) == ["a"]

    def test_not_a_database_at_all(self, tmp_path: Path, clock: ManualClock) -> None:
        path = tmp_path / "test.sqlite3"
        path.write_bytes(b"not a database " * 1000)
        database = SqliteDatabase(path, clock)
        with pytest.raises(DatabaseUnavailable):
            database.write_now(create_notes)
        path.unlink()
        database.write_now(create_notes)
        database.close()


def _end_all_others(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


class TestPostgres:
    def test_connections_cut_between_two_verbs(self, pg_db: Database, pg_url: str) -> None:
        _end_all_others(pg_url)
        with pytest.raises(DatabaseUnavailable):
            pg_db.write_now(add, "cut")
        assert pg_db.write_now(add, "back") == "back"
        assert pg_db.read_now(bodies) == ["back"]

    def test_connection_cut_inside_a_verb(self, pg_db: Database, pg_url: str) -> None:
        def cut_in_the_middle(tx: Tx) -> None:
            add(tx, "half")
            _end_all_others(pg_url)
            add(tx, "other half")

        with pytest.raises(DatabaseUnavailable, match="データは変更されていません"):
            pg_db.write_now(cut_in_the_middle)
        assert pg_db.write_now(bodies) == []

    def test_connection_cut_in_the_commit_promises_nothing(self, pg_db: Database) -> None:
        def die_at_the_commit(tx: Tx) -> None:
            tx.execute(
                text(
                    """CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$"""
                )
            )
            tx.execute(
                text(
                    """CREATE CONSTRAINT TRIGGER dies AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION die()"""
                )
            )
            add(tx, "who knows")

        with pytest.raises(DatabaseUnavailable) as caught:
            pg_db.write_now(die_at_the_commit)
        assert "データは変更されていません" not in caught.value.message
        assert pg_db.write_now(add, "next") == "next"

    def test_a_server_that_is_not_there(self, tmp_path: Path, clock: ManualClock) -> None:
        database = open_database(f"postgresql://nobody@/nowhere?host={tmp_path}", clock)
        for call in (lambda: database.write_now(add, "a"), lambda: database.read_now(bodies)):
            with pytest.raises(DatabaseUnavailable):
                call()
        database.close()

    def test_read_only(self, pg_db: Database, pg_url: str) -> None:
        def refuse_writes(tx: Tx) -> None:
            tx.execute(text("SET TRANSACTION READ ONLY"))
            add(tx, "refused")

        with pytest.raises(DatabaseUnavailable):
            pg_db.write_now(refuse_writes)
        assert seen_from_outside(pg_url) == []

    @pytest.mark.parametrize("sqlstate", ["40P01", "40001"])
    def test_a_verb_that_lost_a_race_is_tried_again(self, pg_db: Database, sqlstate: str) -> None:
        tries: list[int] = []

        def lose_twice(tx: Tx) -> str:
            tries.append(len(tries))
            body = add(tx, f"try {len(tries)}")
            if len(tries) < 3:
                tx.execute(text(f"DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '{sqlstate}'; END $$"))
            return body

        assert pg_db.write_now(lose_twice) == "try 3"
        assert pg_db.read_now(bodies) == ["try 3"]

    def test_a_verb_that_always_loses_gives_up(self, pg_db: Database) -> None:
        tries: list[int] = []

        def lose(tx: Tx) -> None:
            tries.append(1)
            tx.execute(text("DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$"))

        with pytest.raises(DatabaseUnavailable):
            pg_db.write_now(lose)
        assert len(tries) == postgres_module._TRIES
