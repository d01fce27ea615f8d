from datetime import timedelta

import pytest
from sqlalchemy import CheckConstraint, Column, MetaData, Table, Text, delete, func, insert, select

from tsudoi.core import idempotency
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.errors import InvalidInput
from tsudoi.core.idempotency import (
    InFlight,
    KeyReused,
    KeyScope,
    Progress,
    Reply,
    begin,
    close,
    finish,
    forget_expired,
    once,
    perform,
    release,
    scope,
)
from tsudoi.core.models import IdempotencyKey

EFFECTS = Table("effects", MetaData(), Column("what", Text, CheckConstraint("what <> 'broken'")))
LEASE = timedelta(seconds=30)
ALICE = scope("member:alice", "POST /api/answers", "key-1", b'{"answer":"yes"}')
OTHER_BODY = scope("member:alice", "POST /api/answers", "key-1", b'{"answer":"no"}')
DONE = Reply(201, b'{"ok":true}')


class Refused(Exception):
    pass


@pytest.fixture
def db(db: Database) -> Database:
    db.write_now(lambda tx: EFFECTS.create(tx.connection))
    return db


def _act(tx: Tx) -> Reply:
    tx.execute(insert(EFFECTS).values(what="acted"))
    return Reply(201, f'{{"n":{_count(tx)}}}'.encode())


def _fail(tx: Tx) -> Reply:
    _act(tx)
    raise Refused


def _decide(tx: Tx) -> str:
    _act(tx)
    return str(_count(tx))


def _count(tx: ReadTx) -> int:
    return int(tx.scalar(select(func.count()).select_from(EFFECTS)))


class TestOnce:
    def test_acts_the_first_time_and_replays_the_same_bytes_after(self, db: Database) -> None:
        first = db.write_now(once, ALICE, _act)
        again = [db.write_now(once, ALICE, _act) for _ in range(3)]
        assert first == Reply(201, b'{"n":1}')
        assert again == [Reply(201, b'{"n":1}', replayed=True)] * 3
        assert db.read_now(_count) == 1

    def test_keeps_bytes_that_are_no_text(self, db: Database) -> None:
        body = bytes(range(256))
        db.write_now(once, ALICE, lambda _tx: Reply(200, body))
        assert db.write_now(once, ALICE, _act).body == body

    def test_keeps_an_empty_answer(self, db: Database) -> None:
        db.write_now(once, ALICE, lambda _tx: Reply(204, b""))
        assert db.write_now(once, ALICE, _act) == Reply(204, b"", replayed=True)

    def test_refuses_another_body_under_the_same_key(self, db: Database) -> None:
        db.write_now(once, ALICE, _act)
        other = scope("member:alice", "POST /api/answers", "key-1", b'{"answer":"no"}')
        with pytest.raises(KeyReused) as caught:
            db.write_now(once, other, _act)
        assert caught.value.status == 422
        assert db.read_now(_count) == 1

    @pytest.mark.parametrize(
        "other",
        [
            scope("member:bob", "POST /api/answers", "key-1", b'{"answer":"yes"}'),
            scope("member:alice", "POST /api/other", "key-1", b'{"answer":"yes"}'),
            scope("member:alice", "POST /api/answers", "key-2", b'{"answer":"yes"}'),
        ],
        ids=["principal", "route", "key"],
    )
    def test_shows_nobody_anothers_answer(self, db: Database, other: KeyScope) -> None:
        db.write_now(once, ALICE, _act)
        assert db.write_now(once, other, _act) == Reply(201, b'{"n":2}')
        assert db.write_now(once, ALICE, _act) == Reply(201, b'{"n":1}', replayed=True)
        assert db.write_now(once, other, _act) == Reply(201, b'{"n":2}', replayed=True)

    def test_what_was_granted_stays_granted(self, db: Database) -> None:
        db.write_now(once, ALICE, _act)
        assert db.write_now(once, ALICE, _fail) == Reply(201, b'{"n":1}', replayed=True)

    def test_leaves_the_key_unused_when_the_database_refuses_a_row(self, db: Database) -> None:
        def breaks(tx: Tx) -> Reply:
            RawSql("INSERT INTO effects (what) VALUES (:what)").changed(tx, {"what": "broken"})
            return DONE

        with pytest.raises(Exception, match=r"(?i)check constraint"):
            db.write_now(once, ALICE, breaks)
        assert db.read_now(lambda tx: tx.execute(select(IdempotencyKey)).all()) == []
        assert db.write_now(once, OTHER_BODY, _act) == Reply(201, b'{"n":1}')

    def test_leaves_the_key_unused_when_the_verb_fails(self, db: Database) -> None:
        with pytest.raises(Refused):
            db.write_now(once, ALICE, _fail)
        other_body = scope(ALICE.principal, ALICE.route, ALICE.key, b"another body")
        assert db.write_now(once, other_body, _act) == Reply(201, b'{"n":1}')


class TestBeginAndFinish:
    def test_a_copy_in_flight_hears_409(self, db: Database) -> None:
        assert db.write_now(begin, ALICE, LEASE) == Progress()
        with pytest.raises(InFlight) as caught:
            db.write_now(begin, ALICE, LEASE)
        assert (caught.value.status, caught.value.headers["Retry-After"]) == (409, "1")

    def test_another_body_in_flight_hears_422(self, db: Database) -> None:
        db.write_now(begin, ALICE, LEASE)
        with pytest.raises(KeyReused):
            db.write_now(begin, scope(ALICE.principal, ALICE.route, ALICE.key, b"other"), LEASE)

    def test_a_finished_one_is_replayed(self, db: Database) -> None:
        db.write_now(begin, ALICE, LEASE)
        db.write_now(finish, ALICE, DONE)
        assert db.write_now(begin, ALICE, LEASE).reply == Reply(201, b'{"ok":true}', replayed=True)

    def test_the_key_passes_on_when_the_lease_is_over(self, db: Database, clock: ManualClock) -> None:
        db.write_now(begin, ALICE, LEASE)
        clock.advance(LEASE - timedelta(microseconds=1))
        with pytest.raises(InFlight):
            db.write_now(begin, ALICE, LEASE)
        clock.advance(timedelta(microseconds=1))
        assert db.write_now(begin, ALICE, LEASE) == Progress()
        with pytest.raises(InFlight):
            db.write_now(begin, ALICE, LEASE)

    def test_the_first_answer_stays(self, db: Database, clock: ManualClock) -> None:
        """One that was thought dead comes back late: who asked meanwhile has seen the other answer already."""
        db.write_now(begin, ALICE, LEASE)
        clock.advance(LEASE)
        db.write_now(begin, ALICE, LEASE)
        db.write_now(finish, ALICE, DONE)
        db.write_now(finish, ALICE, Reply(500, b"late"))
        assert db.write_now(begin, ALICE, LEASE).reply == Reply(201, b'{"ok":true}', replayed=True)

    def test_a_key_that_was_let_go_may_be_used_again_for_anything(self, db: Database) -> None:
        db.write_now(begin, ALICE, LEASE)
        db.write_now(release, ALICE)
        assert db.write_now(begin, OTHER_BODY, LEASE) == Progress()

    def test_a_finished_one_cannot_be_let_go(self, db: Database) -> None:
        db.write_now(begin, ALICE, LEASE)
        db.write_now(finish, ALICE, DONE)
        db.write_now(release, ALICE)
        assert db.write_now(begin, ALICE, LEASE).reply == Reply(201, b'{"ok":true}', replayed=True)

    def test_a_key_that_vanishes_while_we_look_is_in_flight(
        self, db: Database, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its row is gone between our insert, which met it, and our select."""
        progress = idempotency._progress

        def gone_meanwhile(tx: Tx, scope: KeyScope, lease: timedelta) -> Progress:
            tx.execute(delete(IdempotencyKey))
            return progress(tx, scope, lease)

        db.write_now(begin, ALICE, LEASE)
        monkeypatch.setattr(idempotency, "_progress", gone_meanwhile)
        with pytest.raises(InFlight):
            db.write_now(begin, ALICE, LEASE)


class TestPerform:
    """The one transaction between `begin` and `finish`."""

    def test_keeps_its_result_for_a_copy_that_comes_after_a_crash(self, db: Database, clock: ManualClock) -> None:
        db.write_now(begin, ALICE, LEASE)
        assert db.write_now(perform, ALICE, _decide) == "1"
        clock.advance(LEASE)
        assert db.write_now(begin, ALICE, LEASE) == Progress(result="1")
        assert db.read_now(_count) == 1

    def test_of_two_who_both_think_that_they_have_the_key_runs_once(self, db: Database, clock: ManualClock) -> None:
        db.write_now(begin, ALICE, LEASE)
        clock.advance(LEASE)
        db.write_now(begin, ALICE, LEASE)
        assert [db.write_now(perform, ALICE, _decide) for _ in range(2)] == ["1", "1"]
        assert db.read_now(_count) == 1

    def test_a_verb_that_refuses_leaves_no_result(self, db: Database) -> None:
        db.write_now(begin, ALICE, LEASE)
        with pytest.raises(Refused):
            db.write_now(perform, ALICE, lambda tx: str(_fail(tx)))
        db.write_now(release, ALICE)
        assert db.write_now(begin, OTHER_BODY, LEASE) == Progress()
        assert db.read_now(_count) == 0

    def test_work_that_was_let_go_after_it_goes_on_at_once(self, db: Database) -> None:
        db.write_now(begin, ALICE, LEASE)
        db.write_now(perform, ALICE, _decide)
        db.write_now(release, ALICE)
        with pytest.raises(KeyReused):
            db.write_now(begin, OTHER_BODY, LEASE)
        assert db.write_now(begin, ALICE, LEASE) == Progress(result="1")
        with pytest.raises(InFlight):
            db.write_now(begin, ALICE, LEASE)

    def test_without_its_key_does_nothing(self, db: Database) -> None:
        with pytest.raises(InFlight):
            db.write_now(perform, ALICE, _decide)
        assert db.read_now(_count) == 0


class TestClose:
    """A second transaction that keeps the reply, where the work has two."""

    def test_runs_once_although_two_think_that_they_have_the_key(self, db: Database, clock: ManualClock) -> None:
        db.write_now(begin, ALICE, LEASE)
        clock.advance(LEASE)
        db.write_now(begin, ALICE, LEASE)
        first, second = db.write_now(close, ALICE, _act), db.write_now(close, ALICE, _act)
        assert (first.body, first.replayed) == (b'{"n":1}', False)
        assert (second.body, second.replayed) == (b'{"n":1}', True)
        assert db.read_now(_count) == 1
        assert db.write_now(begin, ALICE, LEASE).reply == second

    def test_a_verb_that_refuses_leaves_the_key_to_the_next_try(self, db: Database) -> None:
        db.write_now(begin, ALICE, LEASE)
        with pytest.raises(Refused):
            db.write_now(close, ALICE, _fail)
        assert db.read_now(_count) == 0
        assert db.write_now(close, ALICE, _act).body == b'{"n":1}'

    def test_without_its_key_does_nothing(self, db: Database) -> None:
        with pytest.raises(InFlight):
            db.write_now(close, ALICE, _act)
        assert db.read_now(_count) == 0


class TestExpiry:
    def test_an_answer_is_kept_for_more_than_a_day(self, db: Database, clock: ManualClock) -> None:
        db.write_now(once, ALICE, _act)
        clock.advance(timedelta(hours=24, minutes=1))
        assert db.write_now(forget_expired) == 0
        assert db.write_now(once, ALICE, _act).replayed

    def test_a_key_is_new_after_48_hours(self, db: Database, clock: ManualClock) -> None:
        db.write_now(once, ALICE, _act)
        clock.advance(timedelta(hours=48))
        assert db.write_now(once, ALICE, _act) == Reply(201, b'{"n":2}')

    def test_the_new_one_is_another_request_and_is_kept_as_long_again(self, db: Database, clock: ManualClock) -> None:
        db.write_now(once, ALICE, _act)
        db.write_now(perform, ALICE, _decide)
        clock.advance(timedelta(hours=48))
        assert db.write_now(begin, OTHER_BODY, LEASE) == Progress()
        assert db.write_now(perform, OTHER_BODY, _decide) == "3"
        db.write_now(finish, OTHER_BODY, DONE)
        clock.advance(timedelta(hours=48) - timedelta(microseconds=1))
        assert db.write_now(forget_expired) == 0
        assert db.write_now(once, OTHER_BODY, _act) == Reply(201, b'{"ok":true}', replayed=True)

    def test_what_is_over_is_forgotten(self, db: Database, clock: ManualClock) -> None:
        db.write_now(once, ALICE, _act)
        clock.advance(timedelta(hours=48))
        assert db.write_now(forget_expired) == 1
        assert db.write_now(forget_expired) == 0


class TestScope:
    @pytest.mark.parametrize("key", ["", "x" * 256, "鍵", "a\nb", "a\x00b", "a\tb", "\x7f"])
    def test_refuses_a_bad_key(self, key: str) -> None:
        with pytest.raises(InvalidInput) as caught:
            scope("member:alice", "POST /", key, b"")
        assert [detail.field for detail in caught.value.details] == ["Idempotency-Key"]

    @pytest.mark.parametrize("key", ["x", "x" * 255, "8e03978e-40d5-43e8-bc93-6894a57f9324", "a b~!"])
    def test_takes_a_good_one(self, key: str) -> None:
        assert scope("member:alice", "POST /", key, b"").key == key


@pytest.mark.found("24.E8")
def test_replies_about_an_erased_person_are_gone_and_have_no_second_effect(db: Database) -> None:
    mine = scope("admin:1", "POST /api/admin/staffs", "key-2", b"{}")
    other = scope("admin:1", "POST /api/admin/staffs", "key-3", b"{}")
    db.write_now(once, ALICE, lambda _tx: DONE)
    db.write_now(once, mine, lambda _tx: Reply(201, '{"name":"消去希子"}'.encode()))
    db.write_now(once, other, lambda _tx: Reply(201, '{"name":"残留太郎"}'.encode()))
    assert db.write_now(idempotency.forget_person, {"member:alice"}, {"消去希子", ""}) == 2
    stored = [row.body for row in db.read_now(lambda tx: tx.execute(select(IdempotencyKey.body)).all())]
    assert not any("消去希子".encode() in body for body in stored)
    for gone in (ALICE, mine):
        again = db.write_now(once, gone, lambda _tx: pytest.fail("a second effect"))
        assert (again.status, again.replayed, b"ERASED" in again.body) == (410, True, True)
    assert db.write_now(once, other, lambda _tx: DONE).body == '{"name":"残留太郎"}'.encode()
