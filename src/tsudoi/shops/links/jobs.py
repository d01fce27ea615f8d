"""Sends the messages to former LINE users: claim, call LINE, settle. There are few of them, so they go one by one."""

from typing import Any

import structlog
from sqlalchemy import Row

from tsudoi.core.runtime import Runtime
from tsudoi.line.delivery.jobs import guarded_call, write_missing_lines, write_push_log
from tsudoi.shops.links.service import sending

_log = structlog.stdlib.get_logger(__name__)


def send_due(runtime: Runtime) -> int:
    """Send a batch of what is due. Returns how many messages were claimed."""
    rows = runtime.db.write_now(sending.claim)
    for row in rows:
        try:
            _call_and_settle(runtime, row)
        except Exception:  # noqa: BLE001 (the lease runs out, and the same retry key is tried again)
            _log.exception("link_notice_not_settled", notice_id=row.id)
    return len(rows)


def _call_and_settle(runtime: Runtime, row: Row[Any]) -> None:
    outcome = guarded_call(
        runtime, lambda line: line.push(row.line_user_id, row.messages, row.retry_key), lease_until=row.lease_until
    )
    entry = runtime.db.write_now(sending.settle, row, outcome)
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
