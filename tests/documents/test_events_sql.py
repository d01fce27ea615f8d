"""The document's own SQL for events, word for word, on our SQLite database."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.documents.test_roster_sql import HERE, columns, foreign_keys, named_indexes, uniques
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.events.answers import queries

TABLES = ("events", "event_targets", "event_responses", "event_push_stats")
NOW = "2025-08-17T09:00:01+09:00"
LATEST = (HERE / "latest_status.sql").read_text()


@pytest.fixture
def theirs() -> Iterator[sqlite3.Connection]:
    """The tables exactly as the document makes them."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for name in ("roster_tables.sql", "events_tables.sql"):
            connection.executescript((HERE / name).read_text())
        yield connection


def insert(connection: sqlite3.Connection, table: str, **values: Any) -> int:
    marks = ", ".join("?" * len(values))
    statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"
    return connection.execute(statement, tuple(values.values())).lastrowid or 0


def fill(connection: sqlite3.Connection) -> int:
    """An event of three members and one administrator, with the document's columns alone."""
    insert(connection, "admin_users", id=1, username="a", password_hash="x", created_at=NOW, updated_at=NOW)
    for number, place in ((101, 2), (102, None), (103, 1)):
        base = {"name": f"会員{number}", "name_key": f"会員{number}", "created_at": NOW, "updated_at": NOW}
        insert(connection, "members", id=number, display_order=place, **base)
    made = insert(
        connection,
        "events",
        title="理事会9月",
        body="出欠のご回答をお願いします。",
        held_at="2025-09-10T19:00:00+09:00",
        deadline_at=None,
        image_url="https://example.jp/o.jpg",
        image_size=1,
        image_preview_url="https://example.jp/p.jpg",
        image_preview_size=1,
        extra_text_enabled=1,
        extra_text_label="備考",
        extra_text_attend_only=1,
        created_by_admin=1,
        created_at=NOW,
        updated_at=NOW,
    )
    for number in (101, 102, 103):
        insert(connection, "event_targets", event_id=made, member_id=number)
    return made


def answer(
    connection: sqlite3.Connection, event_id: int, member_id: int, status: str, at: str, memo: str | None = None
) -> int:
    more = {"status": status, "extra_text": memo, "via": "liff", "responded_at": at}
    return insert(connection, "event_responses", event_id=event_id, member_id=member_id, **more)


class TestTables:
    @pytest.mark.parametrize("table", TABLES)
    def test_have_every_column_and_constraint_of_the_document(
        self, ours: sqlite3.Connection, theirs: sqlite3.Connection, table: str
    ) -> None:
        here, there = columns(ours, table), columns(theirs, table)
        assert {name: here.get(name) for name in there} == there
        assert uniques(theirs, table) <= uniques(ours, table)
        assert foreign_keys(theirs, table) <= foreign_keys(ours, table)

    @pytest.mark.parametrize("table", TABLES)
    def test_have_every_index_of_the_document_or_a_longer_one(
        self, ours: sqlite3.Connection, theirs: sqlite3.Connection, table: str
    ) -> None:
        here = named_indexes(ours, table)
        for name, indexed in named_indexes(theirs, table).items():
            assert here.get(name, ())[: len(indexed)] == indexed
            assert descending(ours, name)[: len(indexed)] == descending(theirs, name)

    @pytest.mark.parametrize("table", TABLES)
    def test_need_nothing_that_the_document_does_not_know(
        self, ours: sqlite3.Connection, theirs: sqlite3.Connection, table: str
    ) -> None:
        more = {name: column for name, column in columns(ours, table).items() if name not in columns(theirs, table)}
        assert all(not needed or default is not None for _, needed, default, _ in more.values()), more

    def test_number_their_rows_as_the_document_says(self, ours: sqlite3.Connection) -> None:
        made = dict(ours.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall())
        for table in ("events", "event_responses"):
            assert "AUTOINCREMENT" in made[table].upper(), table


def descending(connection: sqlite3.Connection, index: str) -> tuple[bool, ...]:
    """Of each column of the index that is a column of the table, whether it runs backwards."""
    found = connection.execute(f'PRAGMA index_xinfo("{index}")').fetchall()
    return tuple(bool(row[3]) for row in found if row[5])


class TestConstraints:
    def test_hold(self, ours: sqlite3.Connection) -> None:
        event_id = fill(ours)
        bare = {"title": "x", "held_at": NOW, "created_by_admin": 1, "created_at": NOW, "updated_at": NOW}
        second = insert(ours, "events", **bare)
        fields = "extra_text_enabled, extra_text_label, extra_text_attend_only"
        assert ours.execute(f"SELECT {fields} FROM events WHERE id = ?", (second,)).fetchone() == (0, "備考", 1)
        insert(ours, "event_push_stats", event_id=event_id, last_sent_at=NOW)
        assert ours.execute("SELECT success_count, fail_count FROM event_push_stats").fetchone() == (0, 0)
        answer(ours, event_id, 101, "attend", NOW)
        wrong: list[tuple[str, dict[str, Any]]] = [
            ("events", {**bare, "created_by_admin": 9}),
            ("events", {**bare, "title": None}),
            ("events", {**bare, "held_at": None}),
            ("event_targets", {"event_id": event_id, "member_id": 101}),
            ("event_targets", {"event_id": event_id, "member_id": 999}),
            ("event_targets", {"event_id": 999, "member_id": 101}),
            ("event_push_stats", {"event_id": event_id, "last_sent_at": NOW}),
            ("event_push_stats", {"event_id": second, "last_sent_at": None}),
        ]
        for table, values in wrong:
            with pytest.raises(sqlite3.IntegrityError):
                insert(ours, table, **values)
        for status in ("pending", "", "ATTEND"):
            with pytest.raises(sqlite3.IntegrityError):
                answer(ours, event_id, 101, status, NOW)
        with pytest.raises(sqlite3.IntegrityError):
            ours.execute("DELETE FROM admin_users")
        ours.execute("UPDATE members SET id = 201 WHERE id = 101")
        assert ours.execute("SELECT member_id FROM event_responses").fetchall() == [(201,)]
        ours.execute("DELETE FROM events WHERE id = ?", (event_id,))
        for table in TABLES[1:]:
            assert ours.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table


class TestLatestStatus:
    def test_runs_as_written(self, ours: sqlite3.Connection) -> None:
        event_id = fill(ours)
        answer(ours, event_id, 101, "attend", "2025-09-01T12:00:00+09:00", "遅れます")
        answer(ours, event_id, 101, "absent", "2025-09-01T12:00:01+09:00")
        answer(ours, event_id, 103, "absent", "2025-09-02T12:00:00+09:00")
        answer(ours, event_id, 103, "attend", "2025-09-02T11:00:00+09:00", "古い")
        other = fill_again(ours)
        answer(ours, other, 102, "attend", "2025-09-03T12:00:00+09:00", "別のイベント")
        found = ours.execute(LATEST, {"event_id": event_id}).fetchall()
        assert found == [(103, "absent", None), (101, "absent", None), (102, "pending", None)]

    def test_agrees_with_us_within_one_instant_and_between_seconds_and_ours(
        self, ours: sqlite3.Connection, clock: ManualClock
    ) -> None:
        """It says nothing about two answers of one instant; the index gives it our order."""
        event_id = fill(ours)
        for status, memo in (("attend", "1"), ("absent", "2"), ("attend", "3"), ("absent", "4")):
            answer(ours, event_id, 101, status, "2025-09-01T12:00:00.000000+09:00", memo)
            answer(ours, event_id, 102, status, "2025-09-01T12:00:00+09:00", memo)
        answer(ours, event_id, 103, "attend", "2025-09-01T12:00:00.000001+09:00", "新")
        answer(ours, event_id, 103, "absent", "2025-09-01T12:00:00+09:00", "旧")
        theirs = ours.execute(LATEST, {"event_id": event_id}).fetchall()
        assert theirs == [(103, "attend", "新"), (101, "absent", "4"), (102, "absent", "4")]
        [(_, _, path)] = ours.execute("PRAGMA database_list").fetchall()
        database = open_database(f"sqlite:///{path}", clock)
        try:
            rows = database.read_now(queries.status_rows, event_id)
        finally:
            database.close()
        assert [(row[0], row[2], row[3]) for row in rows] == theirs


def fill_again(connection: sqlite3.Connection) -> int:
    """A second event of the same people."""
    bare = {"title": "x", "held_at": NOW, "created_by_admin": 1, "created_at": NOW, "updated_at": NOW}
    made = insert(connection, "events", **bare)
    insert(connection, "event_targets", event_id=made, member_id=102)
    return made
