"""Distinguishes an unavailable database from a wrong statement, because only the first is worth a retry."""

from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tsudoi.core.errors import DatabaseUnavailable

# For the caller of a write whose commit may have succeeded.
FATE_UNKNOWN = "保存できたかどうかを確認できませんでした。画面を読み込み直して確認してください。"
_SQLITE_PASSING = ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN")
_SQLITE_BROKEN = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
# Deadlock and serialisation failure: PostgreSQL rolled the whole transaction back and asks for another try. The third:
# a prepared statement was deallocated, and is prepared again by the next try.
_POSTGRES_TRY_AGAIN = ("40P01", "40001", "26000")
_READ_ONLY = "25006"
# Connection lost, and server shutting down. An error without a state means a lost connection too.
_POSTGRES_GONE = ("08", "57P")


def as_problem(error: BaseException) -> BaseException:
    """The error to show to the caller: unavailable when the database is, otherwise the error itself."""
    if isinstance(error, StopIteration):
        # An asyncio future cannot hold a StopIteration, so the caller would wait for ever.
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
        return error.connection_invalidated or isinstance(error, OperationalError) or _state(error) == _READ_ONLY
    # `RawSql` calls PostgreSQL's driver directly too. The driver is compared by name, because SQLite does not need it.
    if any(kind.__module__ == "psycopg" and kind.__name__ == "OperationalError" for kind in type(error).__mro__):
        return True
    return isinstance(error, PoolTimeout) or _state(error) == _READ_ONLY


def lost_connection(error: BaseException) -> bool:
    """Whether the connection was lost, so that a commit under way may have succeeded."""
    if isinstance(error, DBAPIError):
        return error.connection_invalidated
    state = _state(error)
    return _is_unavailable(error) and (state is None or state.startswith(_POSTGRES_GONE))


def asks_for_retry(error: Exception) -> bool:
    return _state(error) in _POSTGRES_TRY_AGAIN


def _state(error: BaseException) -> str | None:
    found: str | None = getattr(getattr(error, "orig", error), "sqlstate", None)
    return found
