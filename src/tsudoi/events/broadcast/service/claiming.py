"""Claiming: a sender leases tasks that are due, and reads their messages and recipients."""

from collections.abc import Sequence
from typing import Any

import orjson
from sqlalchemy import bindparam, select

from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.outbox import claims
from tsudoi.core.outbox.claims import retry
from tsudoi.events.broadcast.models import EventBroadcast
from tsudoi.events.broadcast.service.settling import settle_attempt
from tsudoi.events.broadcast.service.tasks import (
    CHUNKS,
    LEASE,
    PUSHES,
    AttemptResult,
    BroadcastContent,
    Recipients,
    SendAttempt,
    SendTask,
)
from tsudoi.events.event.models import Event

# All recipients in one row, because SQLite's driver lets other threads in after every row.
_RECIPIENTS = {
    dialect: RawSql(
        f"SELECT {every}(member_id), {every}(line_user_id) FROM event_deliveries"  # noqa: S608 (words of ours)
        " WHERE chunk_id = :chunk_id AND status = 'WAITING'"
    )
    for dialect, every in (("sqlite", "json_group_array"), ("postgresql", "array_agg"))
}


def settle_and_claim(
    tx: Tx, attempts: Sequence[SendAttempt], limit: int, broadcast_id: int | None = None
) -> tuple[list[tuple[SendAttempt, AttemptResult]], list[SendTask]]:
    """Record the outcomes of these attempts, then claim up to `limit` further tasks.

    The attempts are always settled in the same order, so that two senders on PostgreSQL seldom deadlock; when
    they do, the database runs one of them again.
    """
    in_order = sorted(
        attempts,
        key=lambda one: (one.task.content.event_id, one.task.content.broadcast_id, one.task.alone, one.task.row.id),
    )
    results = [(one, settle_attempt(tx, one)) for one in in_order]
    return results, claim_tasks(tx, limit, broadcast_id) if limit > 0 else []


def claim_tasks(tx: Tx, limit: int, broadcast_id: int | None = None) -> list[SendTask]:
    """Claim up to `limit` chunks and single recipients that are due, of one broadcast or of any.

    A single recipient is always among them if one is due: a large broadcast must not make the others wait for long.
    """
    only = {} if broadcast_id is None else {"broadcast_id": broadcast_id}
    chunks = claims.claim(tx, CHUNKS, LEASE, limit, **only)
    pushes = claims.claim(tx, PUSHES, LEASE, max(1, limit - len(chunks)), **only)
    if not chunks and not pushes:
        return []
    found = tx.execute(_CONTENTS, {"ids": list({row.broadcast_id for row in (*chunks, *pushes)})})
    contents = {
        row.id: BroadcastContent(row.id, row.event_id, row.kind, row.messages, row.cancelled and row.kind != "cancel")
        for row in found
    }
    return [
        *(SendTask(CHUNKS, row, contents[row.broadcast_id]) for row in chunks),
        *(SendTask(PUSHES, row, contents[row.broadcast_id]) for row in pushes),
    ]


_CONTENTS = (
    select(
        EventBroadcast.id,
        EventBroadcast.event_id,
        EventBroadcast.kind,
        EventBroadcast.messages,
        Event.cancelled_at.is_not(None).label("cancelled"),
    )
    .join(Event, Event.id == EventBroadcast.event_id)
    .where(EventBroadcast.id.in_(bindparam("ids", expanding=True)))
)


def give_back(tx: Tx, tasks: Sequence[SendTask]) -> None:
    """Release the tasks of a request that failed before it could settle them, so that another sender may send them now.

    They are marked uncertain, because LINE may have been called. The retry key then shows what happened.
    """
    for task in tasks:
        retry(tx, task.outbox, task.row.id, task.row.lease_token, task.row.due_at, task.row.last_error, uncertain=True)


def recipients_of(tx: ReadTx, task: SendTask) -> Recipients:
    """Read outside the claiming transaction, to keep that short; nobody changes them while the task is claimed."""
    if task.alone:
        return Recipients([task.row.member_id], [task.row.line_user_id])
    # An aggregate always returns a row.
    found: Sequence[Any] = _RECIPIENTS[tx.dialect].first(tx, {"chunk_id": task.row.id}) or (None, None)
    # SQLite returns JSON text, PostgreSQL a list, or None when there are no recipients.
    members, users = (orjson.loads(one) if isinstance(one, str) else one or [] for one in found)
    # Always in the same order, because a retry key must repeat the same request.
    return Recipients(sorted(members), sorted(users))
