"""Work that may fail without ending the rest: document 001 lets a thread exist although a part of it could not be."""

import sqlite3
from collections.abc import Callable

import structlog
from sqlalchemy.exc import DBAPIError

from tsudoi.core.db.failures import as_problem, asks_for_retry
from tsudoi.core.db.interface import Tx

_log = structlog.stdlib.get_logger(__name__)


def succeeds(tx: Tx, thread_id: str, failure: str | None, work: Callable[[], object]) -> bool:
    """Run the work as a part of the transaction. A failure is logged by this name, without what the work was about.

    Only statements that the database refused count as failures. A database that is away, one that asks for another
    try, and a mistake of ours end the whole transaction.
    """
    try:
        with tx.part():
            work()
    except Exception as error:
        if not _is_refused(error):
            raise
        if failure is not None:
            # Only its kind: the texts of databases repeat values, and values are addresses.
            _log.warning(failure, thread_id=thread_id, error=type(error).__name__)
        return False
    return True


def _is_refused(error: Exception) -> bool:
    """`RawSql` lets the errors of the drivers through; those of PostgreSQL's driver are known by their state."""
    of_database = isinstance(error, DBAPIError | sqlite3.Error) or hasattr(error, "sqlstate")
    return of_database and as_problem(error) is error and not asks_for_retry(error)
