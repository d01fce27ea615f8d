"""The document's own SQL, word for word, on our SQLite database."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
TABLES = ("members", "admin_users", "audiences", "audience_members")
NOW = "2025-08-17T09:00:01+09:00"


@pytest.fixture
def theirs() -> Iterator[sqlite3.Connection]:
    """The tables exactly as the document makes them."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript((HERE / "roster_tables.sql").read_text())
        yield connection


def columns(connection: sqlite3.Connection, table: str) -> dict[str, tuple[Any, ...]]:
    """Name to type, NOT NULL, default and place in the key. A key is never NULL, whether or not it says so.

    A default is compared without quotes: in a column of type INTEGER, '0' becomes 0.
    """
    found = connection.execute(f"PRAGMA table_info({table})").fetchall()
    return {
        name: (kind, bool(needed or key), default and default.strip("'"), key)
        for _, name, kind, needed, default, key in found
    }


def uniques(connection: sqlite3.Connection, table: str) -> set[tuple[str, ...]]:
    listed = connection.execute(f"PRAGMA index_list({table})").fetchall()
    return {_indexed(connection, name) for _, name, unique, origin, _ in listed if unique and origin != "pk"}


def named_indexes(connection: sqlite3.Connection, table: str) -> dict[str, tuple[str, ...]]:
    listed = connection.execute(f"PRAGMA index_list({table})").fetchall()
    return {name: _indexed(connection, name) for _, name, _, origin, _ in listed if origin == "c"}


def _indexed(connection: sqlite3.Connection, index: str) -> tuple[str, ...]:
    return tuple(row[2] for row in connection.execute(f'PRAGMA index_info("{index}")'))


def foreign_keys(connection: sqlite3.Connection, table: str) -> set[tuple[str, ...]]:
    return {row[2:7] for row in connection.execute(f"PRAGMA foreign_key_list({table})")}


def statements(name: str) -> list[str]:
    """One by one; a comment behind the semicolon ends with its line."""
    return re.split(r";[ ]*(?:--[^\n]*)?\n", (HERE / name).read_text())


class TestTables:
    @pytest.mark.parametrize("table", TABLES)
    def test_have_every_column_and_constraint_of_the_document(
        self, ours: sqlite3.Connection, theirs: sqlite3.Connection, table: str
    ) -> None:
        here, there = columns(ours, table), columns(theirs, table)
        assert {name: here.get(name) for name in there} == there
        assert uniques(theirs, table) <= uniques(ours, table)
        assert named_indexes(theirs, table).items() <= named_indexes(ours, table).items()
        assert foreign_keys(theirs, table) <= foreign_keys(ours, table)

    @pytest.mark.parametrize("table", TABLES)
    def test_need_nothing_that_the_document_does_not_know(
        self, ours: sqlite3.Connection, theirs: sqlite3.Connection, table: str
    ) -> None:
        more = {name: column for name, column in columns(ours, table).items() if name not in columns(theirs, table)}
        assert all(not needed or default is not None for _, needed, default, _ in more.values()), more

    def test_number_their_rows_as_the_document_says(self, ours: sqlite3.Connection) -> None:
        made = dict(ours.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall())
        for table in ("admin_users", "audiences"):
            assert "AUTOINCREMENT" in made[table].upper(), table


class TestConstraints:
    def test_hold(self, ours: sqlite3.Connection) -> None:
        person = (
            "INSERT INTO members (id, name, name_key, line_user_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)"
        )
        ours.execute(person, (101, "山田太郎", "山田太郎", "U1", NOW, NOW))
        ours.execute(person, (102, "佐藤花子", "佐藤花子", None, NOW, NOW))
        ours.execute(person, (103, "鈴木一郎", "鈴木一郎", None, NOW, NOW))
        assert ours.execute("SELECT is_target, role FROM members WHERE id = 101").fetchone() == (0, "member")
        group = "INSERT INTO audiences (name, sort_order, created_at, updated_at) VALUES (?, ?, ?, ?)"
        ours.execute(group, ("理事会", None, NOW, NOW))
        belongs = "INSERT INTO audience_members (audience_id, member_id) VALUES (?, ?)"
        ours.execute(belongs, (1, 101))
        account = (
            "INSERT INTO admin_users (username, password_hash, member_id, created_at, updated_at)"
            " VALUES (?, ?, ?, ?, ?)"
        )
        ours.execute(account, ("jimukyoku", "$2b$…", 101, NOW, NOW))
        for statement, values in (
            (person, (104, "別人", "別人", "U1", NOW, NOW)),
            (person, (101, "山田太郎", "山田太郎", None, NOW, NOW)),
            (person, (105, None, "x", None, NOW, NOW)),
            (group, ("理事会", 1, NOW, NOW)),
            (belongs, (1, 101)),
            (belongs, (1, 999)),
            (belongs, (999, 101)),
            (account, ("jimukyoku", "x", None, NOW, NOW)),
        ):
            with pytest.raises(sqlite3.IntegrityError):
                ours.execute(statement, values)
        ours.execute("UPDATE members SET id = 201 WHERE id = 101")
        assert ours.execute("SELECT member_id FROM audience_members").fetchall() == [(201,)]
        ours.execute("DELETE FROM members WHERE id = 201")
        assert ours.execute("SELECT * FROM audience_members").fetchall() == []
        assert ours.execute("SELECT member_id FROM admin_users").fetchall() == [(None,)]
        ours.execute(belongs, (1, 102))
        ours.execute("DELETE FROM audiences WHERE id = 1")
        assert ours.execute("SELECT * FROM audience_members").fetchall() == []


class TestLinker:
    def test_runs_as_written(self, ours: sqlite3.Connection) -> None:
        person = "INSERT INTO members (id, name, name_key, created_at, updated_at) VALUES (?, ?, ?, ?, ?)"
        ours.executemany(person, [(n, "山田太郎", "山田太郎", NOW, NOW) for n in (101, 102)])
        ours.execute("UPDATE members SET name_key = '山田次郎' WHERE id = 102")
        find, link, look = statements("linker.sql")
        assert ours.execute(find, {"normalized": "山田太郎"}).fetchall() == [(101, None)]
        wish = {"userId": "U1", "displayName": "たろう", "now": NOW, "memberId": 101}
        assert ours.execute(link, wish).rowcount == 1
        assert ours.execute(link, {**wish, "userId": "U2"}).rowcount == 0
        assert ours.execute(look, {"memberId": 101}).fetchone() == ("U1",)
        with pytest.raises(sqlite3.IntegrityError):
            ours.execute(link, {**wish, "memberId": 102})
        row = ours.execute("SELECT line_display_name, is_target, updated_at FROM members WHERE id = 101").fetchone()
        assert row == ("たろう", 1, NOW)
