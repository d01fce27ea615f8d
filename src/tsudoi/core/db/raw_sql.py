"""Statements as the driver takes them, for the few verbs that run thousands of times a second.

Going through SQLAlchemy costs ten times as much as the statement itself on SQLite, and as much as the round trip to the
server on PostgreSQL. A broken constraint arrives as SQLAlchemy's `IntegrityError`, as from every other statement; the
other errors arrive as the driver raises them, and `failures` knows both kinds.
"""

import re
import sqlite3
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy.exc import IntegrityError

from tsudoi.core.db.interface import ReadTx, Tx

if TYPE_CHECKING:
    from psycopg import Connection, Cursor

# `psycopg.pq.TransactionStatus.IDLE`: nothing here imports the driver, because SQLite does not need it.
_IDLE = 0
_NAME = re.compile(r"(?<!:):([a-z_][a-z0-9_]*)")


class RawSql:
    """SQL with `:named` parameters, whose values are already what the columns store."""

    __slots__ = ("_postgres", "_sqlite")

    def __init__(self, sql: str) -> None:
        self._sqlite = sql
        # To this driver a per cent sign means a parameter unless it is doubled.
        self._postgres = _NAME.sub(r"%(\1)s", sql.replace("%", "%%"))

    def first(self, tx: ReadTx, parameters: dict[str, Any]) -> tuple[Any, ...] | None:
        """The first row, or None; also for statements that return none."""
        if tx.dialect == "sqlite":
            found: tuple[Any, ...] | None = self._on_sqlite(tx, parameters).fetchone()
            return found
        cursor = self._on_postgres(tx, parameters)
        return cursor.fetchone() if cursor.description else None

    def changed(self, tx: ReadTx, parameters: dict[str, Any]) -> int:
        """How many rows it changed."""
        cursor = self._on_sqlite(tx, parameters) if tx.dialect == "sqlite" else self._on_postgres(tx, parameters)
        return cursor.rowcount

    def at_commit(self, tx: Tx, parameters: dict[str, Any]) -> None:
        """For a write whose outcome the verb does not need, and whose row it does not read again.

        PostgreSQL gets it together with the COMMIT, which saves a round trip; an error shows there.
        """
        if tx.dialect == "sqlite":
            self._on_sqlite(tx, parameters)
        else:
            tx.at_commit.append((self._postgres, parameters))

    def all(self, tx: ReadTx, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Every row as a plain tuple: for lists so long that wrapping each row would show."""
        if tx.dialect == "sqlite":
            return self._on_sqlite(tx, parameters).fetchall()
        return self._on_postgres(tx, parameters).fetchall()

    def _on_sqlite(self, tx: ReadTx, parameters: dict[str, Any]) -> sqlite3.Cursor:
        raw = cast("sqlite3.Connection", tx.connection.connection.driver_connection)
        try:
            return raw.execute(self._sqlite, parameters)
        except sqlite3.IntegrityError as error:
            raise _wrapped(self._sqlite, error) from error

    def _on_postgres(self, tx: ReadTx, parameters: dict[str, Any]) -> "Cursor[tuple[Any, ...]]":
        from psycopg import IntegrityError as PostgresIntegrityError  # noqa: PLC0415 (SQLite does not need it)

        raw = cast("Connection[tuple[Any, ...]]", tx.connection.connection.driver_connection)
        try:
            if raw.pgconn.transaction_status != _IDLE:
                return raw.execute(self._postgres, parameters)
            # The first statement of a transaction: BEGIN travels with it in one round trip.
            with raw.pipeline():
                return raw.execute(self._postgres, parameters)
        except PostgresIntegrityError as error:
            raise _wrapped(self._postgres, error) from error


def _wrapped(sql: str, error: Exception) -> IntegrityError:
    """The parameters are left out: an error's text ends up in the log, and people's names are among them."""
    return IntegrityError(sql, None, error, hide_parameters=True)
