"""The SQL of document 001, word for word, on our database: its tables, its INSERTs, and its clean-up."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.documents.test_roster_sql import HERE, columns, foreign_keys, named_indexes, statements, uniques

TABLES = (
    *("scheduling_threads", "thread_attendance_rules", "scheduling_slots"),
    *("thread_invites", "thread_selections", "thread_finalize"),
)
NOW = "2026-01-01T00:00:00.000000+00:00"
START, END = "2026-01-01T14:00:00+09:00", "2026-01-01T15:00:00+09:00"
CLEAN_UP = (HERE / "threads_clean_up.sql").read_text()


@pytest.fixture
def theirs() -> Iterator[sqlite3.Connection]:
    """The tables exactly as the document makes them."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript((HERE / "threads_tables.sql").read_text())
        yield connection


def inserts() -> list[str]:
    return [one for one in statements("threads_inserts.sql") if one.strip()]


def insert(connection: sqlite3.Connection, table: str, **values: Any) -> None:
    marks = ", ".join("?" * len(values))
    connection.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", list(values.values()))


def thread(connection: sqlite3.Connection, thread_id: str = "t") -> None:
    """A thread with everything below it, decided."""
    insert(connection, "scheduling_threads", id=thread_id, organizer_user_id="u", created_at=NOW, updated_at=NOW)
    below(connection, thread_id)


def below(connection: sqlite3.Connection, thread_id: str) -> None:
    mine = {"thread_id": thread_id}
    insert(connection, "thread_attendance_rules", **mine, rule_json="{}")
    insert(
        connection,
        "scheduling_slots",
        **mine,
        slot_id=f"s-{thread_id}",
        start_at=START,
        end_at=END,
        timezone="Asia/Tokyo",
    )
    person = {"token": f"k-{thread_id}", "email": "a@example.jp", "candidate_name": "A", "invitee_key": "e:1"}
    insert(connection, "thread_invites", **mine, id=f"i-{thread_id}", **person, expires_at=NOW, created_at=NOW)
    answer = {"selection_id": f"a-{thread_id}", "invitee_key": "e:1", "selected_slot_id": f"s-{thread_id}"}
    insert(connection, "thread_selections", **mine, **answer, created_at=NOW)
    insert(connection, "thread_finalize", **mine, selected_slot_id=f"s-{thread_id}", finalized_at=NOW)


def counts(connection: sqlite3.Connection) -> list[int]:
    return [connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES]


class TestTables:
    @pytest.mark.row("1.0.1", "1.0.5", "1.0.7", "1.0.8", "1.0.9", "1.0.10", "1.0.11", "1.0.12")
    @pytest.mark.parametrize("table", TABLES)
    def test_have_every_column_and_constraint_of_the_document(
        self, ours: sqlite3.Connection, theirs: sqlite3.Connection, table: str
    ) -> None:
        here, there = columns(ours, table), columns(theirs, table)
        for name, (kind, needed, default, key) in there.items():
            # Where the document has no default, ours may have one: its own INSERTs leave these columns out.
            own = here[name]
            assert own == (kind, needed, own[2] if default is None else default, key), name
        assert uniques(theirs, table) <= uniques(ours, table)
        assert named_indexes(theirs, table).items() <= named_indexes(ours, table).items()
        assert foreign_keys(theirs, table) <= foreign_keys(ours, table)

    @pytest.mark.row("1.0.17")
    @pytest.mark.parametrize("table", TABLES)
    def test_need_nothing_that_the_document_does_not_know(
        self, ours: sqlite3.Connection, theirs: sqlite3.Connection, table: str
    ) -> None:
        more = {name: column for name, column in columns(ours, table).items() if name not in columns(theirs, table)}
        assert all(not needed or default is not None for _, needed, default, _ in more.values()), more

    @pytest.mark.row("1.0.2", "1.0.18")
    def test_a_thread_has_its_defaults_and_never_lacks_an_id(self, ours: sqlite3.Connection) -> None:
        insert(ours, "scheduling_threads", id="x", organizer_user_id="u", created_at="n", updated_at="n")
        assert ours.execute("SELECT status, mode FROM scheduling_threads").fetchall() == [("draft", "one_on_one")]
        with pytest.raises(sqlite3.IntegrityError, match="NOT NULL"):
            insert(ours, "scheduling_threads", id=None, organizer_user_id="u", created_at="n", updated_at="n")

    @pytest.mark.row("1.0.9", "1.0.11", "1.0.12")
    def test_constraints_hold(self, ours: sqlite3.Connection) -> None:
        thread(ours)
        thread(ours, "other")
        person = {"email": "", "candidate_name": "", "expires_at": NOW, "created_at": NOW}
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            insert(ours, "thread_invites", id="2", thread_id="t", token="k-t", **person)
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            insert(ours, "thread_selections", selection_id="2", thread_id="t", invitee_key="e:1", created_at=NOW)
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            ours.execute("DELETE FROM scheduling_slots WHERE slot_id = 's-t'")
        ours.execute("DELETE FROM thread_finalize WHERE thread_id = 't'")
        ours.execute("DELETE FROM scheduling_slots WHERE slot_id = 's-t'")
        assert ours.execute("SELECT selected_slot_id FROM thread_selections WHERE thread_id = 't'").fetchone() == (
            None,
        )
        assert ours.execute("SELECT auto_finalized FROM thread_finalize").fetchall() == [(0,)]

    @pytest.mark.row("1.0.13")
    def test_a_thread_takes_everything_below_it_along(self, ours: sqlite3.Connection) -> None:
        thread(ours)
        assert ours.execute("DELETE FROM scheduling_threads WHERE id = 't'").rowcount == 1
        assert counts(ours) == [0] * 6


class TestInserts:
    @pytest.mark.row("1.0.6", "1.0.7", "1.0.17", "1.3.2")
    def test_run_as_written(self, ours: sqlite3.Connection) -> None:
        of_thread, of_rule, of_slot, or_ignore = inserts()
        assert ours.execute(of_thread, ("t", "u", "題", None, NOW, NOW)).rowcount == 1
        assert ours.execute(of_rule, ("t", "{}", "EARLIEST_VALID")).rowcount == 1
        assert ours.execute(of_slot, ("s", "t", START, END, "Asia/Tokyo", "Tomorrow")).rowcount == 1
        assert ours.execute(or_ignore, ("t", "{}", "EARLIEST_VALID")).rowcount == 0
        ours.execute("DELETE FROM thread_attendance_rules")
        assert ours.execute(or_ignore, ("t", "{}", "EARLIEST_VALID")).rowcount == 1
        times = ours.execute("SELECT created_at, updated_at FROM thread_attendance_rules").fetchall()[0]
        times += ours.execute("SELECT created_at FROM scheduling_slots").fetchall()[0]
        assert {(len(time), time[-6:]) for time in times} == {(32, "+00:00")}
        assert ours.execute("SELECT status, version FROM scheduling_threads, thread_attendance_rules").fetchall() == [
            ("active", 1)
        ]


class TestOrphans:
    @pytest.fixture
    def orphaned(self, ours: sqlite3.Connection) -> sqlite3.Connection:
        """One thread, and rows of another that does not exist: as a program without foreign keys leaves them."""
        ours.execute("PRAGMA foreign_keys = OFF")
        thread(ours)
        below(ours, "gone")
        return ours

    @pytest.mark.row("1.5.1", "1.5.2")
    def test_are_found_and_removed_step_by_step(self, orphaned: sqlite3.Connection) -> None:
        steps = [one for one in statements("threads_orphans.sql") if one.strip()]
        assert len(steps) == 6
        for find, remove in zip(steps[::2], steps[1::2], strict=True):
            [found] = orphaned.execute(find).fetchall()
            assert "gone" in found
            assert orphaned.execute(remove).rowcount == 1
            assert orphaned.execute(find).fetchall() == []
        assert counts(orphaned) == [1, 1, 1, 1, 2, 2]

    @pytest.mark.row("1.5.3", "1.5.4")
    def test_the_whole_script_needs_foreign_keys_off(self, orphaned: sqlite3.Connection) -> None:
        script, look = CLEAN_UP.rsplit("-- ", 1)
        orphaned.execute("PRAGMA foreign_keys = ON")
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            orphaned.executescript(script)
        orphaned.execute("PRAGMA foreign_keys = OFF")
        orphaned.executescript(script)
        assert orphaned.execute(look.split("\n", 1)[1]).fetchall() == [(0, 0, 0, 0, 0)]
        assert counts(orphaned) == [1] * 6

    def test_the_whole_script_with_foreign_keys_on_where_no_decision_is_orphaned(
        self, orphaned: sqlite3.Connection
    ) -> None:
        orphaned.execute("DELETE FROM thread_finalize WHERE thread_id = 'gone'")
        orphaned.execute("PRAGMA foreign_keys = ON")
        orphaned.executescript(CLEAN_UP)
        assert counts(orphaned) == [1] * 6
