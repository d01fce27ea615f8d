"""Two workers never take the same row. The test that says so can fail: its control claims without the lock."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

import pytest
from sqlalchemy import select, update

from tests.concurrency.threads import at_once
from tests.conftest import NOON
from tests.core.parcels import PARCELS, Parcel, post, take
from tests.sizes import size
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database, Tx

ROWS, WORKERS, BATCH = size(300, 10_000), 8, 7


def _drain(db: Database, claim: Callable[[Tx], list[int]]) -> list[int]:
    """Every id that any worker was given, as often as it was given."""

    def work(_number: int) -> list[int]:
        taken: list[int] = []
        while batch := db.write_now(claim):
            taken += batch
        return taken

    return [key for keys in at_once(WORKERS, work) for key in keys]


def _claim(tx: Tx) -> list[int]:
    return [row.id for row in take(tx, BATCH)]


class TestManyWorkers:
    def test_take_each_row_once(self, db: Database) -> None:
        db.write_now(post, [NOON] * ROWS)
        taken = _drain(db, _claim)
        assert Counter(taken) == Counter(range(1, ROWS + 1))

    def test_of_two_processes_take_each_row_once(self, database_url: str, db: Database, clock: ManualClock) -> None:
        """Two databases on the same file or server share nothing but the data, like two processes."""
        db.write_now(post, [NOON] * ROWS)
        other = open_database(database_url, clock)
        try:

            def work(number: int) -> list[int]:
                return [key for _ in range(ROWS) for key in (db, other)[number % 2].write_now(_claim)]

            taken = [key for keys in at_once(2, work) for key in keys]
        finally:
            other.close()
        assert Counter(taken) == Counter(range(1, ROWS + 1))

    @pytest.mark.parametrize("backend", ["postgresql"], indirect=True)
    def test_do_not_wait_for_each_other(self, db: Database) -> None:
        """Both hold their rows at the same time: SKIP LOCKED, not a queue."""
        db.write_now(post, [NOON] * 4)
        both_hold = Barrier(2)

        def hold(tx: Tx) -> list[int]:
            taken = [row.id for row in take(tx, 2)]
            both_hold.wait(10)
            return taken

        first, second = at_once(2, lambda _: db.write_now(hold))
        assert sorted(first + second) == [1, 2, 3, 4]


class TestWithoutTheLock:
    @pytest.mark.parametrize("backend", ["postgresql"], indirect=True)
    def test_rows_are_taken_twice(self, db: Database) -> None:
        """Select, then update: all workers look before any of them has marked its rows."""
        db.write_now(post, [NOON] * ROWS)
        all_looked = Barrier(WORKERS)

        def naive_claim(tx: Tx) -> list[int]:
            free = select(Parcel.id).where(Parcel.lease_until.is_(None)).order_by(Parcel.id).limit(BATCH)
            keys = list(tx.execute(free).scalars())
            with suppress(BrokenBarrierError):
                all_looked.wait(2)
            tx.execute(update(PARCELS.table).where(Parcel.id.in_(keys)).values(lease_until=NOON))
            return keys

        taken = _drain(db, naive_claim)
        assert max(Counter(taken).values()) > 1
