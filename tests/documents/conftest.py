import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest


@pytest.fixture
def ours(migrated_sqlite: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Our database as any other program would open it: plain `sqlite3`, foreign keys on as the document asks."""
    path = tmp_path / "ours.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        yield connection
