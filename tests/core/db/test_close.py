import asyncio
from threading import Event, Thread

import pytest

from tests.core.db.notes import add, bodies, hold, seen_from_outside
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.db.sqlite import SqliteDatabase
from tsudoi.core.errors import DatabaseUnavailable


class TestClose:
    def test_finishes_the_verbs_that_wait(self, db: Database, database_url: str) -> None:
        async def close_under_load() -> list[str]:
            started, release = Event(), Event()
            held = asyncio.ensure_future(db.write(hold, started, release))
            assert await asyncio.to_thread(started.wait, 10)
            waiting = asyncio.gather(*(db.write(add, f"n{number}") for number in range(20)))
            await asyncio.sleep(0)
            closing = Thread(target=db.close)
            closing.start()
            release.set()
            await held
            answers = await waiting
            await asyncio.to_thread(closing.join)
            return answers

        answers = asyncio.run(close_under_load())
        assert (
            sorted(answers) == sorted(seen_from_outside(database_url)) == sorted(f"n{number}" for number in range(20))
        )

    def test_makes_every_later_call_unavailable(self, db: Database) -> None:
        db.close()
        late = (
            lambda: db.write_now(add, "late"),
            lambda: db.write_soon(add, "late"),
            lambda: db.write_soon(add, "later"),
            lambda: db.read_now(bodies),
        )
        for call in late:
            with pytest.raises(DatabaseUnavailable):
                call()
        with pytest.raises(DatabaseUnavailable):
            asyncio.run(db.write(add, "late"))
        with pytest.raises(DatabaseUnavailable):
            asyncio.run(db.read(bodies))

    def test_may_be_said_twice(self, db: Database) -> None:
        db.close()
        db.close()

    def test_lets_the_file_or_the_connections_go(self, db: Database, database_url: str) -> None:
        db.write_now(add, "a")
        db.read_now(bodies)
        db.close()
        if isinstance(db, SqliteDatabase):
            assert not db.path.with_name(db.path.name + "-wal").exists()
        assert seen_from_outside(database_url) == ["a"]


class TestAVerbInsideAVerb:
    def test_is_refused_rather_than_waited_for(self, db: Database) -> None:
        """On SQLite it would wait for the one writer, which is busy with the outer verb."""

        def outer(_tx: Tx) -> str:
            return db.write_now(add, "inner")

        if isinstance(db, SqliteDatabase):
            with pytest.raises(RuntimeError, match="cannot wait"):
                db.write_now(outer)
        assert db.write_now(add, "alone") == "alone"
