import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import select

from tests.core.db.notes import NOTES, Refused, add, bodies, create_notes, seen_from_outside
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database, ReadTx
from tsudoi.core.db.postgres import PostgresDatabase
from tsudoi.core.db.sqlite import SqliteDatabase


@pytest.fixture
def one_reader(backend: str, database_url: str, clock: ManualClock, tmp_path: Path) -> Iterator[Database]:
    """One connection for all reads, so that what one read leaves behind meets the next."""
    database: Database
    if backend == "sqlite":
        database = SqliteDatabase(tmp_path / "one.sqlite3", clock, readers=1)
    else:
        database = open_database(database_url, clock, connections=1)
        assert isinstance(database, PostgresDatabase)
    database.write_now(create_notes)
    yield database
    database.close()


class TestRead:
    def test_cannot_write(self, db: Database, database_url: str) -> None:
        with pytest.raises(Exception, match=r"(?s).*") as caught:
            db.read_now(add, "smuggled")  # type: ignore[arg-type]
        assert "readonly" in repr(caught.value.__cause__) or "read-only" in repr(caught.value.__cause__)
        assert seen_from_outside(database_url) == []

    def test_leaves_the_connection_fit_for_writing(self, one_reader: Database) -> None:
        one_reader.read_now(bodies)
        with pytest.raises(Exception, match=r"(?s).*"):
            one_reader.read_now(add, "smuggled")  # type: ignore[arg-type]
        one_reader.write_now(add, "a")
        assert one_reader.read_now(bodies) == ["a"]

    def test_sees_one_snapshot_while_a_writer_commits(self, db: Database) -> None:
        first_look, committed = Event(), Event()

        def look_twice(tx: ReadTx) -> tuple[list[str], list[str]]:
            before = bodies(tx)
            first_look.set()
            assert committed.wait(10)
            return before, bodies(tx)

        async def read_while_writing() -> tuple[list[str], list[str]]:
            reading = asyncio.ensure_future(db.read(look_twice))
            assert await asyncio.to_thread(first_look.wait, 10)
            await db.write(add, "new")
            committed.set()
            return await reading

        db.write_now(add, "old")
        assert asyncio.run(read_while_writing()) == (["old"], ["old"])
        assert db.read_now(bodies) == ["old", "new"]

    def test_sees_what_was_written_just_before(self, db: Database) -> None:
        for number in range(10):
            db.write_now(add, f"n{number}")
            assert len(db.read_now(bodies)) == number + 1

    def test_that_fails_leaves_no_old_snapshot_behind(self, one_reader: Database) -> None:
        """The error keeps the half-read result alive, and with it, on SQLite, the snapshot."""

        def stop_half_way(tx: ReadTx) -> None:
            for body in tx.execute(select(NOTES.c.body)).scalars():
                raise Refused(body)

        for body in ("a", "b"):
            one_reader.write_now(add, body)
        with pytest.raises(Refused) as kept:
            one_reader.read_now(stop_half_way)
        one_reader.write_now(add, "c")
        assert one_reader.read_now(bodies) == ["a", "b", "c"]
        assert kept.value.__traceback__ is not None

    def test_raises_the_querys_own_error(self, db: Database) -> None:
        def refuse(_tx: ReadTx) -> None:
            raise Refused

        with pytest.raises(Refused):
            db.read_now(refuse)
        with pytest.raises(Refused):
            asyncio.run(db.read(refuse))
