from datetime import timedelta

import pytest

from tests.conftest import NOON
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.core.lockout import LOCKED_FOR, AttemptCheck, clear, count_attempt, forget_old

MINUTE = timedelta(minutes=1)
INSTANT = timedelta(microseconds=1)
KEY = "admin:office"


def _try(db: Database, times: int) -> list[bool]:
    return [db.write_now(count_attempt, KEY).admitted for _ in range(times)]


class TestAdmit:
    def test_the_fifth_in_a_row_locks_the_door_behind_itself(self, db: Database) -> None:
        admissions = [db.write_now(count_attempt, KEY) for _ in range(7)]
        lock = NOON + timedelta(minutes=10)
        assert (
            admissions == [AttemptCheck(True, None)] * 4 + [AttemptCheck(True, lock)] + [AttemptCheck(False, lock)] * 2
        )

    def test_every_name_has_its_own_door(self, db: Database) -> None:
        _try(db, 6)
        assert db.write_now(count_attempt, "admin:other") == AttemptCheck(True, None)

    def test_the_door_opens_after_ten_minutes_and_not_before(self, db: Database, clock: ManualClock) -> None:
        _try(db, 5)
        clock.advance(LOCKED_FOR - INSTANT)
        assert _try(db, 1) == [False]
        clock.advance(INSTANT)
        assert db.write_now(count_attempt, KEY) == AttemptCheck(True, None)

    @pytest.mark.found("24.E5")
    def test_a_lock_of_the_future_is_over(self, db: Database, clock: ManualClock) -> None:
        clock.advance(timedelta(days=1))
        _try(db, 6)
        clock.advance(timedelta(days=-1))
        assert _try(db, 6) == [True] * 5 + [False]

    def test_then_there_are_five_attempts_again(self, db: Database, clock: ManualClock) -> None:
        _try(db, 5)
        clock.advance(LOCKED_FOR)
        assert _try(db, 6) == [True] * 5 + [False]

    def test_knocking_on_a_locked_door_does_not_keep_it_locked(self, db: Database, clock: ManualClock) -> None:
        _try(db, 5)
        for _ in range(9):
            clock.advance(MINUTE)
            assert _try(db, 2) == [False, False]
        clock.advance(MINUTE)
        assert _try(db, 1) == [True]

    def test_failures_add_up_over_hours(self, db: Database, clock: ManualClock) -> None:
        admitted = []
        for _ in range(6):
            admitted += _try(db, 1)
            clock.advance(timedelta(minutes=1))
        assert admitted == [True] * 5 + [False]

    def test_day_old_failures_are_forgotten(self, db: Database, clock: ManualClock) -> None:
        """Four of them, so that the next one would have been the fifth."""
        _try(db, 4)
        clock.advance(timedelta(days=1))
        assert db.write_now(count_attempt, KEY) == AttemptCheck(True, None)
        assert [db.write_now(count_attempt, KEY).locked_until for _ in range(4)] == [None] * 3 + [
            NOON + timedelta(days=1) + LOCKED_FOR
        ]

    def test_younger_ones_are_not(self, db: Database, clock: ManualClock) -> None:
        _try(db, 4)
        clock.advance(timedelta(days=1) - INSTANT)
        assert _try(db, 2) == [True, False]


class TestClear:
    def test_a_success_gives_all_attempts_back(self, db: Database) -> None:
        _try(db, 5)
        db.write_now(clear, KEY)
        assert _try(db, 6) == [True] * 5 + [False]

    def test_only_to_its_own_name(self, db: Database) -> None:
        _try(db, 5)
        db.write_now(clear, "admin:other")
        assert _try(db, 1) == [False]


class TestForgetOld:
    def test_drops_what_is_two_days_old(self, db: Database, clock: ManualClock) -> None:
        _try(db, 1)
        clock.advance(timedelta(days=2))
        assert db.write_now(forget_old) == 0
        clock.advance(INSTANT)
        assert db.write_now(forget_old) == 1
