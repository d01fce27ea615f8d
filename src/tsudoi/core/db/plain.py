"""Statements as the driver takes them, for the few verbs that run thousands of times a second.

On SQLite the way through SQLAlchemy costs ten times what the statement itself does. On PostgreSQL the journey to the
server is what costs, and SQLAlchemy's care for errors and transactions is worth its share.
"""

import re
import sqlite3
from typing import Any, cast

from tsudoi.core.db.interface import Tx

_NAME = re.compile(r"(?<!:):([a-z_][a-z0-9_]*)")


class Plain:
    """SQL with `:named` parameters, whose values are already what the columns store."""

    __slots__ = ("_postgres", "_sqlite")

    def __init__(self, sql: str) -> None:
        self._sqlite = sql
        # To this driver a per cent sign means a parameter unless it is doubled.
        self._postgres = _NAME.sub(r"%(\1)s", sql.replace("%", "%%"))

    def first(self, tx: Tx, parameters: dict[str, Any]) -> tuple[Any, ...] | None:
        """The first row, or None; also for statements that return none."""
        if tx.dialect == "sqlite":
            found: tuple[Any, ...] | None = self._on_sqlite(tx, parameters).fetchone()
            return found
        result = tx.connection.exec_driver_sql(self._postgres, parameters)
        row = result.first() if result.returns_rows else None
        return None if row is None else tuple(row)

    def all(self, tx: Tx, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Every row as a plain tuple: for lists so long that wrapping each row would show."""
        if tx.dialect == "sqlite":
            return self._on_sqlite(tx, parameters).fetchall()
        result = tx.connection.exec_driver_sql(self._postgres, parameters)
        rows: list[tuple[Any, ...]] = list(result.cursor.fetchall())
        result.close()
        return rows

    def _on_sqlite(self, tx: Tx, parameters: dict[str, Any]) -> sqlite3.Cursor:
        raw = cast("sqlite3.Connection", tx.connection.connection.driver_connection)
        return raw.execute(self._sqlite, parameters)
