"""The interface to the database. A verb receives a transaction; only this package begins, commits or rolls back."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Concatenate, ParamSpec, TypeVar

import structlog
from sqlalchemy import CompoundSelect, Connection, CursorResult, Executable, Select, TextClause

from tsudoi.core.clock import Clock

P = ParamSpec("P")
T = TypeVar("T")
# What a reader may run. A text statement that writes is refused by the database, because readers are read-only there.
Query = Select[*tuple[Any, ...]] | CompoundSelect[*tuple[Any, ...]] | TextClause

# The name under which an engine carries the keys of the audit trail.
AUDIT_KEYS = "audit_keys"

_log = structlog.stdlib.get_logger(__name__)


class ReadTx:
    """A read-only transaction: it runs queries on one consistent snapshot, and `now` is its time."""

    __slots__ = ("connection", "driver", "now")

    def __init__(self, connection: Connection, now: datetime, driver: Any = None) -> None:
        self.connection = connection
        self.now = now
        # What `RawSql` gives its statements to: the driver's connection, or a `PostgresDriver`.
        self.driver: Any = connection.connection.driver_connection if driver is None else driver

    def execute(self, statement: Query, parameters: Sequence[Any] | dict[str, Any] | None = None) -> CursorResult[Any]:
        return self.connection.execute(statement, parameters)

    def scalar(self, statement: Query) -> Any:
        return self.connection.execute(statement).scalar()

    @property
    def dialect(self) -> str:
        return self.connection.dialect.name

    @property
    def audit_keys(self) -> tuple[bytes, ...]:
        """The keys of `AUDIT_KEY`. The engine carries them, because a verb that records has only its transaction."""
        keys: tuple[bytes, ...] = self.connection.get_execution_options().get(AUDIT_KEYS, ())
        return keys


class Tx(ReadTx):
    """A transaction that may write, and may register actions to run after the commit."""

    __slots__ = ("_after_commit", "_depth", "_savepoints", "enqueued")

    def __init__(self, connection: Connection, now: datetime, driver: Any = None) -> None:
        super().__init__(connection, now, driver)
        self._after_commit: list[Callable[[], None]] = []
        # Rows of work that this transaction wrote, as (table, id). Its caller may try them right after the commit.
        self.enqueued: list[tuple[str, int]] = []
        # How many parts are being run inside one another, and how many of their savepoints the database still has.
        self._depth = self._savepoints = 0

    def execute(
        self, statement: Executable, parameters: Sequence[Any] | dict[str, Any] | None = None
    ) -> CursorResult[Any]:
        return self.connection.execute(statement, parameters)

    def scalar(self, statement: Executable) -> Any:
        return self.connection.execute(statement).scalar()

    def after_commit(self, action: Callable[[], None]) -> None:
        """Run the action after the commit, and not at all if the transaction fails."""
        self._after_commit.append(action)

    @contextmanager
    def part(self) -> Iterator[None]:
        """A part that can fail alone: an error undoes its statements and actions, and the transaction may go on.

        Parts may follow one another and may be inside one another. A savepoint is released when the next part begins
        at its place, and not before, because most transactions have one part and would pay for a further statement.
        """
        actions, enqueued, depth = len(self._after_commit), len(self.enqueued), self._depth
        # Directly on the driver, because every booking has a part.
        if self._savepoints > depth:
            self.driver.execute(f"RELEASE SAVEPOINT part_{depth}")
        self.driver.execute(f"SAVEPOINT part_{depth}")
        self._depth = self._savepoints = depth + 1
        try:
            yield
        except BaseException:
            self.driver.execute(f"ROLLBACK TO SAVEPOINT part_{depth}")
            self._savepoints = depth + 1
            del self._after_commit[actions:], self.enqueued[enqueued:]
            raise
        finally:
            self._depth = depth

    def run_after_commit(self) -> None:
        for action in self._after_commit:
            try:
                action()
            except BaseException:  # noqa: BLE001 (logged; the caller must not get an error)
                # The data is already committed, so the request has succeeded.
                _log.exception("after_commit_failed")


def log_failure(future: Future[Any]) -> None:
    """Log the error of a future that nobody waits for."""
    error = future.exception()
    if error is not None:
        _log.error("write_failed", exc_info=error)


class Database(ABC):
    """A database. Verbs must have no effect outside their transaction, because the database may run them again."""

    clock: Clock
    dialect: str

    @abstractmethod
    async def write(self, verb: Callable[Concatenate[Tx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run the verb in a transaction of its own and return once it is durable."""

    @abstractmethod
    def write_now(self, verb: Callable[Concatenate[Tx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Like `write`, for threads and commands that have no event loop."""

    @abstractmethod
    def write_soon(self, verb: Callable[Concatenate[Tx, P], object], /, *args: P.args, **kwargs: P.kwargs) -> None:
        """Queue a write that nobody waits for. A failure is logged; a crash may lose the write."""

    @abstractmethod
    async def read(self, query: Callable[Concatenate[ReadTx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run the query on one consistent snapshot; writing in it is an error."""

    @abstractmethod
    def read_now(self, query: Callable[Concatenate[ReadTx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Like `read`, for threads and commands that have no event loop."""

    @abstractmethod
    def close(self) -> None:
        """Finish the waiting verbs, then close every connection."""
