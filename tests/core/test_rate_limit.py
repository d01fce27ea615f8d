from datetime import timedelta

import pytest
from sqlalchemy import select

from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.errors import RateLimited
from tsudoi.core.models import RateLimit
from tsudoi.core.rate_limit import Limit, RateLimitResult, count_request, count_requests, forget_old, look

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

    def test_stores_no_id_of_a_line_user(self, db: Database) -> None:
        users = [f"U{digit * 32}" for digit in "ab"]
        for user in users:
            assert [db.write_now(count_request, THREE_A_MINUTE, f"line:{user}").allowed for _ in range(4)][3] is False
            assert db.read_now(look, THREE_A_MINUTE, f"line:{user}").allowed is False
        stored = db.read_now(lambda tx: tx.execute(select(RateLimit.bucket)).scalars().all())
        assert len(stored) == 2
        assert [user for user in users if any(user in bucket for bucket in stored)] == []

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


@pytest.mark.found("24.E5")
class TestWrongClock:
    def test_a_window_of_the_future_is_over(self, db: Database, clock: ManualClock) -> None:
        """The clock jumped a day ahead, and back: 429 for a day, with Retry-After 86,344."""
        clock.advance(timedelta(days=1))
        for _ in range(4):
            db.write_now(count_request, THREE_A_MINUTE, "alice")
        clock.advance(timedelta(days=-1))
        assert db.read_now(look, THREE_A_MINUTE, "alice").allowed
        assert [db.write_now(count_request, THREE_A_MINUTE, "alice") for _ in range(4)] == [
            RateLimitResult(True, 60)
        ] * 3 + [RateLimitResult(False, 60)]

    def test_requests_that_waited_for_each_other_begin_no_new_window(self, db: Database, clock: ManualClock) -> None:
        clock.advance(timedelta(seconds=2))
        for _ in range(4):
            db.write_now(count_request, THREE_A_MINUTE, "alice")
        clock.advance(timedelta(seconds=-2))
        assert not db.write_now(count_request, THREE_A_MINUTE, "alice").allowed

    def test_each_limit_has_a_length_of_its_own(self, db: Database) -> None:
        long = Limit("login-long", 1, timedelta(hours=1))
        for _ in range(2):
            db.write_now(count_requests, [(THREE_A_MINUTE, "a"), (long, "a")])
        found = db.write_now(count_requests, [(THREE_A_MINUTE, "a"), (long, "a")])
        assert [one.allowed for one in found] == [True, False]
