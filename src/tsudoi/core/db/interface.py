"""The one way to the data: a verb gets a transaction, and only this package begins, commits or rolls back."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import Any, Concatenate, ParamSpec, TypeVar

import structlog
from sqlalchemy import CompoundSelect, Connection, CursorResult, Executable, Select, TextClause

from tsudoi.core.clock import Clock

P = ParamSpec("P")
T = TypeVar("T")
# What a reader may run. A text statement that writes is refused by the database, because readers are read-only there.
Query = Select[*tuple[Any, ...]] | CompoundSelect[*tuple[Any, ...]] | TextClause

_log = structlog.stdlib.get_logger(__name__)


class ReadTx:
    """A transaction that reads: it runs queries on one consistent snapshot and knows what time it is."""

    __slots__ = ("connection", "now")

    def __init__(self, connection: Connection, now: datetime) -> None:
        self.connection = connection
        self.now = now

    def execute(self, statement: Query, parameters: Sequence[Any] | dict[str, Any] | None = None) -> CursorResult[Any]:
        return self.connection.execute(statement, parameters)

    def scalar(self, statement: Query) -> Any:
        return self.connection.execute(statement).scalar()

    @property
    def dialect(self) -> str:
        return self.connection.dialect.name


class Tx(ReadTx):
    """A transaction that may write, and may ask for something to happen after the commit."""

    __slots__ = ("_after_commit", "at_commit")

    def __init__(self, connection: Connection, now: datetime) -> None:
        super().__init__(connection, now)
        self._after_commit: list[Callable[[], None]] = []
        # Statements that PostgreSQL gets in one round trip together with the COMMIT (see `RawSql.at_commit`).
        self.at_commit: list[tuple[str, dict[str, Any]]] = []

    def execute(
        self, statement: Executable, parameters: Sequence[Any] | dict[str, Any] | None = None
    ) -> CursorResult[Any]:
        return self.connection.execute(statement, parameters)

    def scalar(self, statement: Executable) -> Any:
        return self.connection.execute(statement).scalar()

    def after_commit(self, action: Callable[[], None]) -> None:
        """For what must not be seen if the transaction fails: a line in a log file, a nudge to the worker."""
        self._after_commit.append(action)

    def run_after_commit(self) -> None:
        for action in self._after_commit:
            try:
                action()
            except BaseException:  # noqa: BLE001 (logged with its trace; the caller must not hear of it)
                # The data is safe on disk by now: telling the caller "failed" would be a lie.
                _log.exception("after_commit_failed")


def log_failure(future: Future[Any]) -> None:
    """For a future that nobody waits for."""
    error = future.exception()
    if error is not None:
        _log.error("write_failed", exc_info=error)


class Database(ABC):
    """Verbs touch nothing but their transaction: the database may ask for them to be run again from the start."""

    clock: Clock
    dialect: str

    @abstractmethod
    async def write(self, verb: Callable[Concatenate[Tx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run the verb in a transaction of its own and return once it is durable."""

    @abstractmethod
    def write_now(self, verb: Callable[Concatenate[Tx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """The twin of `write` for threads and commands that have no event loop."""

    @abstractmethod
    def write_soon(self, verb: Callable[Concatenate[Tx, P], object], /, *args: P.args, **kwargs: P.kwargs) -> None:
        """Ask for it and go on, for records that nobody waits for: a failure is logged, a crash may lose it."""

    @abstractmethod
    async def read(self, query: Callable[Concatenate[ReadTx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run the query on one consistent snapshot; writing in it is an error."""

    @abstractmethod
    def read_now(self, query: Callable[Concatenate[ReadTx, P], T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """The twin of `read` for threads and commands that have no event loop."""

    @abstractmethod
    def close(self) -> None:
        """Finish the verbs that wait, then let go of every connection."""
