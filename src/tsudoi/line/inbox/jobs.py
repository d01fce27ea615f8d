"""The worker's loop over the events that LINE delivered, and the event object that its handlers receive."""

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog
from sqlalchemy import Row

from tsudoi.access.registration import ActiveContexts
from tsudoi.core.clock import jst_text
from tsudoi.core.errors import Problem
from tsudoi.core.ndjson import DailyFile
from tsudoi.core.outbox.claims import take
from tsudoi.core.outbox.table import Outcome, RetryPolicy
from tsudoi.core.runtime import Runtime
from tsudoi.line.inbox.service import INBOX, settle_event

_log = structlog.stdlib.get_logger(__name__)

LEASE = timedelta(minutes=2)
# So few that a batch ends well within the lease, also when every call to LINE takes all of its time.
BATCH_SIZE = 8
THREADS = 4
# LINE's profiles are available again within minutes or not at all, and a greeting after an hour would confuse people.
INBOX_POLICY = RetryPolicy(
    first_delay=timedelta(seconds=2),
    most_attempts=8,
    longest_delay=timedelta(minutes=5),
    give_up_after=timedelta(hours=1),
)


@dataclass(frozen=True, slots=True)
class InboxEvent:
    """An event from LINE as its handler receives it."""

    event_id: int
    event_key: str
    kind: str
    user_id: str
    event_ms: int
    attempt: int
    reply: str | None
    payload: dict[str, Any]

    @property
    def is_last_try(self) -> bool:
        return self.attempt >= INBOX_POLICY.most_attempts

    @property
    def reply_token(self) -> str | None:
        found = self.payload.get("replyToken")
        return found if isinstance(found, str) and found else None


def handle_due_events(runtime: Runtime) -> int:
    """Claim the events that are due, run their handlers in parallel, and record each outcome."""
    rows = runtime.db.write_now(take, INBOX, INBOX_POLICY, LEASE, BATCH_SIZE)
    if rows:
        with ThreadPoolExecutor(THREADS, thread_name_prefix="line-inbox") as pool:
            # Each call gets its own copy, because two threads cannot share one contextvars context.
            handled = [pool.submit(copy_context().run, _handle, runtime, row) for row in rows]
        for future in handled:
            future.result()
    return len(rows)


def _handle(runtime: Runtime, row: Row[Any]) -> None:
    handlers = runtime.part(ActiveContexts).line_handlers
    event = InboxEvent(
        event_id=row.id,
        event_key=row.event_key,
        kind=row.type,
        user_id=row.user_id,
        event_ms=row.event_ms,
        attempt=row.attempt_count,
        reply=row.reply,
        payload=row.payload,
    )
    try:
        outcome, error = handlers[row.type](runtime, event) if row.type in handlers else (Outcome.OK, None)
    except Exception as unexpected:  # noqa: BLE001 (one bad event must not stop the others)
        _log.exception("inbox_event_failed", event_id=row.id, type=row.type)
        outcome, error = Outcome.NOT_NOW, type(unexpected).__name__
    try:
        if not runtime.db.write_now(settle_event, row, outcome, INBOX_POLICY, error):
            _log.warning("inbox_lease_lost", event_id=row.id)
    except Problem:  # The database is not reachable. The lease runs out, and the event is handled again.
        _log.exception("inbox_event_not_settled", event_id=row.id)


def log_event(runtime: Runtime, event: InboxEvent, **fields: str | int | None) -> None:
    """Write one line to the webhook log. A line that cannot be written does not make the event fail."""
    now = runtime.db.clock.now()
    record = {"ts": jst_text(now), "kind": event.kind, "userId": event.user_id, **fields}
    try:
        DailyFile.of(runtime.settings, "line", "WEBHOOK-").append(
            now, [{name: value for name, value in record.items() if value is not None}]
        )
    except OSError:
        _log.exception("webhook_line_not_written")
