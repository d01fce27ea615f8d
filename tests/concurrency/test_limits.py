"""Counting that holds when everybody comes at once."""

from collections import Counter
from datetime import timedelta

from tests.concurrency.threads import at_once
from tests.sizes import size
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database
from tsudoi.core.lockout import count_attempt
from tsudoi.core.rate_limit import Limit, count_request

THREADS, EACH = 20, size(10, 50)


class TestLockout:
    def test_of_two_hundred_parallel_guesses_five_are_admitted(self, db: Database) -> None:
        def guess(_number: int) -> list[bool]:
            return [db.write_now(count_attempt, "admin:office").admitted for _ in range(EACH)]

        admitted = [answer for answers in at_once(THREADS, guess) for answer in answers]
        assert Counter(admitted) == {True: 5, False: THREADS * EACH - 5}


class TestRateLimit:
    def test_allows_exactly_so_many(self, db: Database) -> None:
        limit = Limit("login", 37, timedelta(minutes=1))

        def knock(_number: int) -> list[bool]:
            return [db.write_now(count_request, limit, "alice").allowed for _ in range(EACH)]

        allowed = [answer for answers in at_once(THREADS, knock) for answer in answers]
        assert Counter(allowed) == {True: 37, False: THREADS * EACH - 37}

    def test_holds_across_processes(self, db: Database, database_url: str, clock: ManualClock) -> None:
        limit = Limit("login", 7, timedelta(minutes=1))
        other = open_database(database_url, clock)
        try:

            def knock(number: int) -> list[bool]:
                return [(db, other)[number % 2].write_now(count_request, limit, "alice").allowed for _ in range(EACH)]

            allowed = [answer for answers in at_once(4, knock) for answer in answers]
        finally:
            other.close()
        assert Counter(allowed) == {True: 7, False: 4 * EACH - 7}
