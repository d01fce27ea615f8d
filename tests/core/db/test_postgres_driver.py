"""Prepared statements on PostgreSQL: prepared once for a connection, and prepared again when they are gone."""

from typing import Any

import pytest
from sqlalchemy import text

from tests.core.db.notes import Refused, add, bodies
from tests.product_fixtures import postgresql_only
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.postgres import PostgresDatabase
from tsudoi.core.db.raw_sql import RawSql

pytestmark = postgresql_only

ADD = RawSql("INSERT INTO notes (body) VALUES (:body)")
FIND = RawSql("SELECT id, body FROM notes WHERE body = :body")
PREPARED = text("SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'raw_%'")


@pytest.fixture
def one_connection(database_url: str, db: Any) -> Any:
    """A database with a single connection, so that each verb meets what the one before left behind."""
    database = PostgresDatabase(database_url, db.clock, connections=1)
    yield database
    database.close()


def _find(tx: ReadTx) -> tuple[Any, ...] | None:
    return FIND.first(tx, {"body": "a"})


def _deallocate(tx: Tx) -> None:
    tx.execute(text("DEALLOCATE ALL"))


def test_reads_and_rolled_back_writes_keep_them(one_connection: PostgresDatabase) -> None:
    one_connection.write_now(add, "a")
    for _ in range(3):
        assert one_connection.read_now(_find) == (1, "a")

    def refused(tx: Tx) -> None:
        ADD.changed(tx, {"body": "b"})
        raise Refused

    with pytest.raises(Refused):
        one_connection.write_now(refused)
    assert one_connection.read_now(_find) == (1, "a")
    assert one_connection.read_now(lambda tx: tx.scalar(PREPARED)) == 2
    assert one_connection.read_now(bodies) == ["a"]


def test_a_statement_is_prepared_again_after_all_were_deallocated(one_connection: PostgresDatabase) -> None:
    one_connection.write_now(add, "a")
    assert one_connection.read_now(_find) == (1, "a")
    one_connection.write_now(_deallocate)
    assert one_connection.read_now(_find) == (1, "a")
    one_connection.write_now(lambda tx: ADD.changed(tx, {"body": "b"}))
    one_connection.write_now(_deallocate)
    assert one_connection.write_now(lambda tx: ADD.changed(tx, {"body": "c"})) == 1
    assert one_connection.read_now(bodies) == ["a", "b", "c"]


def test_values_of_another_kind_get_a_statement_of_their_own(one_connection: PostgresDatabase) -> None:
    def as_text(tx: ReadTx, value: object) -> tuple[Any, ...] | None:
        return RawSql("SELECT CAST(:value AS text)").first(tx, {"value": value})

    for value, shown in (("a", "a"), (1, "1"), (2**40, str(2**40)), (None, None), (True, "true")):
        assert one_connection.read_now(as_text, value) == (shown,)


def test_the_same_name_twice_is_one_parameter(one_connection: PostgresDatabase) -> None:
    twice = RawSql("SELECT CAST(:a AS text) || CAST(:b AS text) || CAST(:a AS text)")
    assert one_connection.read_now(lambda tx: twice.first(tx, {"a": "x", "b": "y"})) == ("xyx",)
