"""The file of SQLite is deleted, moved or replaced while it is open: nobody is told that something was kept."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.core.db.notes import add, bodies, create_notes
from tests.servers import eventually
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.file_watch import DatabaseFileGone
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.sqlite import SqliteDatabase


@pytest.fixture
def unread(tmp_path: Path, clock: ManualClock) -> Iterator[SqliteDatabase]:
    """Only the writer has the file open. So the log is deleted as soon as its connection is closed."""
    database = SqliteDatabase(tmp_path / "test.sqlite3", clock)
    database.write_now(create_notes)
    database.write_now(add, "before")
    yield database
    database.close()


@pytest.fixture
def db(unread: SqliteDatabase) -> SqliteDatabase:
    for _ in range(8):
        unread.read_now(bodies)
    return unread


def log_of(db: SqliteDatabase) -> Path:
    return db.path.with_name(f"{db.path.name}-wal")


def move_away(db: SqliteDatabase) -> None:
    db.path.rename(db.path.with_name("elsewhere"))


def replace(db: SqliteDatabase) -> None:
    copy = db.path.with_name("copy")
    shutil.copyfile(db.path, copy)
    copy.rename(db.path)


def delete_folder(db: SqliteDatabase) -> None:
    shutil.rmtree(db.path.parent)


ACCIDENTS: list[Callable[[SqliteDatabase], None]] = [
    lambda db: db.path.unlink(),
    lambda db: log_of(db).unlink(),
    move_away,
    replace,
    delete_folder,
]


@pytest.mark.parametrize("accident", ACCIDENTS, ids=["deleted", "log deleted", "moved", "replaced", "folder deleted"])
def test_is_an_error_at_once_and_nothing_is_made_in_its_place(
    db: SqliteDatabase, accident: Callable[[SqliteDatabase], None]
) -> None:
    accident(db)
    there = sorted(db.path.parent.glob("*"))
    with pytest.raises(DatabaseFileGone, match="再起動"):
        db.write_now(add, "lost")
    for _ in range(8):
        with pytest.raises(DatabaseFileGone, match="データは変更されていません"):
            db.read_now(bodies)
    assert sorted(db.path.parent.glob("*")) == there


def test_reads_alone_notice_it_within_a_second(db: SqliteDatabase) -> None:
    db.path.unlink()
    eventually(lambda: _is_gone(db), seconds=5)


def _is_gone(db: SqliteDatabase) -> bool:
    try:
        db.read_now(bodies)
    except DatabaseFileGone:
        return True
    return False


def test_in_the_middle_of_a_write_nothing_is_promised_and_nobody_is_told(db: SqliteDatabase) -> None:
    told: list[str] = []

    def delete_and_write(tx: Tx) -> str:
        db.path.unlink()
        tx.after_commit(lambda: told.append("kept"))
        return add(tx, "who knows")

    with pytest.raises(DatabaseFileGone, match="確認できませんでした"):
        db.write_now(delete_and_write)
    assert told == []


def test_the_first_read_right_after_it_makes_no_empty_file(unread: SqliteDatabase) -> None:
    """The write has just looked, so that the read does not look again before it connects."""
    unread.write_now(add, "a moment ago")
    unread.path.unlink()
    with pytest.raises(DatabaseFileGone):
        unread.read_now(bodies)
    assert not unread.path.exists()


def test_goes_on_when_the_same_file_comes_back(unread: SqliteDatabase) -> None:
    move_away(unread)
    with pytest.raises(DatabaseFileGone):
        unread.write_now(add, "lost")
    unread.path.with_name("elsewhere").rename(unread.path)
    assert unread.write_now(add, "after") == "after"
    assert unread.read_now(bodies) == ["before", "after"]


def test_a_stop_saves_what_only_a_deleted_log_has(unread: SqliteDatabase) -> None:
    log_of(unread).unlink()
    with pytest.raises(DatabaseFileGone):
        unread.write_now(add, "lost")
    unread.close()
    with closing(sqlite3.connect(unread.path)) as other:
        assert other.execute("SELECT body FROM notes").fetchall() == [("before",)]


def test_a_new_connection_after_an_error_has_a_new_log(unread: SqliteDatabase) -> None:
    """The last connection that is closed deletes the log, and the next makes another one."""

    def forbid_writing(tx: Tx) -> None:
        tx.connection.exec_driver_sql("PRAGMA query_only=ON").close()

    for number in range(3):
        unread.write_now(forbid_writing)
        with pytest.raises(Exception, match="UNAVAILABLE"):
            unread.write_now(add, "refused")
        assert unread.write_now(add, f"{number}") == f"{number}"
