from collections.abc import Iterator
from pathlib import Path

import pytest

from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.sqlite import SqliteDatabase


@pytest.fixture
def db(tmp_path: Path, clock: ManualClock) -> Iterator[SqliteDatabase]:
    database = SqliteDatabase(tmp_path / "test.sqlite3", clock)
    database.write_now(lambda _tx: None)
    yield database
    database.close()


def _pragma(tx: ReadTx, name: str) -> object:
    return tx.connection.exec_driver_sql(f"PRAGMA {name}").scalar()


class TestPragmas:
    @pytest.mark.parametrize(
        ("name", "value"),
        [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 10_000)],
    )
    def test_are_in_force_for_writer_and_readers(self, db: SqliteDatabase, name: str, value: object) -> None:
        assert db.write_now(_pragma, name) == value
        assert db.read_now(_pragma, name) == value

    def test_only_readers_are_query_only(self, db: SqliteDatabase) -> None:
        assert db.write_now(_pragma, "query_only") == 0
        assert db.read_now(_pragma, "query_only") == 1
