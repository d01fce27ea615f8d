"""The history of attempts. Rows are only added."""

from datetime import datetime
from typing import Literal

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql

# The two callers of the one function that sends.
Caller = Literal["command", "initial"]

_ADD = RawSql(
    """INSERT INTO notification_attempts (job_id, at, caller, outcome, request_id, error)
    VALUES (:job_id, :at, :caller, :outcome, :request_id, :error)"""
)


def record_attempt(
    tx: Tx,
    job_id: int,
    at: datetime,
    caller: Caller,
    outcome: str,
    *,
    request_id: str | None = None,
    error: str | None = None,
) -> None:
    """`outcome`: SENT, FAILED, NO_ANSWER, or why LINE was not called."""
    values = {"job_id": job_id, "at": utc_text(at), "caller": caller, "outcome": outcome}
    _ADD.changed(tx, {**values, "request_id": request_id, "error": error})
