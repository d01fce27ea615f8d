"""Tables with words and columns of their own, and several outboxes on one table."""

from datetime import timedelta
from typing import Any, cast

import pytest
from sqlalchemy import Boolean, Column, Integer, MetaData, Table, Text, false, insert, select

from tests.conftest import NOON
from tests.core.parcels import LEASE, PARCELS, Parcel, post
from tsudoi.core.clock import ManualClock
from tsudoi.core.columns import JstText, UtcText
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.outbox.claims import claim, complete, give_up, oldest_due, settle, take, waiting
from tsudoi.core.outbox.table import DONE, FAILED, PENDING, UNKNOWN, Outbox, Outcome, RetryPolicy, StatusWords

# As a document may prescribe it: other words, a counter of failures, Japanese time, and few of our own columns.
TABLE = Table(
    "notices",
    MetaData(),
    Column("code", Text, primary_key=True),
    Column("state", Text, nullable=False),
    Column("run_at", JstText, nullable=False),
    Column("attempt_count", Integer, nullable=False, server_default="0"),
    Column("problem", Text),
    *(Column(name, UtcText) for name in ("lease_until", "next_try_at")),
    Column("lease_token", Text),
    Column("outcome_unknown", Boolean, nullable=False, server_default=false()),
)
NOTICES = Outbox(
    TABLE,
    key="code",
    due="run_at",
    next_try="next_try_at",
    status="state",
    words=StatusWords(done="SENT", unknown="FAILED"),
    claims=None,
    failures="attempt_count",
    first_attempt=None,
    uncertain=None,
    outcome_unknown="outcome_unknown",
    error="problem",
    updated=None,
)
POLICY = RetryPolicy()
SECOND = timedelta(seconds=1)


@pytest.fixture
def notices(db: Database) -> Database:
    rows = [{"code": code, "state": "PENDING", "run_at": NOON} for code in ("a", "b", "c")]
    db.write_now(lambda tx: TABLE.create(tx.connection))
    db.write_now(lambda tx: tx.execute(insert(TABLE), rows))
    return db


def notice(tx: ReadTx, code: str) -> Any:
    return tx.execute(select(TABLE).where(TABLE.c.code == code)).one()


class TestWordsAndColumns:
    def test_success_has_the_tables_word_and_counts_nothing(self, notices: Database) -> None:
        held = notices.write_now(take, NOTICES, POLICY, LEASE, 1)[0]
        assert (held.code, held.attempt_count) == ("a", 0)
        assert notices.write_now(settle, NOTICES, held, Outcome.OK, POLICY) == DONE
        row = notices.read_now(notice, "a")
        assert (row.state, row.attempt_count, row.problem, row.outcome_unknown) == ("SENT", 0, None, False)

    def test_a_failure_is_counted_and_its_whole_reason_is_kept(self, notices: Database) -> None:
        held = notices.write_now(take, NOTICES, POLICY, LEASE, 1)[0]
        reason = "400: " + "あ" * 3_000
        assert notices.write_now(settle, NOTICES, held, Outcome.REFUSED, POLICY, reason) == FAILED
        row = notices.read_now(notice, "a")
        assert (row.state, row.attempt_count, row.problem, row.lease_token) == ("FAILED", 1, reason, None)

    def test_a_retry_leaves_the_documented_time_alone(self, notices: Database, clock: ManualClock) -> None:
        held = notices.write_now(claim, NOTICES, LEASE, 1)[0]
        assert notices.write_now(settle, NOTICES, held, Outcome.NOT_NOW, POLICY, "busy") == PENDING
        row = notices.read_now(notice, "a")
        assert (row.run_at, row.attempt_count) == (NOON, 0)
        assert row.next_try_at > NOON
        assert [one.code for one in notices.write_now(claim, NOTICES, LEASE, 9)] == ["b", "c"]
        clock.advance(2 * SECOND)
        assert [one.code for one in notices.write_now(claim, NOTICES, LEASE, 9)] == ["a"]

    def test_unknown_is_told_apart_without_a_word_for_it(self, notices: Database) -> None:
        for one in notices.write_now(claim, NOTICES, LEASE, 2):
            state = UNKNOWN if one.code == "a" else FAILED
            assert notices.write_now(complete, NOTICES, one.code, one.lease_token, state, "why")
        assert notices.read_now(notice, "a").state == notices.read_now(notice, "b").state == "FAILED"
        assert notices.read_now(waiting, NOTICES) == {PENDING: 1, FAILED: 1, UNKNOWN: 1}
        assert notices.read_now(oldest_due, NOTICES) == NOON

    def test_without_a_counter_and_a_first_time_nothing_is_parked(self, notices: Database, clock: ManualClock) -> None:
        clock.advance(timedelta(days=9))
        assert notices.write_now(give_up, NOTICES, POLICY) == []


class TestTwoOutboxesOnOneTable:
    def test_do_not_share_their_conditions(self, db: Database) -> None:
        """The first claim prepares a statement, which must not serve the other outbox."""
        table = cast("Table", Parcel.__table__)
        odd_ones_wait = Outbox(table, waits=Parcel.id % 2 == 1)
        even_ones_wait = Outbox(table, waits=Parcel.id % 2 == 0)

        def ids(tx: Tx, outbox: Outbox) -> list[int]:
            return [row.id for row in claim(tx, outbox, LEASE, 10)]

        db.write_now(post, [NOON] * 5)
        assert db.write_now(ids, odd_ones_wait) == [2, 4]
        assert db.write_now(ids, even_ones_wait) == [1, 3, 5]
        assert db.write_now(ids, PARCELS) == []
