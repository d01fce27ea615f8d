"""PostgreSQL: a thread pool as wide as the connection pool, one transaction per verb, READ COMMITTED.

Each thread has a connection, so no thread waits for one. With the usual 40 threads and 15 connections, waiting threads
can stall the whole process.
"""

import asyncio
import contextvars
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from psycopg import Connection as RawConnection
from psycopg import OperationalError
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection, Engine, create_engine

from tsudoi.core.clock import Clock
from tsudoi.core.db.failures import as_problem, asks_for_retry, lost_connection
from tsudoi.core.db.interface import Database, ReadTx, Tx, log_failure
from tsudoi.core.errors import DatabaseUnavailable

P = ParamSpec("P")
T = TypeVar("T")

_TRIES = 5
# After these times the client has given up anyway.
_SERVER_OPTIONS = "-c lock_timeout=10s -c statement_timeout=60s -c idle_in_transaction_session_timeout=60s"
_FATE_UNKNOWN = "保存できたかどうかを確認できませんでした。画面を読み込み直して確認してください。"


class PostgresDatabase(Database):
    """A server: one thread and one connection for each verb that runs at the same time."""

    dialect = "postgresql"

    def __init__(self, url: str, clock: Clock, connections: int = 10) -> None:
        self.clock = clock
        self._engine = open_engine(url, connections)
        self._reading = self._engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._threads = ThreadPoolExecutor(connections, thread_name_prefix="db")

    async def write(self, verb: Callable[Concatenate[Tx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return cast("T", await asyncio.wrap_future(self._submit(self._write, verb, args, kwargs)))

    def write_now(self, verb: Callable[Concatenate[Tx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return cast("T", self._submit(self._write, verb, args, kwargs).result())

    def write_soon(self, verb: Callable[Concatenate[Tx, P], object], /, *args: P.args, **kwargs: P.kwargs) -> None:
        self._submit(self._write, verb, args, kwargs).add_done_callback(log_failure)

    async def read(self, query: Callable[Concatenate[ReadTx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return cast("T", await asyncio.wrap_future(self._submit(self._read, query, args, kwargs)))

    def read_now(self, query: Callable[Concatenate[ReadTx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return cast("T", self._submit(self._read, query, args, kwargs).result())

    def close(self) -> None:
        self._threads.shutdown(wait=True)
        self._engine.dispose()

    def _submit(self, *call: Any) -> Future[Any]:
        try:
            run: Callable[[], Any] = partial(contextvars.copy_context().run, *call)
            return self._threads.submit(run)
        except RuntimeError as error:  # The pool takes nothing more once it is closed.
            raise DatabaseUnavailable from error

    def _write(self, verb: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        for tries_left in reversed(range(_TRIES)):
            # After the commit is sent its outcome may be unknown, so only the caller may retry, with its key.
            committing = False
            try:
                with _connected(self._engine) as connection:
                    # Explicit, because `RawSql` begins in the driver, and SQLAlchemy commits only what it began itself.
                    transaction = connection.begin()
                    tx = Tx(connection, self.clock.now())
                    result = verb(tx, *args, **kwargs)
                    _require_sound(connection)
                    committing = True
                    transaction.commit()
                tx.run_after_commit()
            except Exception as error:
                if tries_left and not committing and asks_for_retry(error):
                    continue
                problem = as_problem(error)
                if problem is error:
                    raise
                if committing and lost_connection(error):
                    problem = DatabaseUnavailable(_FATE_UNKNOWN)
                raise problem from error
            return result
        raise AssertionError("the last try either returned or raised")

    def _read(self, query: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        try:
            with _connected(self._reading) as connection:
                return query(ReadTx(connection, self.clock.now()), *args, **kwargs)
        except Exception as error:
            problem = as_problem(error)
            if problem is error:
                raise
            raise problem from error


@contextmanager
def _connected(engine: Engine) -> Iterator[Connection]:
    with engine.connect() as connection:
        try:
            yield connection
        except OperationalError as error:
            # `RawSql` calls the driver directly, so SQLAlchemy does not notice a lost connection.
            if cast("RawConnection[Any]", connection.connection.driver_connection).closed:
                connection.invalidate(error)
            raise


def _require_sound(connection: Connection) -> None:
    """PostgreSQL answers the COMMIT of a failed transaction with a rollback and no error, which looks like success."""
    raw = cast("RawConnection[Any]", connection.connection.driver_connection)
    if raw.info.transaction_status is TransactionStatus.INERROR:
        raise RuntimeError("a statement failed and the verb went on; use a savepoint where a failure is expected")


def open_engine(url: str, connections: int) -> Engine:
    return create_engine(
        url,
        hide_parameters=True,  # Errors are logged, and the parameters contain people's names.
        pool_size=connections,
        max_overflow=0,
        pool_timeout=10,
        pool_use_lifo=True,
        connect_args={"connect_timeout": 5, "options": _SERVER_OPTIONS},
    )
