"""Notices that the file of a SQLite database was deleted, moved or replaced while it is open.

The system keeps a deleted file for those who have it open, so that SQLite goes on reading and writing without an error,
and everything is lost with the last connection. So we compare what is at the path with what was opened. The connections
stay open: if the same file comes back, everything goes on, and a normal stop saves what only a deleted log still has.
Another file is never opened by itself, because nobody has checked its schema.
"""

import os
import time
from pathlib import Path

import structlog

from tsudoi.core.errors import DatabaseUnavailable

_log = structlog.stdlib.get_logger(__name__)

# Reads look no more often than this.
_LOOK_SECONDS = 0.25

FileIdentity = tuple[int, int]


class DatabaseFileGone(DatabaseUnavailable):
    """The file of the database is no longer the one that this process has opened."""

    code = "DATABASE_FILE_GONE"
    default_message = (
        "データベースのファイルが削除されたか、置き換えられたため、処理できません。データは変更されていません。"
        "元のファイルを戻すか、サーバーを再起動する必要があります。"
    )


class FileWatch:
    """The database file and its log, as they were when they were opened."""

    def __init__(self, path: Path) -> None:
        self._file, self._log_file = str(path), f"{path}-wal"
        # None until the first connection was made: a new database may be made at any place.
        self._opened: FileIdentity | None = None
        self._opened_log: FileIdentity | None = None
        self._looked_at = 0.0
        self._gone = False

    def remember(self) -> None:
        """Call it after a connection was made."""
        if self._opened is None:
            self._opened = _identity(self._file)

    def require_recently(self) -> None:
        """As `require_in_place`, but a quarter of a second late at most, for what happens many times a second."""
        if self._gone or time.monotonic() - self._looked_at > _LOOK_SECONDS:
            self.require_in_place()

    def require_in_place(self) -> None:
        self._looked_at = time.monotonic()
        if self._opened is None:
            return
        log = _identity(self._log_file)
        gone = _identity(self._file) != self._opened or (self._opened_log is not None and log != self._opened_log)
        if gone != self._gone:
            self._gone = gone
            _log.error("database_file_gone" if gone else "database_file_is_back", path=self._file)
        if gone:
            raise DatabaseFileGone

    def remember_log(self) -> None:
        """Call it after a commit. SQLite makes a new log when it has closed the one before."""
        if self._opened_log is None:
            self._opened_log = _identity(self._log_file)

    def forget_log(self) -> None:
        """Call it before the writing connection is closed, because the log may be deleted with it."""
        self._opened_log = None


def _identity(path: str) -> FileIdentity | None:
    try:
        found = os.stat(path)  # noqa: PTH116 (for each commit, and a third of the time)
    except OSError:
        return None
    return found.st_dev, found.st_ino
