"""SQLite with group commit.

One thread owns the only writing connection. It takes all waiting verbs, runs each in a savepoint inside one
`BEGIN IMMEDIATE`, commits once for all of them, and then returns their results. One fsync thus serves many requests,
and no result is returned before its data is on disk.
"""

import asyncio
import contextvars
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.pool import NullPool

from tsudoi.core.clock import Clock
from tsudoi.core.db.failures import FATE_UNKNOWN, as_problem
from tsudoi.core.db.file_watch import DatabaseFileGone, FileWatch
from tsudoi.core.db.interface import AUDIT_KEYS, Database, ReadTx, Tx, log_failure
from tsudoi.core.errors import DatabaseUnavailable

P = ParamSpec("P")
T = TypeVar("T")

_LARGEST_GROUP = 256
_BUSY_TIMEOUT_MS = 10_000
_UNAWAITED_DELAY = 0.05


class _Job:
    """A verb that waits for the writer, and the future that receives its outcome."""

    __slots__ = ("awaited", "call", "context", "error", "future", "loop", "result", "tx")

    def __init__(
        self, call: Callable[[Tx], Any], loop: asyncio.AbstractEventLoop | None, *, awaited: bool = True
    ) -> None:
        self.call = call
        self.awaited = awaited
        self.context = contextvars.copy_context()
        self.loop = loop
        self.future: asyncio.Future[Any] | Future[Any] = loop.create_future() if loop else Future()
        self.result: Any = None
        self.error: BaseException | None = None
        self.tx: Tx | None = None

    def settle(self) -> None:
        if self.future.done():  # The client disconnected while its verb was running.
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


class SqliteDatabase(Database):
    """One file: a thread with the one writing connection, and a few threads with a reading connection each."""

    dialect = "sqlite"

    def __init__(self, path: Path, clock: Clock, readers: int = 4, audit_keys: tuple[bytes, ...] = ()) -> None:
        self.path = path
        self.clock = clock
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False
        self._file = FileWatch(path)
        carried = {AUDIT_KEYS: audit_keys}
        self._writer_engine = open_engine(path).execution_options(**carried)
        self._reader_engine = open_engine(path, query_only=True).execution_options(**carried)
        self._readers = ThreadPoolExecutor(readers, thread_name_prefix="db-read")
        self._local = threading.local()
        self._reader_connections: list[Connection] = []
        self._writer = threading.Thread(target=self._write_loop, name="db-write", daemon=True)
        self._writer.start()

    async def write(self, verb: Callable[Concatenate[Tx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        job = _Job(partial(_call, verb, args, kwargs), asyncio.get_running_loop())
        self._enqueue(job)
        return cast("T", await cast("asyncio.Future[Any]", job.future))

    def write_now(self, verb: Callable[Concatenate[Tx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        job = _Job(partial(_call, verb, args, kwargs), None)
        self._enqueue(job)
        return cast("T", cast("Future[Any]", job.future).result())

    def write_soon(self, verb: Callable[Concatenate[Tx, P], object], /, *args: P.args, **kwargs: P.kwargs) -> None:
        job = _Job(partial(_call, verb, args, kwargs), None, awaited=False)
        cast("Future[Any]", job.future).add_done_callback(log_failure)
        self._enqueue(job)

    async def read(self, query: Callable[Concatenate[ReadTx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return cast("T", await asyncio.wrap_future(self._submit(partial(_call, query, args, kwargs))))

    def read_now(self, query: Callable[Concatenate[ReadTx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return cast("T", self._submit(partial(_call, query, args, kwargs)).result())

    def close(self) -> None:
        with self._gate:
            if self._closed:
                return
            self._closed = True
            self._jobs.put(None)
        self._writer.join()
        self._readers.shutdown(wait=True)
        for connection in self._reader_connections:
            connection.close()
        self._writer_engine.dispose()
        self._reader_engine.dispose()

    def _enqueue(self, job: _Job) -> None:
        if threading.current_thread() is self._writer:
            raise RuntimeError("a verb cannot wait for another verb, because there is only one writer")
        with self._gate:
            if self._closed:
                raise DatabaseUnavailable
            self._jobs.put(job)

    def _write_loop(self) -> None:
        connection: Connection | None = None
        while (group := self._next_group()) is not None:
            try:
                self._file.require_in_place()
                connection = connection or self._connect(self._writer_engine)
                _commit_group(connection, group, self.clock)
                self._require_kept()
            except DatabaseFileGone as error:
                # The connection stays open: it works again if the file comes back, and its log may be all that is left.
                _fail(group, error)
            except Exception as error:  # noqa: BLE001 (no error of a verb or the disk may end the writer)
                _fail(group, as_problem(error))
                self._file.forget_log()
                _give_up(connection)
                connection = None
            else:
                _run_after_commit(group)
            _settle(group)
        if connection is not None:
            connection.close()

    def _require_kept(self) -> None:
        """What was committed into a file that is gone may be lost, so nobody is told that it is kept."""
        self._file.remember_log()
        try:
            self._file.require_in_place()
        except DatabaseFileGone as error:
            raise DatabaseFileGone(FATE_UNKNOWN) from error

    def _connect(self, engine: Engine) -> Connection:
        self._file.require_in_place()  # Otherwise SQLite would make an empty file.
        connection = engine.connect()
        self._file.remember()
        return connection

    def _next_group(self) -> list[_Job] | None:
        """Wait for one verb, then take all that are queued. None when the database is closing.

        Verbs that nobody waits for are delayed shortly, so that they share the commit of the next verb.
        """
        job = self._jobs.get()
        if job is None:
            return None
        group, awaited, deadline = [job], job.awaited, time.monotonic() + _UNAWAITED_DELAY
        while len(group) < _LARGEST_GROUP:
            try:
                job = self._jobs.get(timeout=0 if awaited else max(0, deadline - time.monotonic()))
            except Empty:
                break
            if job is None:
                self._jobs.put(None)
                break
            group.append(job)
            awaited = awaited or job.awaited
        return group

    def _submit(self, call: Callable[[ReadTx], Any]) -> Future[Any]:
        try:
            run: Callable[[], Any] = partial(contextvars.copy_context().run, self._read, call)
            return self._readers.submit(run)
        except RuntimeError as error:  # The pool takes nothing more once it is closed.
            raise DatabaseUnavailable from error

    def _read(self, call: Callable[[ReadTx], Any]) -> Any:
        self._file.require_recently()
        try:
            connection = self._reader_connection()
            raw = cast("sqlite3.Connection", connection.connection.driver_connection)
            raw.execute("BEGIN")  # One snapshot for all statements of the query.
            try:
                return call(ReadTx(connection, self.clock.now()))
            finally:
                if raw.in_transaction:
                    raw.execute("ROLLBACK")
        except Exception as error:
            problem = as_problem(error)
            if problem is error:
                raise
            self._drop_reader_connection()
            raise problem from error

    def _drop_reader_connection(self) -> None:
        """After an I/O error SQLite may go on failing on the same connection. The next read opens a new one."""
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is not None:
            self._local.connection = None
            self._reader_connections.remove(connection)
            _give_up(connection)

    def _reader_connection(self) -> Connection:
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect(self._reader_engine)
            self._reader_connections.append(connection)
        return connection


def _call(verb: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any], tx: ReadTx) -> T:
    return verb(tx, *args, **kwargs)


def _commit_group(connection: Connection, group: list[_Job], clock: Clock) -> None:
    raw = cast("sqlite3.Connection", connection.connection.driver_connection)
    raw.execute("BEGIN IMMEDIATE")
    for job in group:
        _run_in_savepoint(connection, raw, job, clock)
    raw.execute("COMMIT")


def _run_after_commit(group: list[_Job]) -> None:
    for job in group:
        if job.error is None and job.tx is not None:
            job.context.run(job.tx.run_after_commit)


def _fail(group: list[_Job], error: BaseException) -> None:
    for job in group:
        job.error = error


def _run_in_savepoint(connection: Connection, raw: sqlite3.Connection, job: _Job, clock: Clock) -> None:
    raw.execute("SAVEPOINT verb")
    try:
        job.tx = Tx(connection, clock.now())
        job.result = job.context.run(job.call, job.tx)
    except BaseException as error:  # noqa: BLE001 (the caller gets it; not even an exit may end the writer)
        job.error = as_problem(error)
    if not raw.in_transaction:
        # On a full disk SQLite rolls the whole transaction back, so all verbs of the group have failed.
        raise DatabaseUnavailable from job.error
    if job.error is not None:
        raw.execute("ROLLBACK TO verb")
    raw.execute("RELEASE verb")


def _give_up(connection: Connection | None) -> None:
    """Close a connection after an error, because it may go on failing. The next call opens a new one."""
    if connection is not None:
        with suppress(Exception):
            connection.close()


def _settle(group: list[_Job]) -> None:
    """Wake each event loop once for the whole group, because a wake-up costs more than a verb."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Job]] = defaultdict(list)
    for job in group:
        if job.loop is None:
            job.settle()
        else:
            by_loop[job.loop].append(job)
    for loop, jobs in by_loop.items():
        with suppress(RuntimeError):  # The loop was closed, so nobody waits any more.
            loop.call_soon_threadsafe(_settle_all, jobs)


def _settle_all(jobs: list[_Job]) -> None:
    for job in jobs:
        job.settle()


def _use_wal(raw: sqlite3.Connection) -> None:
    """Switch to WAL, with retries: when several processes open a new file, SQLite reports "locked" without waiting."""
    deadline = time.monotonic() + _BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            raw.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def open_engine(path: Path, *, query_only: bool = False) -> Engine:
    """An engine whose connections are in autocommit mode, because this module runs BEGIN and COMMIT itself."""

    def connect() -> sqlite3.Connection:
        raw = sqlite3.connect(path, timeout=_BUSY_TIMEOUT_MS / 1000, isolation_level=None, check_same_thread=False)
        _use_wal(raw)
        raw.execute("PRAGMA synchronous=FULL")
        raw.execute("PRAGMA foreign_keys=ON")
        raw.execute("PRAGMA cache_size=-32000")
        if query_only:
            raw.execute("PRAGMA query_only=ON")
        return raw

    return create_engine(
        "sqlite://",
        creator=connect,
        poolclass=NullPool,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,  # Errors are logged, and the parameters contain people's names.
    )
