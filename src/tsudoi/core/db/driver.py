"""A short transaction with the database driver alone, without SQLAlchemy.

A command that cron starts every minute usually finds nothing to do, and SQLAlchemy takes longer to load than all of its
work. Everything else uses `Database`.
"""

import os
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any
from urllib.parse import quote

_BUSY_SECONDS, _CONNECT_SECONDS = 10, 5
# The work of such a transaction takes milliseconds, so that the server does not answer.
_LONGEST_SECONDS = 30.0
_SQLITE = "sqlite:///"


class DriverError(Exception):
    """The database cannot be opened, read or written."""


class DriverTx:
    """A transaction on a connection of the driver. A parameter is written as `?`."""

    def __init__(self, connection: Any, placeholder: str) -> None:
        self._connection, self._placeholder = connection, placeholder

    def value(self, sql: str, *parameters: str) -> Any:
        """The first column of the first row, or None. Works for statements that return nothing too."""
        cursor = self._connection.execute(sql.replace("?", self._placeholder), parameters)
        row = cursor.fetchone() if cursor.description else None
        return None if row is None else row[0]


def cut_off(connection: Any) -> None:
    """Let whatever waits for the server on this connection of psycopg fail, from another thread."""
    with suppress(Exception), socket.socket(fileno=os.dup(connection.fileno())) as other:
        other.shutdown(socket.SHUT_RDWR)


@contextmanager
def driver_transaction(url: str) -> Iterator[DriverTx]:
    """Commits at the end of the block. The file of a SQLite database must exist."""
    if url.startswith(_SQLITE):
        path = quote(url.removeprefix(_SQLITE))
        try:
            with closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True, timeout=_BUSY_SECONDS)) as connection:
                connection.execute("PRAGMA synchronous=FULL")
                with connection:
                    yield DriverTx(connection, "?")
        except sqlite3.Error as error:
            raise DriverError(str(error)) from error
        return
    import psycopg  # noqa: PLC0415 (SQLite does not need it)

    plain = f"postgresql://{url.partition('://')[2]}"
    try:
        with psycopg.connect(plain, connect_timeout=_CONNECT_SECONDS) as connection:
            timer = threading.Timer(_LONGEST_SECONDS, cut_off, (connection,))
            timer.daemon = True
            timer.start()
            try:
                yield DriverTx(connection, "%s")
                connection.commit()
            finally:
                timer.cancel()
    except psycopg.Error as error:
        raise DriverError(str(error).strip()) from error
