"""SQL that goes directly to the driver, for the few verbs that run thousands of times a second.

Going through SQLAlchemy costs ten times as much as the statement itself on SQLite, and as much as the round trip to the
server on PostgreSQL. A broken constraint arrives as SQLAlchemy's `IntegrityError`, as from every other statement; the
other errors arrive as the driver raises them, and `failures` knows both kinds.
"""

import re
import sqlite3
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from sqlalchemy.exc import IntegrityError

from tsudoi.core.db.interface import ReadTx

if TYPE_CHECKING:
    from tsudoi.core.db.postgres_driver import PostgresDriver

T = TypeVar("T")
_NAME = re.compile(r"(?<!:):([a-z_][a-z0-9_]*)")


class RawSql:
    """SQL with `:named` parameters, whose values are already what the columns store."""

    __slots__ = ("_names", "_numbered", "_sqlite", "postgres")

    def __init__(self, sql: str) -> None:
        self._sqlite = sql
        # For psycopg's own cursors a per cent sign starts a parameter unless it is doubled.
        self.postgres = _NAME.sub(r"%(\1)s", sql.replace("%", "%%"))
        self._names = tuple(dict.fromkeys(_NAME.findall(sql)))
        self._numbered = _NAME.sub(lambda found: f"${self._names.index(found[1]) + 1}", sql)

    def first(self, tx: ReadTx, parameters: dict[str, Any]) -> tuple[Any, ...] | None:
        """The first row, or None. Works for statements that return no rows too."""
        if tx.dialect == "sqlite":
            found: tuple[Any, ...] | None = self._on_sqlite(tx, parameters).fetchone()
            return found
        return next(iter(self.all(tx, parameters)), None)

    def changed(self, tx: ReadTx, parameters: dict[str, Any]) -> int:
        """How many rows it changed."""
        if tx.dialect == "sqlite":
            return self._on_sqlite(tx, parameters).rowcount
        driver: PostgresDriver = tx.driver
        return self._on_postgres(driver.changed, parameters)

    def changed_by_each(self, tx: ReadTx, many: Sequence[dict[str, Any]]) -> list[int]:
        """Runs once for each of the parameters, in this order; returns how many rows each changed.

        PostgreSQL gets them all at once, so that many rows cost one round trip.
        """
        if tx.dialect == "sqlite":
            return [self._on_sqlite(tx, parameters).rowcount for parameters in many]
        return self._many_on_postgres(tx, many) if many else []

    def all(self, tx: ReadTx, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Every row as a plain tuple, because SQLAlchemy's rows are slow for long lists."""
        if tx.dialect == "sqlite":
            return self._on_sqlite(tx, parameters).fetchall()
        driver: PostgresDriver = tx.driver
        return self._on_postgres(driver.rows, parameters)

    def _on_sqlite(self, tx: ReadTx, parameters: dict[str, Any]) -> sqlite3.Cursor:
        try:
            return cast("sqlite3.Cursor", tx.driver.execute(self._sqlite, parameters))
        except sqlite3.IntegrityError as error:
            raise _wrapped(self._sqlite, error) from error

    def _on_postgres(self, run: Callable[[str, Sequence[Any]], T], parameters: dict[str, Any]) -> T:
        from psycopg import IntegrityError as PostgresIntegrityError  # noqa: PLC0415 (SQLite does not need it)

        try:
            return run(self._numbered, [parameters[name] for name in self._names])
        except PostgresIntegrityError as error:
            raise _wrapped(self.postgres, error) from error

    def _many_on_postgres(self, tx: ReadTx, many: Sequence[dict[str, Any]]) -> list[int]:
        from psycopg import IntegrityError as PostgresIntegrityError  # noqa: PLC0415 (SQLite does not need it)

        driver: PostgresDriver = tx.driver
        cursor = driver.connection.cursor()
        try:
            cursor.executemany(self.postgres, many, returning=True)
            return [result.rowcount for result in cursor.results()]
        except PostgresIntegrityError as error:
            raise _wrapped(self.postgres, error) from error


def run_together(tx: ReadTx, statements: Sequence[RawSql], parameters: dict[str, Any]) -> list[list[tuple[Any, ...]]]:
    """Run statements that do not need each other's results, with the same parameters; returns the rows of each.

    PostgreSQL gets them all at once, so that they cost one round trip.
    """
    if tx.dialect == "sqlite":
        return [statement.all(tx, parameters) for statement in statements]
    from psycopg import IntegrityError as PostgresIntegrityError  # noqa: PLC0415 (SQLite does not need it)

    connection = tx.driver.connection
    try:
        with connection.pipeline():
            cursors = [connection.execute(statement.postgres, parameters) for statement in statements]
        return [cursor.fetchall() if cursor.description else [] for cursor in cursors]
    except PostgresIntegrityError as error:
        raise _wrapped("; ".join(statement.postgres for statement in statements), error) from error


def _wrapped(sql: str, error: Exception) -> IntegrityError:
    """The parameters are left out, because errors are logged and the parameters contain people's names."""
    return IntegrityError(sql, None, error, hide_parameters=True)
