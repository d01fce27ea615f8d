"""Sends reminders: claim a batch, look at each person once more, call LINE, settle.

If a sender dies, its leases run out and another sender takes over with the same retry keys.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import structlog

from tsudoi.booking.coverage_reminders import queries
from tsudoi.booking.coverage_reminders.service import sending
from tsudoi.booking.coverage_reminders.service.sending import ReminderTask
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.line_outcomes import SendOutcome
from tsudoi.line.delivery.jobs import guarded_call, write_missing_lines, write_push_log
from tsudoi.line.delivery.rules import CalledOff
from tsudoi.notifications.pause.queries import is_paused

_log = structlog.stdlib.get_logger(__name__)

_THREADS = 6


def send_due(runtime: Runtime) -> int:
    """Send a batch of what is due. Returns how many recipients were claimed. In a dry run they all wait."""
    if runtime.settings.notification_cron_dry_run:
        return 0
    if ended := runtime.db.read_now(queries.ended_mails):
        runtime.db.write_now(sending.settle_mails, ended)
    tasks = runtime.db.write_now(sending.claim)
    if tasks:
        with ThreadPoolExecutor(_THREADS, thread_name_prefix="coverage-reminder") as pool:
            list(pool.map(partial(_send, runtime), tasks))
    return len(ended) + len(tasks)


def _send(runtime: Runtime, task: ReminderTask) -> None:
    """One recipient who fails must not stop the others; the lease runs out, and the same key is tried again."""
    try:
        _check_call_and_settle(runtime, task)
    except Exception:  # noqa: BLE001 (see above)
        _log.exception("coverage_reminder_not_settled", recipient_id=task.row.id)


def _check_call_and_settle(runtime: Runtime, task: ReminderTask) -> None:
    row = task.row
    outcome: SendOutcome | CalledOff | None = None
    if not runtime.db.read_now(is_paused):
        skipped = runtime.db.read_now(
            queries.why_skipped, row.staff_uid, row.line_user_id, row.reservation_type_id, task.period_key
        )
        outcome = guarded_call(
            runtime,
            lambda line: line.push(row.line_user_id, task.messages, row.retry_key),
            lease_until=row.lease_until,
            called_off=skipped,
        )
    entry = runtime.db.write_now(sending.settle, task, outcome)
    if entry is not None and write_push_log(runtime, [(entry, [row.id])]):
        # Nothing waits for this write. A row that a crash leaves unmarked is compared with the file later.
        runtime.db.write_soon(sending.mark, [row.id])


def finish_log(runtime: Runtime) -> int:
    """Write the lines that are missing after a crash or a full disk; returns how many."""
    number = 0
    while True:
        ids, entries = runtime.db.write_now(sending.claim_missing_lines)
        written = write_missing_lines(runtime, entries) if ids else None
        if written is None:
            return number
        runtime.db.write_now(sending.mark, ids)
        number += written
