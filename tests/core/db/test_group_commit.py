"""SQLite's writer: many verbs, one commit. The last class says the same of both databases."""

import asyncio
import time
from collections.abc import Coroutine, Iterator
from threading import Event
from typing import Any

import pytest

from tests.core.db.notes import Refused, add, add_then_fail, create_notes, hold, seen_from_outside
from tsudoi.core.clock import Clock, ManualClock
from tsudoi.core.db import sqlite
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.db.sqlite import SqliteDatabase, _Job
from tsudoi.core.errors import DatabaseUnavailable


async def _in_one_group(db: Database, *calls: Coroutine[Any, Any, Any]) -> list[Any]:
    """Let the calls queue up behind a slow verb, then let go."""
    started, release = Event(), Event()
    held = asyncio.ensure_future(db.write(hold, started, release))
    assert await asyncio.to_thread(started.wait, 10)
    waiting = asyncio.gather(*calls, return_exceptions=True)
    await asyncio.sleep(0.02)
    release.set()
    await held
    return await asyncio.wait_for(waiting, 20)


@pytest.fixture
def group_sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    sizes: list[int] = []
    commit = sqlite._commit_group

    def counted(connection: Any, group: list[_Job], clock: Clock) -> None:
        sizes.append(len(group))
        commit(connection, group, clock)

    monkeypatch.setattr(sqlite, "_commit_group", counted)
    return sizes


@pytest.fixture
def sqlite_db(tmp_path: Any, clock: ManualClock, group_sizes: list[int]) -> Iterator[SqliteDatabase]:
    database = SqliteDatabase(tmp_path / "group.sqlite3", clock)
    database.write_now(create_notes)
    group_sizes.clear()
    yield database
    database.close()


class TestAGroup:
    def test_is_committed_once(self, sqlite_db: SqliteDatabase, group_sizes: list[int]) -> None:
        answers = asyncio.run(_in_one_group(sqlite_db, *(sqlite_db.write(add, f"n{n}") for n in range(40))))
        assert answers == [f"n{n}" for n in range(40)]
        assert group_sizes == [1, 40]

    def test_has_an_upper_bound(self, sqlite_db: SqliteDatabase, group_sizes: list[int]) -> None:
        asyncio.run(_in_one_group(sqlite_db, *(sqlite_db.write(add, f"n{n}") for n in range(300))))
        assert group_sizes == [1, 256, 44]

    def test_answers_nobody_before_its_commit(self, sqlite_db: SqliteDatabase, group_sizes: list[int]) -> None:
        async def race() -> bool:
            started, release = Event(), Event()
            first = asyncio.ensure_future(_in_one_group(sqlite_db, sqlite_db.write(add, "early")))
            await asyncio.sleep(0.01)
            last = asyncio.ensure_future(sqlite_db.write(hold, started, release))
            assert await asyncio.to_thread(started.wait, 10)
            done_too_soon = first.done()
            release.set()
            await asyncio.gather(first, last)
            return done_too_soon

        assert asyncio.run(race()) is False
        assert group_sizes == [1, 2]

    def test_a_verb_sees_its_neighbours_work_before_it(self, sqlite_db: SqliteDatabase) -> None:
        def count(tx: Tx) -> int:
            return int(tx.connection.exec_driver_sql("SELECT count(*) FROM notes").scalar() or 0)

        answers = asyncio.run(_in_one_group(sqlite_db, sqlite_db.write(add, "a"), sqlite_db.write(count)))
        assert answers == ["a", 1]

    def test_of_a_commit_that_fails_nobody_hears_a_success(self, sqlite_db: SqliteDatabase) -> None:
        """The page limit is a disk that is full: SQLite may drop the whole transaction, neighbours and all."""
        big = "x" * 200_000

        def fill_the_disk(tx: Tx) -> None:
            pages = int(tx.connection.exec_driver_sql("PRAGMA page_count").scalar() or 0)
            tx.connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 2}")
            add(tx, big)

        calls = [sqlite_db.write(add, "small"), sqlite_db.write(fill_the_disk), sqlite_db.write(add, "other")]
        answers = asyncio.run(_in_one_group(sqlite_db, *calls))
        stored = seen_from_outside(f"sqlite:///{sqlite_db.path}")
        assert isinstance(answers[1], DatabaseUnavailable)
        assert [answer for answer in answers if isinstance(answer, str)] == stored
        assert all(isinstance(answer, str | DatabaseUnavailable) for answer in answers)

    def test_works_again_when_the_disk_has_room(self, sqlite_db: SqliteDatabase) -> None:
        def limit(tx: Tx, pages: int) -> None:
            tx.connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

        sqlite_db.write_now(limit, 3)
        with pytest.raises(DatabaseUnavailable):
            sqlite_db.write_now(add, "x" * 200_000)
        sqlite_db.write_now(limit, 100_000)
        assert sqlite_db.write_now(add, "room") == "room"

    def test_a_dropped_transaction_gives_the_neighbours_no_foreign_error(self, sqlite_db: SqliteDatabase) -> None:
        """What SQLite does to a transaction when the disk is full, and a verb that covers it up."""

        def lose_everything(tx: Tx, mask: type[Exception] | None) -> str:
            tx.connection.exec_driver_sql("ROLLBACK")
            if mask is not None:
                raise mask
            return "as if nothing had happened"

        for mask in (Refused, None):
            calls = [sqlite_db.write(add, "a"), sqlite_db.write(lose_everything, mask), sqlite_db.write(add, "b")]
            answers = asyncio.run(_in_one_group(sqlite_db, *calls))
            assert [type(answer) for answer in answers] == [DatabaseUnavailable] * 3
        assert seen_from_outside(f"sqlite:///{sqlite_db.path}") == []
        assert sqlite_db.write_now(add, "next") == "next"


class TestVerbsThatNobodyWaitsFor:
    def test_share_the_commit_of_the_next_one(
        self, sqlite_db: SqliteDatabase, group_sizes: list[int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlite, "_UNAWAITED_DELAY", 30)
        for number in range(5):
            sqlite_db.write_soon(add, f"soon{number}")
        assert sqlite_db.write_now(add, "now") == "now"
        assert group_sizes == [6]
        assert len(seen_from_outside(f"sqlite:///{sqlite_db.path}")) == 6

    def test_are_not_forgotten_when_none_comes(self, sqlite_db: SqliteDatabase) -> None:
        sqlite_db.write_soon(add, "soon")
        deadline = time.monotonic() + 10
        while not (seen := seen_from_outside(f"sqlite:///{sqlite_db.path}")) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert seen == ["soon"]

    def test_are_written_before_the_house_is_closed(self, sqlite_db: SqliteDatabase) -> None:
        sqlite_db.write_soon(add, "soon")
        sqlite_db.close()
        assert seen_from_outside(f"sqlite:///{sqlite_db.path}") == ["soon"]


class TestNeighbours:
    def test_of_a_verb_that_fails_go_through(self, db: Database, database_url: str) -> None:
        calls = [db.write(add if number % 3 else add_then_fail, f"n{number}") for number in range(9)]
        answers = asyncio.run(_in_one_group(db, *calls))
        for number, answer in enumerate(answers):
            assert (answer == f"n{number}") if number % 3 else isinstance(answer, Refused)
        assert sorted(seen_from_outside(database_url)) == [f"n{number}" for number in range(9) if number % 3]

    def test_of_a_broken_statement_go_through(self, db: Database, database_url: str) -> None:
        db.write_now(add, "taken")
        calls = [db.write(add, "a"), db.write(add, "taken"), db.write(add, "b")]
        answers = asyncio.run(_in_one_group(db, *calls))
        assert (answers[0], answers[2]) == ("a", "b")
        assert type(answers[1]).__name__ == "IntegrityError"
        assert sorted(seen_from_outside(database_url)) == ["a", "b", "taken"]

    def test_only_the_successful_ones_act_after_the_commit(self, db: Database) -> None:
        acted: list[str] = []

        def verb(tx: Tx, body: str, fail: bool) -> None:
            tx.after_commit(lambda: acted.append(body))
            (add_then_fail if fail else add)(tx, body)

        calls = [db.write(verb, f"n{number}", fail=number == 1) for number in range(3)]
        asyncio.run(_in_one_group(db, *calls))
        assert sorted(acted) == ["n0", "n2"]
