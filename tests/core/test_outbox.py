from datetime import timedelta

import pytest
from sqlalchemy import Boolean, Column, Integer, MetaData, Table, Text, false, insert, select, update

from tests.conftest import NOON
from tests.core.parcels import LEASE, PARCELS, Parcel, parcel, post, take
from tsudoi.core.clock import ManualClock
from tsudoi.core.columns import UtcText
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.installation import become_copy, confirm_copy, identity
from tsudoi.core.outbox.claims import claim, complete, oldest_due, retry, settle, waiting
from tsudoi.core.outbox.claims import take as claims_take
from tsudoi.core.outbox.table import DONE, FAILED, PENDING, UNKNOWN, Outbox, Outcome, RetryPolicy

SECOND = timedelta(seconds=1)
POLICY = RetryPolicy()


class TestClaim:
    def test_takes_what_is_due_in_the_order_of_being_due(self, db: Database) -> None:
        db.write_now(post, [NOON - 2 * SECOND, NOON + SECOND, NOON, NOON - 3 * SECOND])
        assert [row.id for row in db.write_now(take)] == [4, 1, 3]

    def test_takes_rows_of_the_same_moment_in_the_order_of_their_keys(self, db: Database) -> None:
        db.write_now(post, [NOON] * 3)
        assert [row.id for row in db.write_now(take, 2)] == [1, 2]

    def test_takes_no_more_than_the_limit(self, db: Database) -> None:
        db.write_now(post, [NOON] * 7)
        assert [len(db.write_now(take, 3)) for _ in range(4)] == [3, 3, 1, 0]

    def test_leaves_what_is_not_due_until_it_is(self, db: Database, clock: ManualClock) -> None:
        db.write_now(post, [NOON + SECOND])
        assert db.write_now(take) == []
        clock.advance(SECOND)
        assert len(db.write_now(take)) == 1

    @pytest.mark.found("24.E4")
    @pytest.mark.row("8.C.22")
    def test_a_restored_copy_takes_nothing_and_gives_nothing_up_until_it_is_confirmed(
        self, db: Database, clock: ManualClock
    ) -> None:
        db.write_now(post, [NOON] * 2)
        [tried, _] = db.write_now(take)
        original = db.read_now(identity).database_id
        db.write_now(become_copy)
        clock.advance(LEASE + POLICY.give_up_after)
        held = db.read_now(lambda tx: tx.execute(select(PARCELS.table)).all())
        assert db.write_now(lambda tx: claims_take(tx, PARCELS, POLICY, LEASE, 10)) == []
        assert db.read_now(lambda tx: tx.execute(select(PARCELS.table)).all()) == held
        db.write_now(confirm_copy, original[:8])
        assert tried.status == PENDING
        db.write_now(lambda tx: claims_take(tx, PARCELS, POLICY, LEASE, 10))
        assert db.read_now(waiting, PARCELS)[UNKNOWN] == 2

    @pytest.mark.parametrize("status", [DONE, FAILED, UNKNOWN])
    def test_leaves_what_is_settled(self, db: Database, clock: ManualClock, status: str) -> None:
        db.write_now(post, [NOON])
        db.write_now(_mark, 1, status)
        clock.advance(LEASE * 10)
        assert db.write_now(take) == []

    def test_counts_the_attempt_and_notes_the_first_one(self, db: Database, clock: ManualClock) -> None:
        db.write_now(post, [NOON])
        first = db.write_now(take)[0]
        clock.advance(LEASE)
        second = db.write_now(take)[0]
        assert (first.attempt_count, first.first_attempt_at, first.lease_until) == (1, NOON, NOON + LEASE)
        assert (second.attempt_count, second.first_attempt_at, second.lease_until) == (2, NOON, NOON + 2 * LEASE)
        assert first.lease_token != second.lease_token

    def test_heeds_a_further_condition(self, db: Database) -> None:
        db.write_now(post, [NOON] * 3)
        rows = db.write_now(lambda tx: claim(tx, PARCELS, LEASE, 10, id=2))
        assert [row.id for row in rows] == [2]

    def test_works_on_a_table_with_other_names(self, db: Database) -> None:
        table = Table(
            "letters",
            MetaData(),
            Column("code", Text, primary_key=True),
            Column("send_at", UtcText, nullable=False),
            Column("status", Text, nullable=False),
            Column("attempt_count", Integer, nullable=False),
            *(Column(name, UtcText) for name in ("first_attempt_at", "lease_until", "updated_at")),
            *(Column(name, Text) for name in ("lease_token", "last_error")),
            Column("uncertain", Boolean, server_default=false(), nullable=False),
        )
        letters = Outbox(table, key="code", due="send_at")
        db.write_now(lambda tx: table.create(tx.connection))
        row = {"code": "a", "send_at": NOON, "status": PENDING, "attempt_count": 0}
        db.write_now(lambda tx: tx.execute(insert(table).values(**row)))
        held = db.write_now(lambda tx: claim(tx, letters, LEASE, 1)[0])
        assert db.write_now(lambda tx: retry(tx, letters, "a", held.lease_token, NOON + SECOND, "later"))
        assert db.write_now(lambda tx: claim(tx, letters, LEASE, 1)) == []


class TestLease:
    def test_keeps_others_away_until_it_runs_out(self, db: Database, clock: ManualClock) -> None:
        """The worker is killed: nothing but time gives its rows to the next one."""
        db.write_now(post, [NOON] * 2)
        assert len(db.write_now(take)) == 2
        clock.advance(LEASE - timedelta(microseconds=1))
        assert db.write_now(take) == []
        clock.advance(timedelta(microseconds=1))
        assert [row.id for row in db.write_now(take)] == [1, 2]

    def test_fences_off_a_late_worker(self, db: Database, clock: ManualClock) -> None:
        db.write_now(post, [NOON])
        late = db.write_now(take)[0]
        clock.advance(LEASE)
        owner = db.write_now(take)[0]
        assert not db.write_now(complete, PARCELS, 1, late.lease_token, DONE)
        assert not db.write_now(retry, PARCELS, 1, late.lease_token, NOON, "late")
        assert not db.write_now(settle, PARCELS, late, Outcome.REFUSED, POLICY)
        held = db.read_now(parcel)
        assert (held.status, held.lease_token, held.last_error) == (PENDING, owner.lease_token, None)
        assert db.write_now(complete, PARCELS, 1, owner.lease_token, DONE)
        assert db.read_now(parcel).status == DONE

    def test_a_late_worker_whose_row_nobody_took_may_still_finish(self, db: Database, clock: ManualClock) -> None:
        db.write_now(post, [NOON])
        late = db.write_now(take)[0]
        clock.advance(LEASE * 2)
        assert db.write_now(complete, PARCELS, 1, late.lease_token, DONE)


class TestComplete:
    def test_counts_once(self, db: Database) -> None:
        db.write_now(post, [NOON])
        held = db.write_now(take)[0]
        assert db.write_now(complete, PARCELS, 1, held.lease_token, FAILED, "why")
        assert not db.write_now(complete, PARCELS, 1, held.lease_token, DONE)
        row = db.read_now(parcel)
        assert (row.status, row.last_error, row.lease_token, row.lease_until) == (FAILED, "why", None, None)

    def test_only_touches_its_own_row(self, db: Database) -> None:
        db.write_now(post, [NOON] * 2)
        first, _ = db.write_now(take)
        db.write_now(complete, PARCELS, 1, first.lease_token, DONE)
        assert db.read_now(parcel, 2).status == PENDING


class TestRetry:
    def test_comes_back_when_due_and_not_before(self, db: Database, clock: ManualClock) -> None:
        db.write_now(post, [NOON])
        held = db.write_now(take)[0]
        assert db.write_now(retry, PARCELS, 1, held.lease_token, NOON + 5 * SECOND, "busy")
        clock.advance(4 * SECOND)
        assert db.write_now(take) == []
        clock.advance(SECOND)
        again = db.write_now(take)[0]
        assert (again.attempt_count, again.first_attempt_at, again.last_error) == (2, NOON, "busy")


class TestSettle:
    @pytest.mark.parametrize(("outcome", "status"), [(Outcome.OK, DONE), (Outcome.REFUSED, FAILED)])
    def test_writes_a_certain_outcome(self, db: Database, outcome: Outcome, status: str) -> None:
        db.write_now(post, [NOON])
        held = db.write_now(take)[0]
        assert db.write_now(settle, PARCELS, held, outcome, POLICY, "said so")
        row = db.read_now(parcel)
        assert (row.status, row.last_error, row.lease_token) == (status, "said so", None)

    @pytest.mark.parametrize("outcome", [Outcome.NOT_NOW, Outcome.UNKNOWN])
    def test_writes_when_to_try_again(self, db: Database, outcome: Outcome) -> None:
        db.write_now(post, [NOON])
        held = db.write_now(take)[0]
        assert db.write_now(settle, PARCELS, held, outcome, POLICY)
        row = db.read_now(parcel)
        assert (row.status, row.last_error, row.lease_token) == (PENDING, outcome.value, None)
        assert NOON + POLICY.first_delay / 2 <= row.due_at <= NOON + POLICY.first_delay

    @pytest.mark.parametrize(("outcome", "status"), [(Outcome.UNKNOWN, UNKNOWN), (Outcome.NOT_NOW, FAILED)])
    def test_parks_after_23_hours(self, db: Database, clock: ManualClock, outcome: Outcome, status: str) -> None:
        db.write_now(post, [NOON])
        first = db.write_now(take)[0]
        assert db.write_now(settle, PARCELS, first, Outcome.NOT_NOW, POLICY, "not now")
        clock.advance(timedelta(hours=23))
        held = db.write_now(take)[0]
        assert db.write_now(settle, PARCELS, held, outcome, POLICY, "still nothing")
        assert db.read_now(parcel).status == status
        clock.advance(timedelta(days=1))
        assert db.write_now(take) == []


def _mark(tx: Tx, number: int, status: str) -> None:
    tx.execute(update(Parcel).where(Parcel.id == number).values(status=status))


class TestLooking:
    def test_waiting_counts_each_state_that_is_not_done(self, db: Database) -> None:
        db.write_now(post, [NOON] * 7)
        for number, status in enumerate((DONE, FAILED, FAILED, UNKNOWN), start=1):
            db.write_now(_mark, number, status)
        assert db.read_now(waiting, PARCELS) == {PENDING: 3, FAILED: 2, UNKNOWN: 1}

    def test_waiting_names_the_states_even_when_nothing_waits(self, db: Database) -> None:
        db.write_now(lambda tx: PARCELS.table.create(tx.connection))
        assert db.read_now(waiting, PARCELS) == {PENDING: 0, FAILED: 0, UNKNOWN: 0}

    def test_oldest_due_is_the_one_that_has_waited_longest(self, db: Database, clock: ManualClock) -> None:
        db.write_now(post, [NOON, NOON - SECOND, NOON + SECOND])
        assert db.read_now(oldest_due, PARCELS) == NOON - SECOND
        for row in db.write_now(take):
            db.write_now(complete, PARCELS, row.id, row.lease_token, DONE)
        assert db.read_now(oldest_due, PARCELS) is None
        clock.advance(SECOND)
        assert db.read_now(oldest_due, PARCELS) == NOON + SECOND
