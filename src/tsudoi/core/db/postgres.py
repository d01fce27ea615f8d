"""PostgreSQL: a thread pool as wide as the connection pool, one transaction per verb, READ COMMITTED.

Each thread has a connection, so no thread waits for one. With the usual 40 threads and 15 connections, waiting threads
can stall the whole process.
"""

import asyncio
import contextvars
import math
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import structlog
from psycopg import Connection as RawConnection
from psycopg import OperationalError
from psycopg.pq import TransactionStatus
from sqlalchemy import Connection, Dialect, Engine, NullPool, create_engine, event
from sqlalchemy.engine import make_url

from tsudoi.core.clock import Clock
from tsudoi.core.db.failures import FATE_UNKNOWN, as_problem, asks_for_retry, lost_connection
from tsudoi.core.db.interface import AUDIT_KEYS, Database, ReadTx, Tx
from tsudoi.core.db.postgres_driver import PostgresDriver
from tsudoi.core.db.server_watch import ServerWatch
from tsudoi.core.errors import DatabaseUnavailable

P = ParamSpec("P")
T = TypeVar("T")

_log = structlog.stdlib.get_logger(__name__)

_TRIES = 5
_LARGEST_GROUP = 256
_DRIVER = "tsudoi_driver"
# After these times the client has given up anyway.
_SERVER_OPTIONS = "-c lock_timeout=10s -c statement_timeout=60s -c idle_in_transaction_session_timeout=60s"
_NETWORK: dict[str, Any] = {
    "connect_timeout": 5,
    # A machine that has vanished is noticed after half a minute, and after 20 seconds if a statement is on its way.
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
_CONNECT = {**_NETWORK, "options": _SERVER_OPTIONS}


class PostgresDatabase(Database):
    """A server: one thread and one connection for each verb that runs at the same time."""

    dialect = "postgresql"

    def __init__(self, url: str, clock: Clock, connections: int = 10, audit_keys: tuple[bytes, ...] = ()) -> None:
        self.clock = clock
        engine = open_engine(url, connections)
        self._watch = _watch_from_the_start(engine, _wanted(_CONNECT, url))
        self._engine = engine.execution_options(**{AUDIT_KEYS: audit_keys})
        self._threads = ThreadPoolExecutor(connections, thread_name_prefix="db")
        # Verbs that nobody waits for, and whether a thread is at work on them.
        self._unawaited: list[Callable[[Tx], object]] = []
        self._gate, self._writes_unawaited = threading.Lock(), False

    async def write(self, verb: Callable[Concatenate[Tx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return cast("T", await asyncio.wrap_future(self._submit(self._write, verb, args, kwargs)))

    def write_now(self, verb: Callable[Concatenate[Tx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return cast("T", self._submit(self._write, verb, args, kwargs).result())

    def write_soon(self, verb: Callable[Concatenate[Tx, P], object], /, *args: P.args, **kwargs: P.kwargs) -> None:
        """At once, and those that arrive while the ones before are written share the next transaction."""
        run: Callable[..., object] = contextvars.copy_context().run
        with self._gate:
            if not self._writes_unawaited:
                self._submit(self._write_unawaited)
                self._writes_unawaited = True
            self._unawaited.append(lambda tx: run(verb, tx, *args, **kwargs))

    async def read(self, query: Callable[Concatenate[ReadTx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return cast("T", await asyncio.wrap_future(self._submit(self._read, query, args, kwargs)))

    def read_now(self, query: Callable[Concatenate[ReadTx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return cast("T", self._submit(self._read, query, args, kwargs).result())

    def close(self) -> None:
        self._threads.shutdown(wait=True)
        self._watch.close()
        self._engine.dispose()

    def _submit(self, *call: Any) -> Future[Any]:
        try:
            run: Callable[[], Any] = partial(contextvars.copy_context().run, *call)
            return self._threads.submit(run)
        except RuntimeError as error:  # The pool takes nothing more once it is closed.
            raise DatabaseUnavailable from error

    def _write_unawaited(self) -> None:
        while True:
            with self._gate:
                group, self._unawaited = self._unawaited[:_LARGEST_GROUP], self._unawaited[_LARGEST_GROUP:]
                self._writes_unawaited = bool(group)
            if not group:
                return
            self._write_group(group)

    def _write_group(self, group: list[Callable[[Tx], object]]) -> None:
        """If one fails, each is tried alone; but not if the database is away, because the commit may have succeeded."""
        try:
            self._write(_run_all, (group,), {})
        except Exception as error:  # noqa: BLE001 (nobody waits for them)
            if len(group) == 1 or isinstance(error, DatabaseUnavailable):
                _log.exception("write_failed", verbs=len(group))
                return
            for one in group:
                self._write_group([one])

    def _write(self, verb: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        for tries_left in reversed(range(_TRIES)):
            # After the commit is sent its outcome may be unknown, so only the caller may retry, with its key.
            committing = False
            try:
                with self._connected() as (connection, driver):
                    driver.execute("BEGIN")
                    tx = Tx(connection, self.clock.now(), driver)
                    result = verb(tx, *args, **kwargs)
                    _require_sound(driver)
                    committing = True
                    driver.execute("COMMIT")
                tx.run_after_commit()
            except Exception as error:
                if tries_left and not committing and asks_for_retry(error):
                    continue
                problem = as_problem(error)
                if problem is error:
                    raise
                if committing and lost_connection(error):
                    problem = DatabaseUnavailable(FATE_UNKNOWN)
                raise problem from error
            return result
        raise AssertionError("the last try either returned or raised")

    def _read(self, query: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        for tries_left in reversed(range(_TRIES)):
            try:
                with self._connected() as (connection, driver):
                    driver.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    return query(ReadTx(connection, self.clock.now(), driver), *args, **kwargs)
            except Exception as error:
                if tries_left and asks_for_retry(error):
                    continue
                problem = as_problem(error)
                if problem is error:
                    raise
                raise problem from error
        raise AssertionError("the last try either returned or raised")

    @contextmanager
    def _connected(self) -> Iterator[tuple[Connection, PostgresDriver]]:
        """A connection from the pool. What is not committed is rolled back when it is given back."""
        self._watch.require_answering()
        with self._engine.connect() as connection:
            # SQLAlchemy keeps `info` as long as the connection to the server, and prepared statements live as long.
            driver = connection.info.get(_DRIVER)
            if driver is None:
                raw = cast("RawConnection[Any]", connection.connection.driver_connection)
                driver = connection.info[_DRIVER] = PostgresDriver(raw)
            self._watch.begin(driver.connection)
            try:
                yield connection, driver
            except OperationalError as error:
                # `RawSql` calls the driver directly, so SQLAlchemy does not notice a lost connection.
                if driver.connection.closed:
                    self._watch.end(driver.connection)
                    connection.invalidate(error)
                raise
            finally:
                # If the connection is lost meanwhile, the pool notices it.
                with suppress(OperationalError):
                    driver.roll_back()
                self._watch.end(driver.connection)


def _run_all(tx: Tx, verbs: list[Callable[[Tx], object]]) -> None:
    for verb in verbs:
        verb(tx)


def _require_sound(driver: PostgresDriver) -> None:
    """PostgreSQL answers the COMMIT of a failed transaction with a rollback and no error, which looks like success."""
    if driver.connection.info.transaction_status is TransactionStatus.INERROR:
        raise RuntimeError("a statement failed and the verb went on; use a savepoint where a failure is expected")


def open_engine(url: str, connections: int) -> Engine:
    """An engine whose connections are in autocommit mode, because this module runs BEGIN and COMMIT itself."""
    return create_engine(
        url,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,  # Errors are logged, and the parameters contain people's names.
        pool_size=connections,
        max_overflow=0,
        pool_timeout=10,
        pool_use_lifo=True,
        connect_args=_wanted(_CONNECT, url),
    )


@contextmanager
def schema_connection(url: str) -> Iterator[Connection]:
    """A connection for looking at the schema and for changing it, which ends if the server does not answer.

    It has no other time limits: a migration may take long, and waits for the one of another process.
    """
    wanted = _wanted(_NETWORK, url)
    engine = create_engine(url, poolclass=NullPool, hide_parameters=True, connect_args=wanted)
    watch = _watch_from_the_start(engine, wanted, longest=math.inf)
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        watch.close()
        engine.dispose()


def _watch_from_the_start(engine: Engine, wanted: dict[str, Any], longest: float | None = None) -> ServerWatch:
    """Watch a connection as soon as there is one: SQLAlchemy first asks the server about itself."""
    _, parameters = engine.dialect.create_connect_args(engine.url)
    watch = ServerWatch({**parameters, **wanted}, longest)

    @event.listens_for(engine, "do_connect")
    def connect(dialect: Dialect, _record: object, arguments: list[Any], given: dict[str, Any]) -> Any:
        connection = dialect.connect(*arguments, **given)
        watch.begin(cast("RawConnection[Any]", connection))
        return connection

    return watch


def _wanted(arguments: dict[str, Any], url: str) -> dict[str, Any]:
    """What we ask of each connection. A parameter in the address counts instead of ours."""
    return {name: value for name, value in arguments.items() if name not in make_url(url).query}
