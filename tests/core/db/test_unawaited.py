"""Verbs that nobody waits for, on both databases: they share a transaction, and one that fails takes no other along."""

from tests.core.db.notes import add, add_then_fail, seen_from_outside
from tsudoi.core.db.interface import Database


def test_one_that_fails_takes_no_other_along(db: Database, database_url: str) -> None:
    for number in range(9):
        db.write_soon(add if number % 3 else add_then_fail, f"n{number}")
    db.close()
    assert sorted(seen_from_outside(database_url)) == [f"n{number}" for number in range(9) if number % 3]


def test_they_are_written_before_the_database_is_closed(db: Database, database_url: str) -> None:
    db.write_soon(add, "soon")
    db.close()
    assert seen_from_outside(database_url) == ["soon"]
