"""`RawSql`: the same words to both drivers, inside the transaction like any other statement."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from tests.core.db.notes import Refused, add, bodies, seen_from_outside
from tests.product_fixtures import postgresql_only
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.errors import DatabaseUnavailable

ADD = RawSql("INSERT INTO notes (body) VALUES (:body)")
ADD_ONCE = RawSql("INSERT INTO notes (body) VALUES (:body) ON CONFLICT DO NOTHING RETURNING id, body")
FIND = RawSql("SELECT id, body FROM notes WHERE body = :body ORDER BY id")
ODD = ("'", '"', "%s", "%(body)s", "%", ":body", "?", "$1", "山\u202e", "\\", "x" * 100_000)


def _first(tx: ReadTx, statement: RawSql, parameters: dict[str, Any]) -> tuple[Any, ...] | None:
    return statement.first(tx, parameters)


class TestFirst:
    def test_gives_the_first_row_as_a_plain_tuple(self, db: Database) -> None:
        for body in "abc":
            db.write_now(add, body)
        every = RawSql("SELECT id, body FROM notes ORDER BY id DESC")
        found = db.read_now(lambda tx: every.first(tx, {}))
        assert found == (3, "c")
        assert type(found) is tuple

    def test_gives_none_where_there_is_none(self, db: Database) -> None:
        assert db.read_now(lambda tx: FIND.first(tx, {"body": "nobody"})) is None
        assert db.write_now(lambda tx: ADD.first(tx, {"body": "a"})) is None
        assert db.write_now(lambda tx: ADD_ONCE.first(tx, {"body": "b"})) == (2, "b")
        assert db.write_now(lambda tx: ADD_ONCE.first(tx, {"body": "b"})) is None
        assert db.read_now(bodies) == ["a", "b"]

    def test_leaves_nothing_open_behind_it(self, db: Database) -> None:
        """Only the first of many rows is fetched: what follows in the same transaction must not mind."""

        def verb(tx: Tx) -> None:
            for body in "abc":
                ADD.first(tx, {"body": body})
            assert RawSql("SELECT body FROM notes").first(tx, {}) is not None
            RawSql("DELETE FROM notes WHERE body <> :body RETURNING body").first(tx, {"body": "c"})
            ADD.first(tx, {"body": "d"})

        db.write_now(verb)
        assert db.read_now(bodies) == ["c", "d"]

    def test_takes_values_as_they_are(self, db: Database) -> None:
        for body in ODD:
            db.write_now(_first, ADD, {"body": body})
            assert db.read_now(_first, FIND, {"body": body}) == (ODD.index(body) + 1, body)
        assert db.read_now(bodies) == list(ODD)

    def test_takes_names_more_than_once_and_words_that_look_like_some(self, db: Database) -> None:
        odd = RawSql("SELECT :one || :one || :two2, 'a%b', '100%' LIKE '%0\\%' ESCAPE '\\', 7 % 4 WHERE :one <> :two2")
        assert db.read_now(lambda tx: odd.first(tx, {"one": "x", "two2": "y"})) in (
            ("xxy", "a%b", 1, 3),
            ("xxy", "a%b", True, 3),
        )

    @postgresql_only
    def test_leaves_casts_alone(self, db: Database) -> None:
        cast = RawSql("SELECT '5'::int + :number::int")
        assert db.read_now(lambda tx: cast.first(tx, {"number": 2})) == (7,)


class TestTransaction:
    def test_is_undone_with_the_verb(self, db: Database, database_url: str) -> None:
        def verb(tx: Tx) -> None:
            ADD.first(tx, {"body": "plain"})
            add(tx, "usual")
            raise Refused

        with pytest.raises(Refused):
            db.write_now(verb)
        assert seen_from_outside(database_url) == []

    def test_a_broken_rule_undoes_this_verb_alone(self, db: Database, database_url: str) -> None:
        db.write_now(add, "a")

        def verb(tx: Tx) -> None:
            ADD.first(tx, {"body": "b"})
            ADD.first(tx, {"body": "a"})

        with pytest.raises(IntegrityError, match="notes"):
            db.write_now(verb)
        db.write_now(add, "c")
        assert seen_from_outside(database_url) == ["a", "c"]

    def test_a_broken_rule_is_the_same_error_as_of_any_other_statement(self, db: Database) -> None:
        """Service code catches one type. `changed` and `all` go the same way as `first`."""

        def verb(tx: Tx, statement: Callable[[Tx, dict[str, Any]], object]) -> str:
            with pytest.raises(IntegrityError) as broken, tx.connection.begin_nested():
                statement(tx, {"body": "山田"})
            assert "INSERT INTO notes" in str(broken.value)
            return add(tx, f"next {len(bodies(tx))}")

        db.write_now(add, "山田")
        for statement in (ADD.first, ADD.changed, ADD.all):
            assert db.write_now(verb, statement).startswith("next")
        assert len(db.read_now(bodies)) == 4

    def test_a_reader_cannot_write_by_it(self, db: Database) -> None:
        with pytest.raises(Exception, match=r"(?i)read-?only|処理できません"):
            db.read_now(lambda tx: ADD.first(tx, {"body": "x"}))
        assert db.read_now(bodies) == []

    def test_alone_is_committed_too(self, db: Database, database_url: str) -> None:
        """SQLAlchemy sees nothing of it: whether there is something to commit, the database layer has to know."""
        db.write_now(lambda tx: ADD.first(tx, {"body": "plain"}))
        assert seen_from_outside(database_url) == ["plain"]


class TestAtCommit:
    def test_is_on_disk_when_the_write_returns(self, db: Database, database_url: str) -> None:
        def verb(tx: Tx) -> None:
            assert FIND.first(tx, {"body": "a"}) is None
            for body in ("a", "b"):
                ADD.at_commit(tx, {"body": body})

        asyncio.run(db.write(verb))
        assert seen_from_outside(database_url) == ["a", "b"]

    def test_comes_with_everything_else_or_not_at_all(self, db: Database) -> None:
        def refuses(tx: Tx) -> None:
            ADD.at_commit(tx, {"body": "a"})
            raise Refused

        def breaks(tx: Tx) -> None:
            ADD.first(tx, {"body": "b"})
            ADD.at_commit(tx, {"body": "c"})
            ADD.at_commit(tx, {"body": None})

        for verb, expected in ((refuses, Refused), (breaks, IntegrityError)):
            for _ in range(12):  # More often than there are connections: none must be left half way.
                with pytest.raises(expected):
                    db.write_now(verb)
        assert db.read_now(bodies) == []

    def test_what_was_asked_for_after_the_commit_is_not_done_when_it_fails(self, db: Database) -> None:
        done: list[str] = []

        def verb(tx: Tx, body: str | None) -> None:
            tx.after_commit(lambda: done.append(str(body)))
            ADD.at_commit(tx, {"body": body})

        with pytest.raises(IntegrityError):
            db.write_now(verb, None)
        db.write_now(verb, "a")
        assert done == ["a"]

    @postgresql_only
    def test_a_lost_connection_is_said_and_replaced(self, db: Database) -> None:
        """While the commit is under way nobody can know whether it came through, and the caller is told so."""
        cut = RawSql("SELECT pg_terminate_backend(pg_backend_pid()), :body")
        ways = {False: cut.first, True: cut.at_commit}
        for at_commit, way in ways.items():
            for _ in range(12):
                with pytest.raises(DatabaseUnavailable) as heard:
                    asyncio.run(db.write(way, {"body": "x"}))
                assert ("確認できませんでした" in heard.value.message) is at_commit
        assert asyncio.run(db.write(ADD_ONCE.first, {"body": "a"})) == (1, "a")
