"""Sends the messages that go by LINE: claim a batch, look at each person once more, call LINE, settle.

If a sender dies, its leases run out and another sender takes over with the same retry keys. Mails have a sender of
their own (`notifications/mails`), which asks `is_still_true` right before the content of one goes out.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import structlog
from sqlalchemy import Row

from tsudoi.core.db.interface import Tx
from tsudoi.core.runtime import Runtime
from tsudoi.line.delivery.jobs import guarded_call, write_missing_lines, write_push_log
from tsudoi.scheduling.delivery.queries.sending import why_not_by_line
from tsudoi.scheduling.delivery.service import sending
from tsudoi.scheduling.delivery.service.enqueueing import message_settings

_log = structlog.stdlib.get_logger(__name__)

_THREADS = 6


def send_due(runtime: Runtime) -> int:
    """Send a batch of what is due. Returns how many messages were claimed."""
    rows = runtime.db.write_now(sending.claim, message_settings(runtime.settings))
    if rows:
        with ThreadPoolExecutor(_THREADS, thread_name_prefix="thread-message") as pool:
            list(pool.map(partial(_send, runtime), rows))
    return len(rows)


def _send(runtime: Runtime, row: Row[Any]) -> None:
    """One message that fails must not stop the others; the lease runs out, and the same key is tried again."""
    try:
        _check_call_and_settle(runtime, row)
    except Exception:  # noqa: BLE001 (see above)
        _log.exception("thread_message_not_settled", message_id=row.id)


def _check_call_and_settle(runtime: Runtime, row: Row[Any]) -> None:
    outcome = guarded_call(
        runtime,
        lambda line: line.push(row.line_user_id, row.messages, row.retry_key),
        lease_until=row.lease_until,
        called_off=runtime.db.read_now(why_not_by_line, row.id),
    )
    entry = runtime.db.write_now(sending.settle, message_settings(runtime.settings), row, outcome)
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


def is_still_true(_runtime: Runtime, tx: Tx, mail: Row[Any]) -> bool:
    """The check of a mail about a thread, right before its content goes out."""
    return sending.mail_is_still_true(tx, int(mail.subject_id))
