"""`RawSql`: the same words to both drivers, inside the transaction like any other statement."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError

from tests.core.db.notes import Refused, add, bodies, seen_from_outside
from tests.product_fixtures import postgresql_only
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql, run_together
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


class TestChangedByEach:
    def test_runs_in_the_given_order_and_counts_the_rows_of_each(self, db: Database) -> None:
        begins_with = RawSql("UPDATE notes SET body = body || :more WHERE body LIKE :begin")
        steps = [{"begin": "a%", "more": "b"}, {"begin": "z%", "more": "!"}, {"begin": "ab", "more": "c"}]

        def verb(tx: Tx) -> tuple[list[int], list[int]]:
            added = ADD.changed_by_each(tx, [{"body": body} for body in ("a", "a1", "x")])
            return added, begins_with.changed_by_each(tx, steps)

        assert db.write_now(verb) == ([1, 1, 1], [2, 0, 1])
        assert sorted(db.read_now(bodies)) == ["a1b", "abc", "x"]

    def test_does_nothing_for_nobody(self, db: Database) -> None:
        assert db.write_now(lambda tx: ADD.changed_by_each(tx, [])) == []

    def test_a_broken_rule_undoes_them_all(self, db: Database, database_url: str) -> None:
        with pytest.raises(IntegrityError, match="notes"):
            db.write_now(lambda tx: ADD.changed_by_each(tx, [{"body": body} for body in "aba"]))
        assert db.write_now(lambda tx: ADD.changed_by_each(tx, [{"body": "next"}])) == [1]
        assert seen_from_outside(database_url) == ["next"]


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
        for statement in (ADD.first, ADD.changed, ADD.all, lambda tx, values: ADD.changed_by_each(tx, [values])):
            assert db.write_now(verb, statement).startswith("next")
        assert len(db.read_now(bodies)) == 5

    def test_a_reader_cannot_write_by_it(self, db: Database) -> None:
        with pytest.raises(Exception, match=r"(?i)read-?only|処理できません"):
            db.read_now(lambda tx: ADD.first(tx, {"body": "x"}))
        assert db.read_now(bodies) == []

    def test_alone_is_committed_too(self, db: Database, database_url: str) -> None:
        """SQLAlchemy sees nothing of it: whether there is something to commit, the database layer has to know."""
        db.write_now(lambda tx: ADD.first(tx, {"body": "plain"}))
        assert seen_from_outside(database_url) == ["plain"]


@postgresql_only
def test_a_lost_connection_is_said_and_replaced(db: Database) -> None:
    """The transaction was not committed yet, so that nobody need wonder whether it came through."""
    cut = RawSql("SELECT pg_terminate_backend(pg_backend_pid()), :body")
    for _ in range(12):  # More often than there are connections.
        with pytest.raises(DatabaseUnavailable) as heard:
            asyncio.run(db.write(cut.first, {"body": "x"}))
        assert "確認できませんでした" not in heard.value.message
    assert asyncio.run(db.write(ADD_ONCE.first, {"body": "a"})) == (1, "a")


class TestRunTogether:
    def test_gives_the_rows_of_each_in_order(self, db: Database) -> None:
        count = RawSql("SELECT COUNT(*) FROM notes")
        found = db.write_now(run_together, (ADD, FIND, ADD_ONCE, count), {"body": "a"})
        assert found[:2] == [[], [(1, "a")]]
        assert found[3] == [(1 + len(found[2]),)]
        assert len(db.read_now(bodies)) == 1 + len(found[2])

    def test_a_broken_constraint_undoes_them_all(self, db: Database) -> None:
        nobody = RawSql("INSERT INTO notes (body) VALUES (NULL)")
        with pytest.raises(IntegrityError) as caught:
            db.write_now(run_together, (ADD, nobody, ADD), {"body": "a secret"})
        assert "a secret" not in str(caught.value)
        assert db.read_now(bodies) == []
        db.write_now(run_together, (ADD,), {"body": "b"})
        assert db.read_now(bodies) == ["b"]
