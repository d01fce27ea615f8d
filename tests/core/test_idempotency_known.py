"""`once_known`: what `once` promises, for an answer that is known before its effect."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import Column, MetaData, Table, Text, func, insert, select

from tsudoi.core import idempotency
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.errors import Conflict
from tsudoi.core.idempotency import InFlight, KeyReused, Reply, Scope, begin, finish, once, once_known, scope
from tsudoi.core.models import IdempotencyKey

EFFECTS = Table("effects", MetaData(), Column("what", Text))
ALICE = scope("line:alice", "POST /respond", "key-1", b'{"status":"attend"}')
OTHER_BODY = scope("line:alice", "POST /respond", "key-1", b'{"status":"absent"}')
YES = Reply(201, b'{"ok":true}')
KEPT = timedelta(hours=48)


class Closed(Conflict):
    pass


class Broken(Exception):
    pass


@pytest.fixture
def db(db: Database) -> Database:
    db.write_now(lambda tx: EFFECTS.create(tx.connection))
    return db


def act(tx: Tx, asked: Scope = ALICE, reply: Callable[[], Reply] = lambda: YES) -> Reply:
    return once_known(tx, asked, reply, lambda: tx.execute(insert(EFFECTS).values(what="acted")))


def refuse() -> Reply:
    raise Closed


def count(db: Database) -> int:
    return db.read_now(lambda tx: int(tx.scalar(select(func.count()).select_from(EFFECTS))))


def keys(db: Database) -> int:
    return db.read_now(lambda tx: int(tx.scalar(select(func.count()).select_from(IdempotencyKey))))


class TestOnceKnown:
    def test_acts_once_and_gives_the_first_bytes_ever_after(self, db: Database) -> None:
        assert db.write_now(act) == YES
        again = [db.write_now(act, ALICE, lambda: Reply(200, b"another")) for _ in range(3)]
        assert again == [Reply(201, b'{"ok":true}', replayed=True)] * 3
        assert count(db) == 1

    def test_refuses_another_body(self, db: Database) -> None:
        db.write_now(act)
        with pytest.raises(KeyReused):
            db.write_now(act, OTHER_BODY)
        assert count(db) == 1

    def test_shows_nobody_anothers_answer(self, db: Database) -> None:
        db.write_now(act)
        for principal, route, key in (
            ("line:bob", ALICE.route, ALICE.key),
            (ALICE.principal, "POST /other", ALICE.key),
            (ALICE.principal, ALICE.route, "key-2"),
        ):
            asked = scope(principal, route, key, b'{"status":"attend"}')
            assert db.write_now(act, asked, lambda: Reply(201, b"mine")) == Reply(201, b"mine")
        assert count(db) == 4

    def test_a_refusal_uses_nothing_up(self, db: Database) -> None:
        with pytest.raises(Closed):
            db.write_now(act, ALICE, refuse)
        assert (count(db), keys(db)) == (0, 0)
        assert db.write_now(act, OTHER_BODY) == YES

    def test_what_was_granted_stays_granted(self, db: Database) -> None:
        db.write_now(act)
        assert db.write_now(act, ALICE, refuse) == Reply(201, b'{"ok":true}', replayed=True)
        with pytest.raises(KeyReused):
            db.write_now(act, OTHER_BODY, refuse)

    def test_an_effect_that_fails_leaves_the_key_unused(self, db: Database) -> None:
        def broken(tx: Tx) -> Reply:
            def effect() -> None:
                raise Broken

            return once_known(tx, ALICE, lambda: YES, effect)

        with pytest.raises(Broken):
            db.write_now(broken)
        assert keys(db) == 0
        assert db.write_now(act) == YES

    def test_a_fault_that_is_no_refusal_goes_through(self, db: Database) -> None:
        """A granted answer must not hide that something is broken."""

        def broken() -> Reply:
            raise Broken

        db.write_now(act)
        with pytest.raises(Broken):
            db.write_now(act, ALICE, broken)


class TestTogetherWithTheOthers:
    def test_what_one_way_kept_the_other_replays(self, db: Database) -> None:
        db.write_now(act)
        assert db.write_now(once, ALICE, lambda _tx: Reply(200, b"x")) == Reply(201, YES.body, replayed=True)
        second = scope("line:alice", "POST /respond", "key-2", b"")
        db.write_now(once, second, lambda _tx: Reply(200, b"x"))
        assert db.write_now(act, second) == Reply(200, b"x", replayed=True)
        assert count(db) == 1

    def test_a_key_in_flight_is_waited_for(self, db: Database, clock: ManualClock) -> None:
        db.write_now(begin, ALICE, timedelta(minutes=1))
        with pytest.raises(InFlight):
            db.write_now(act)
        with pytest.raises(Closed):
            db.write_now(act, ALICE, refuse)
        clock.advance(timedelta(minutes=1))
        assert db.write_now(act) == YES
        db.write_now(finish, ALICE, Reply(500, b"late"))
        assert db.write_now(act) == Reply(201, YES.body, replayed=True)
        assert count(db) == 1


class TestExpiry:
    def test_a_key_is_new_after_its_time_whatever_the_body(self, db: Database, clock: ManualClock) -> None:
        db.write_now(act)
        clock.advance(KEPT - timedelta(microseconds=1))
        assert db.write_now(act).replayed
        clock.advance(timedelta(microseconds=1))
        with pytest.raises(Closed):
            db.write_now(act, ALICE, refuse)
        assert db.write_now(act, OTHER_BODY, lambda: Reply(201, b"second")) == Reply(201, b"second")
        assert db.write_now(act, OTHER_BODY) == Reply(201, b"second", replayed=True)
        assert (count(db), keys(db)) == (2, 1)

    def test_the_new_one_is_kept_as_long_again(self, db: Database, clock: ManualClock) -> None:
        db.write_now(act)
        clock.advance(KEPT)
        db.write_now(act)
        clock.advance(KEPT - timedelta(microseconds=1))
        assert db.write_now(idempotency.forget_expired) == 0
        clock.advance(timedelta(microseconds=1))
        assert db.write_now(idempotency.forget_expired) == 1
