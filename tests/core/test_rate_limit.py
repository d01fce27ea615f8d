from datetime import timedelta

import pytest

from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.errors import RateLimited
from tsudoi.core.rate_limit import Limit, RateLimitResult, count_request, forget_old

THREE_A_MINUTE = Limit("login", 3, timedelta(minutes=1))


class TestHit:
    def test_allows_so_many_and_no_more(self, db: Database) -> None:
        assert [db.write_now(count_request, THREE_A_MINUTE, "alice").allowed for _ in range(5)] == [True] * 3 + [
            False
        ] * 2

    def test_counts_everybody_apart(self, db: Database) -> None:
        for _ in range(4):
            db.write_now(count_request, THREE_A_MINUTE, "alice")
        assert db.write_now(count_request, THREE_A_MINUTE, "bob").allowed
        assert db.write_now(count_request, Limit("upload", 3, timedelta(minutes=1)), "alice").allowed

    def test_says_when_the_window_ends(self, db: Database, clock: ManualClock) -> None:
        assert db.write_now(count_request, THREE_A_MINUTE, "alice").retry_after_seconds == 60
        clock.advance(timedelta(seconds=59.5))
        assert db.write_now(count_request, THREE_A_MINUTE, "alice").retry_after_seconds == 1

    def test_begins_again_when_the_window_is_over(self, db: Database, clock: ManualClock) -> None:
        for _ in range(4):
            db.write_now(count_request, THREE_A_MINUTE, "alice")
        clock.advance(timedelta(seconds=60) - timedelta(microseconds=1))
        assert not db.write_now(count_request, THREE_A_MINUTE, "alice").allowed
        clock.advance(timedelta(microseconds=1))
        assert [db.write_now(count_request, THREE_A_MINUTE, "alice") for _ in range(4)] == [
            RateLimitResult(True, 60)
        ] * 3 + [RateLimitResult(False, 60)]

    def test_trying_on_does_not_make_the_window_longer(self, db: Database, clock: ManualClock) -> None:
        for _ in range(6):
            db.write_now(count_request, THREE_A_MINUTE, "alice")
            clock.advance(timedelta(seconds=10))
        assert db.write_now(count_request, THREE_A_MINUTE, "alice").allowed


class TestRaiseIfRefused:
    def test_is_silent_when_allowed(self) -> None:
        RateLimitResult(True, 5).raise_if_refused()

    def test_is_429_with_retry_after(self) -> None:
        with pytest.raises(RateLimited) as caught:
            RateLimitResult(False, 42).raise_if_refused()
        assert (caught.value.status, caught.value.headers) == (429, {"Retry-After": "42"})


class TestForgetOld:
    def test_drops_only_windows_that_are_over(self, db: Database, clock: ManualClock) -> None:
        db.write_now(count_request, THREE_A_MINUTE, "old")
        clock.advance(timedelta(seconds=61))
        db.write_now(count_request, THREE_A_MINUTE, "new")
        assert db.write_now(forget_old) == 1
        assert [db.write_now(count_request, THREE_A_MINUTE, "new").allowed for _ in range(3)] == [True, True, False]
