"""What must not be tried again is parked, and the state that it is parked in tells the truth."""

from datetime import timedelta

import pytest

from tests.conftest import NOON
from tests.core.parcels import LEASE, PARCELS, parcel, post
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.outbox import claims
from tsudoi.core.outbox.table import DONE, FAILED, PENDING, UNKNOWN, Outcome, RetryPolicy

POLICY = RetryPolicy(most_attempts=3)


def take(db: Database) -> list[int]:
    return [row.id for row in db.write_now(claims.take, PARCELS, POLICY, LEASE, 10)]


def settle(db: Database, outcome: Outcome) -> None:
    row = db.read_now(parcel)
    assert db.write_now(claims.settle, PARCELS, row, outcome, POLICY)


@pytest.fixture
def posted(db: Database) -> Database:
    db.write_now(post, [NOON])
    return db


class TestTake:
    def test_does_not_touch_a_row_whose_retry_key_may_be_forgotten(self, posted: Database, clock: ManualClock) -> None:
        assert take(posted) == [1]
        settle(posted, Outcome.UNKNOWN)
        clock.advance(timedelta(hours=30))
        assert take(posted) == []
        assert posted.read_now(parcel).status == UNKNOWN

    def test_says_failed_when_every_try_was_surely_in_vain(self, posted: Database, clock: ManualClock) -> None:
        assert take(posted) == [1]
        settle(posted, Outcome.NOT_NOW)
        clock.advance(timedelta(hours=30))
        assert take(posted) == []
        assert posted.read_now(parcel).status == FAILED

    def test_stops_a_row_that_kills_every_worker(self, posted: Database, clock: ManualClock) -> None:
        for _ in range(3):
            assert take(posted) == [1]
            clock.advance(LEASE + timedelta(seconds=1))
        assert take(posted) == []
        assert posted.read_now(parcel).status == UNKNOWN

    def test_leaves_a_row_alone_that_somebody_is_working_on(self, posted: Database, clock: ManualClock) -> None:
        for _ in range(3):
            assert take(posted) == [1]
            clock.advance(LEASE + timedelta(seconds=1))
        clock.advance(-timedelta(seconds=2))
        assert take(posted) == []
        assert posted.read_now(parcel).status == PENDING

    def test_remembers_doubt_across_later_certain_refusals(self, posted: Database, clock: ManualClock) -> None:
        outcomes = (Outcome.UNKNOWN, Outcome.NOT_NOW, Outcome.NOT_NOW)
        for outcome in outcomes:
            assert take(posted) == [1]
            settle(posted, outcome)
            clock.advance(timedelta(hours=1))
        assert posted.read_now(parcel).status == UNKNOWN

    def test_a_worker_that_died_leaves_doubt(self, posted: Database, clock: ManualClock) -> None:
        assert take(posted) == [1]
        clock.advance(LEASE + timedelta(seconds=1))
        assert take(posted) == [1]
        assert posted.read_now(parcel).uncertain


class TestGiveUp:
    def test_tells_which_rows_it_parked(self, posted: Database, clock: ManualClock) -> None:
        assert posted.write_now(claims.give_up, PARCELS, POLICY) == []
        take(posted)
        settle(posted, Outcome.UNKNOWN)
        clock.advance(timedelta(hours=30))
        [parked] = posted.write_now(claims.give_up, PARCELS, POLICY)
        assert (parked.id, parked.status, parked.lease_token) == (1, UNKNOWN, None)


class TestComplete:
    def test_writes_the_tables_own_columns_with_the_outcome(self, posted: Database) -> None:
        [row] = posted.write_now(claims.claim, PARCELS, LEASE, 1)
        more = {"first_attempt_at": None}
        assert posted.write_now(claims.complete, PARCELS, row.id, "another", DONE, **more) is False
        assert posted.read_now(parcel).first_attempt_at == NOON
        assert posted.write_now(claims.complete, PARCELS, row.id, row.lease_token, DONE, **more)
        done = posted.read_now(parcel)
        assert (done.status, done.first_attempt_at) == (DONE, None)
