"""A copy of a SQLite database while others write to it, and its place taken by another one."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tsudoi.core.backup.manifest import BadBackup
from tsudoi.core.media import sync_folder

_BUSY_SECONDS = 30
STILL_IN_USE = (
    "データベースがまだ使われています。serve・worker・notifications を止めてから、もう一度実行してください。\n"
    "The database is still in use; stop serve, worker and notifications, and try again."
)


def copy_sqlite(source: Path, target: Path) -> tuple[str, dict[str, int]]:
    """Copy one consistent state to a new file; returns its schema version and the rows of each table.

    `VACUUM INTO` reads one snapshot, and writers go on meanwhile. It leaves out what was deleted before.
    """
    with closing(_connect(source)) as raw:
        raw.execute("VACUUM INTO ?", (str(target),))
    target.chmod(0o600)
    return inspect_sqlite(target)


def inspect_sqlite(path: Path) -> tuple[str, dict[str, int]]:
    """The schema version and the rows of each table of a database that nobody else uses."""
    with closing(_connect(path)) as raw:
        problem = raw.execute("PRAGMA quick_check(1)").fetchone()[0]
        if problem != "ok":
            raise BadBackup(f"データベースが壊れています / the database is damaged: {problem}")
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        tables = [name for (name,) in raw.execute(query)]
        rows = {name: _count(raw, name) for name in sorted(tables)}
        version = raw.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    return str(version), rows


def _count(raw: sqlite3.Connection, table: str) -> int:
    quoted = table.replace('"', '""')
    return int(raw.execute(f'SELECT count(*) FROM "{quoted}"').fetchone()[0])  # noqa: S608 (a name from the schema)


@contextmanager
def nobody_uses(path: Path) -> Iterator[None]:
    """Refuse while another process has the file open, and keep others out of it during the block.

    Only the last user of a file can leave WAL, so this finds every other one, also one that is idle. Afterwards the
    old database is a single file, whose log cannot be taken for the log of the new one.
    """
    if not path.exists():
        yield
        return
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as raw:
        try:
            raw.execute("PRAGMA journal_mode=DELETE")
            raw.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise BadBackup(STILL_IN_USE) from error
        except sqlite3.DatabaseError as error:
            raise BadBackup(
                f"いまのデータベースは壊れています。{path}（-wal と -shm も）を別の場所へ移してください。\n"
                f"The database there is damaged; move {path} (with -wal and -shm) away, then restore."
            ) from error
        yield


def take_place(new: Path, path: Path) -> None:
    """One rename, so that every process sees either all of the old database or all of the new one."""
    with closing(_connect(new)) as raw:
        raw.execute("PRAGMA journal_mode=DELETE")  # One file, without a log beside it.
    _sync(new)
    new.replace(path)
    sync_folder(path.parent)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _connect(path: Path) -> sqlite3.Connection:
    if not path.exists():
        raise BadBackup(f"データベースがありません / there is no database: {path}")
    return sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
