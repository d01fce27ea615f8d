"""G4 at a small size: many keys, ten parallel copies of each."""

from collections import Counter
from datetime import timedelta
from functools import partial
from random import Random

import pytest
from sqlalchemy import Column, MetaData, Table, Text, insert, select

from tests.concurrency.threads import at_once
from tests.sizes import size
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.idempotency import InFlight, KeyReused, Reply, begin, finish, once, scope

KEYS, COPIES, THREADS = size(20, 1000), 10, 16
EFFECTS = Table("effects", MetaData(), Column("key", Text))


@pytest.fixture(autouse=True)
def _effects(db: Database) -> None:
    db.write_now(lambda tx: EFFECTS.create(tx.connection))


def _act(tx: Tx, key: str, copy: int) -> Reply:
    """Each copy would answer differently, so that a second effect shows in the bytes too."""
    tx.execute(insert(EFFECTS).values(key=key))
    return Reply(201, f"{key} by copy {copy}".encode())


def _effect_count(db: Database) -> Counter[str]:
    return Counter(db.read_now(lambda tx: list(tx.execute(select(EFFECTS.c.key)).scalars())))


class TestParallelCopies:
    def test_have_one_effect_and_one_answer(self, db: Database) -> None:
        requests = [(f"key-{key}", copy) for key in range(KEYS) for copy in range(COPIES)]
        Random(4).shuffle(requests)

        def send(number: int) -> list[tuple[str, Reply]]:
            return [
                (
                    key,
                    db.write_now(once, scope("alice", "POST /", key, key.encode()), partial(_act, key=key, copy=copy)),
                )
                for key, copy in requests[number::THREADS]
            ]

        replies = [reply for batch in at_once(THREADS, send) for reply in batch]
        assert _effect_count(db) == Counter({f"key-{key}": 1 for key in range(KEYS)})
        for key in range(KEYS):
            answers = [reply for name, reply in replies if name == f"key-{key}"]
            assert len(answers) == COPIES
            assert len({(answer.status, answer.body) for answer in answers}) == 1
            assert sum(not answer.replayed for answer in answers) == 1

    def test_of_different_people_do_not_meet(self, db: Database) -> None:
        def send(number: int) -> Reply:
            principal = f"member-{number % 4}"
            return db.write_now(once, scope(principal, "POST /", "k", b""), lambda tx: _act(tx, principal, number))

        replies = at_once(THREADS, send)
        assert _effect_count(db) == Counter({f"member-{number}": 1 for number in range(4)})
        for number, reply in enumerate(replies):
            assert reply.body.startswith(f"member-{number % 4} ".encode())

    def test_with_different_bodies_one_body_wins(self, db: Database) -> None:
        def send(number: int) -> str:
            body = str(number).encode()
            try:
                db.write_now(once, scope("alice", "POST /", "k", body), lambda tx: _act(tx, "k", number))
            except KeyReused:
                return "reused"
            return "acted"

        assert Counter(at_once(THREADS, send)) == {"acted": 1, "reused": THREADS - 1}
        assert _effect_count(db) == {"k": 1}

    def test_of_long_work_hear_that_it_is_in_flight(self, db: Database) -> None:
        alice = scope("alice", "POST /", "k", b"")

        def send(_number: int) -> str:
            try:
                return "began" if db.write_now(begin, alice, timedelta(minutes=1)).reply is None else "replayed"
            except InFlight:
                return "in flight"

        assert Counter(at_once(THREADS, send)) == {"began": 1, "in flight": THREADS - 1}
        db.write_now(finish, alice, Reply(200, b"done"))
        assert set(at_once(4, send)) == {"replayed"}
