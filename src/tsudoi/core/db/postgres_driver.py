"""Statements on one connection to PostgreSQL, each as one call that waits in the client library.

psycopg's `execute` waits in Python, so that it can be interrupted. It takes more than twice the processor time of one
waiting call, and its thread asks for the interpreter several times in each round trip. Threads of ours are never
interrupted. psycopg still converts the values.
"""

from collections.abc import Sequence
from itertools import count
from typing import Any, cast

from psycopg import Connection, OperationalError
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import InvalidSqlStatementName, error_from_result
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

_SUCCESS = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)


class PostgresDriver:
    """Runs statements on one connection. A statement with parameters is prepared once for each kind of values."""

    def __init__(self, connection: "Connection[Any]") -> None:
        self.connection = connection
        self._values = Transformer(connection)
        self._prepared: dict[tuple[str, tuple[int, ...]], bytes] = {}
        self._numbers = count(1)

    def execute(self, command: str) -> None:
        """A command without parameters, such as BEGIN."""
        self._checked(self.connection.pgconn.exec_(command.encode()))

    def roll_back(self) -> None:
        """End a transaction that has not been committed. psycopg's own way forgets all prepared statements too."""
        if self.connection.pgconn.transaction_status in (TransactionStatus.INTRANS, TransactionStatus.INERROR):
            self.execute("ROLLBACK")

    def rows(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The rows of a statement whose parameters are written as `$1`, `$2`; none, if it returns no rows."""
        result = self._run(sql, values)
        if not result.ntuples:
            return []
        self._values.set_pgresult(result)
        return self._values.load_rows(0, result.ntuples, tuple)

    def changed(self, sql: str, values: Sequence[Any]) -> int:
        """How many rows the statement changed."""
        return self._run(sql, values).command_tuples or 0

    def _run(self, sql: str, values: Sequence[Any]) -> PGresult:
        given = self._values.dump_sequence(values, [PyFormat.AUTO] * len(values))
        connection, types = self.connection.pgconn, self._values.types or ()
        name = self._prepared.get((sql, types))
        if name is None:
            name = f"raw_{next(self._numbers)}".encode()
            self._checked(connection.prepare(name, sql.encode(), types))
            self._prepared[sql, types] = name
        try:
            # psycopg's annotation leaves out None, which is NULL.
            return self._checked(connection.exec_prepared(name, cast("list[bytes]", given), self._values.formats))
        except InvalidSqlStatementName:
            # psycopg deallocates every prepared statement after a DROP or ALTER. The transaction is tried again.
            self._prepared.clear()
            raise

    def _checked(self, result: PGresult) -> PGresult:
        if result.status in _SUCCESS:
            return result
        if self.connection.closed:
            raise OperationalError(result.get_error_message())
        raise error_from_result(result)
