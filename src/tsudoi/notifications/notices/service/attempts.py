"""The history of attempts. Rows are only added."""

from collections.abc import Iterable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """One line of the history. `outcome`: SENT, FAILED, NO_ANSWER, or why LINE was not called."""

    job_id: int
    at: datetime
    outcome: str
    request_id: str | None = None
    error: str | None = None


def record_attempts(tx: Tx, caller: Caller, records: Iterable[AttemptRecord]) -> None:
    rows = [
        {
            "job_id": one.job_id,
            "at": utc_text(one.at),
            "caller": caller,
            "outcome": one.outcome,
            "request_id": one.request_id,
            "error": one.error,
        }
        for one in records
    ]
    _ADD.changed_by_each(tx, rows)
