"""Telling "the database cannot work just now" from "this statement is wrong": only the first is worth a retry."""

from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tsudoi.core.errors import DatabaseUnavailable

_SQLITE_PASSING = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN")
_SQLITE_BROKEN = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
# Deadlock and serialisation failure: PostgreSQL rolled the whole transaction back and asks for another try.
_POSTGRES_TRY_AGAIN = ("40P01", "40001")


def as_problem(error: BaseException) -> BaseException:
    """The error to show to the caller: unavailable when the database is, otherwise the error itself."""
    if isinstance(error, StopIteration):
        # No future of asyncio carries this one: the caller would wait for ever.
        return _caused_by(error, RuntimeError("the verb raised StopIteration"))
    return _caused_by(error, DatabaseUnavailable()) if _is_unavailable(error) else error


def _caused_by(cause: BaseException, problem: Exception) -> Exception:
    problem.__cause__ = cause
    return problem


def _is_unavailable(error: BaseException) -> bool:
    # BEGIN and COMMIT go to SQLite's driver directly, so its errors come bare as well as wrapped.
    sqlite_name = getattr(getattr(error, "orig", error), "sqlite_errorname", None)
    if sqlite_name is not None:
        return str(sqlite_name).startswith(_SQLITE_PASSING + _SQLITE_BROKEN)
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or isinstance(error, OperationalError) or _is_read_only(error)
    return isinstance(error, PoolTimeout)


def _is_read_only(error: DBAPIError) -> bool:
    return getattr(error.orig, "sqlstate", None) == "25006"


def asks_for_retry(error: Exception) -> bool:
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _POSTGRES_TRY_AGAIN
