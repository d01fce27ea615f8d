"""`RowWithKey`: what `once` promises, for one row and an answer that is known before it is written."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import CheckConstraint, Column, MetaData, Table, Text, func, insert, select

from tsudoi.core import idempotency
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.errors import Conflict
from tsudoi.core.idempotency import InFlight, KeyReused, Reply, RowWithKey, Scope, begin, finish, once, scope
from tsudoi.core.models import IdempotencyKey

EFFECTS = Table("effects", MetaData(), Column("what", Text, CheckConstraint("what <> 'broken'")))
ROW = RowWithKey("effects", ("what",))
ALICE = scope("line:alice", "POST /respond", "key-1", b'{"status":"attend"}')
OTHER_BODY = scope("line:alice", "POST /respond", "key-1", b'{"status":"absent"}')
YES = Reply(201, b'{"ok":true}')
KEPT = timedelta(hours=48)


class Closed(Conflict):
    pass


@pytest.fixture
def db(db: Database) -> Database:
    db.write_now(lambda tx: EFFECTS.create(tx.connection))
    return db


def act(db: Database, asked: Scope = ALICE, reply: Reply | None = YES, what: str = "acted") -> Reply:
    """As an endpoint does. No reply: it is refused by now."""

    def at_once(tx: Tx) -> bool:
        return reply is not None and ROW.add(tx, asked, reply, {"what": what})

    def with_care(tx: Tx) -> Reply:
        if reply is None:
            raise Closed
        tx.execute(insert(EFFECTS).values(what=what))
        return reply

    if asyncio.run(db.write_one(at_once)):
        assert reply is not None
        return reply
    return db.write_now(once, asked, with_care)


def count(db: Database) -> int:
    return db.read_now(lambda tx: int(tx.scalar(select(func.count()).select_from(EFFECTS))))


def keys(db: Database) -> int:
    return db.read_now(lambda tx: int(tx.scalar(select(func.count()).select_from(IdempotencyKey))))


class TestRowWithKey:
    def test_acts_once_and_gives_the_first_bytes_ever_after(self, db: Database) -> None:
        assert act(db) == YES
        again = [act(db, ALICE, Reply(200, b"another")) for _ in range(3)]
        assert again == [Reply(201, b'{"ok":true}', replayed=True)] * 3
        assert count(db) == 1

    def test_refuses_another_body(self, db: Database) -> None:
        act(db)
        with pytest.raises(KeyReused):
            act(db, OTHER_BODY)
        assert count(db) == 1

    def test_shows_nobody_anothers_answer(self, db: Database) -> None:
        act(db)
        for principal, route, key in (
            ("line:bob", ALICE.route, ALICE.key),
            (ALICE.principal, "POST /other", ALICE.key),
            (ALICE.principal, ALICE.route, "key-2"),
        ):
            asked = scope(principal, route, key, b'{"status":"attend"}')
            assert act(db, asked, Reply(201, b"mine")) == Reply(201, b"mine")
        assert count(db) == 4

    def test_a_refusal_uses_nothing_up(self, db: Database) -> None:
        with pytest.raises(Closed):
            act(db, ALICE, None)
        assert (count(db), keys(db)) == (0, 0)
        assert act(db, OTHER_BODY) == YES

    def test_what_was_granted_stays_granted(self, db: Database) -> None:
        act(db)
        assert act(db, ALICE, None) == Reply(201, b'{"ok":true}', replayed=True)
        with pytest.raises(KeyReused):
            act(db, OTHER_BODY, None)

    def test_a_row_that_the_database_refuses_leaves_the_key_unused(self, db: Database) -> None:
        with pytest.raises(Exception, match=r"(?i)check constraint"):
            act(db, what="broken")
        assert (count(db), keys(db)) == (0, 0)
        assert act(db) == YES


class TestTogetherWithTheOthers:
    def test_what_one_way_kept_the_other_replays(self, db: Database) -> None:
        act(db)
        assert db.write_now(once, ALICE, lambda _tx: Reply(200, b"x")) == Reply(201, YES.body, replayed=True)
        second = scope("line:alice", "POST /respond", "key-2", b"")
        db.write_now(once, second, lambda _tx: Reply(200, b"x"))
        assert act(db, second) == Reply(200, b"x", replayed=True)
        assert count(db) == 1

    def test_a_key_in_flight_is_waited_for(self, db: Database, clock: ManualClock) -> None:
        db.write_now(begin, ALICE, timedelta(minutes=1))
        for reply in (YES, None):
            with pytest.raises(InFlight):
                act(db, ALICE, reply)
        clock.advance(timedelta(minutes=1))
        assert act(db) == YES
        db.write_now(finish, ALICE, Reply(500, b"late"))
        assert act(db) == Reply(201, YES.body, replayed=True)
        assert count(db) == 1


class TestExpiry:
    def test_a_key_is_new_after_its_time_whatever_the_body(self, db: Database, clock: ManualClock) -> None:
        act(db)
        clock.advance(KEPT - timedelta(microseconds=1))
        assert act(db).replayed
        clock.advance(timedelta(microseconds=1))
        with pytest.raises(Closed):
            act(db, ALICE, None)
        assert act(db, OTHER_BODY, Reply(201, b"second")) == Reply(201, b"second")
        assert act(db, OTHER_BODY) == Reply(201, b"second", replayed=True)
        assert (count(db), keys(db)) == (2, 1)

    def test_the_new_one_is_kept_as_long_again(self, db: Database, clock: ManualClock) -> None:
        act(db)
        clock.advance(KEPT)
        act(db)
        clock.advance(KEPT - timedelta(microseconds=1))
        assert db.write_now(idempotency.forget_expired) == 0
        clock.advance(timedelta(microseconds=1))
        assert db.write_now(idempotency.forget_expired) == 1
