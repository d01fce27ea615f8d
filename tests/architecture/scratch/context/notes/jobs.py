from datetime import timedelta

from tsudoi.core.outbox.claims import settle, take
from tsudoi.core.outbox.table import Outcome, RetryPolicy
from tsudoi.core.runtime import Runtime
from tsudoi.scratch.notes.service import NOTES

SENT: list[str] = []
STRUCK: list[bool] = []


def send_due_notes(runtime: Runtime) -> int:
    rows = runtime.db.write_now(take, NOTES, RetryPolicy(), timedelta(minutes=1), 10)
    for row in rows:
        SENT.append(row.body)
        runtime.db.write_now(settle, NOTES, row, Outcome.OK, RetryPolicy())
    return len(rows)


def strike(_runtime: Runtime) -> None:
    STRUCK.append(True)
