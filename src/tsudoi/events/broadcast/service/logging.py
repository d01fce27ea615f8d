"""Marks final outcomes as written to the push log, and finds those that are missing after a crash."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, or_, select, update

from tsudoi.core.db.interface import Tx
from tsudoi.core.outbox.table import DONE, FAILED, UNKNOWN, Outbox
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk, EventDelivery
from tsudoi.events.broadcast.queries import state
from tsudoi.events.broadcast.rules import WAITING
from tsudoi.events.broadcast.service.tasks import CHUNKS, PUSHES, AttemptResult, SendAttempt, SendTask
from tsudoi.line.delivery.rules import PushLogEntry

# A sender writes the line of a settled row within moments, unless it died.
_GRACE = timedelta(minutes=1)
_CHUNKS_AT_A_TIME, _PUSHES_AT_A_TIME = 10, 5_000
_FINAL = (DONE, FAILED, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Unlogged:
    """Final outcomes that may be missing in the push log: of chunks, and of recipients with a push of their own."""

    chunk_ids: Sequence[int]
    delivery_ids: Sequence[int]
    entries: Sequence[tuple[PushLogEntry, Sequence[int]]]


def claim_unlogged(tx: Tx) -> Unlogged | None:
    chunk_ids = _claim(tx, CHUNKS, _CHUNKS_AT_A_TIME)
    delivery_ids = _claim(tx, PUSHES, _PUSHES_AT_A_TIME)
    if not chunk_ids and not delivery_ids:
        return None
    whose = or_(EventDelivery.chunk_id.in_(chunk_ids), EventDelivery.id.in_(delivery_ids))
    with_chunk = EventDelivery.status == WAITING

    def either(name: str) -> ColumnElement[Any]:
        return case((with_chunk, CHUNKS.column(name)), else_=PUSHES.column(name)).label(name)

    statement = (
        select(
            EventDelivery.member_id,
            either("updated_at"),
            EventDelivery.event_id,
            EventDelivery.broadcast_id,
            EventBroadcast.kind,
            either("status"),
            EventDelivery.message_id,
            *(either(name) for name in ("request_id", "last_error")),
        )
        .join(EventBroadcast, EventBroadcast.id == EventDelivery.broadcast_id)
        .join(EventChunk, EventChunk.id == EventDelivery.chunk_id)
        .where(whose, state().in_(_FINAL))
        .order_by(EventDelivery.id)
    )
    rows: Sequence[Any] = tx.execute(statement).all()
    return Unlogged(chunk_ids, delivery_ids, [(_entry(*row[1:]), [row.member_id]) for row in rows])


def _claim(tx: Tx, each: Outbox, limit: int) -> Sequence[int]:
    """The lease of a final row is not needed any more, so it is used again here."""
    table, until = each.table, each.column("lease_until")
    found = (
        select(table.c.id)
        .where(
            ~table.c.logged,
            table.c.status.in_(_FINAL),
            table.c.updated_at <= tx.now - _GRACE,
            or_(until.is_(None), until <= tx.now),
        )
        .order_by(table.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("found")
        .prefix_with("MATERIALIZED")
    )
    statement = (
        update(table)
        .where(table.c.id.in_(select(found.c.id)))
        .values(lease_token=secrets.token_hex(16), lease_until=tx.now + _GRACE)
        .returning(table.c.id)
    )
    return sorted(tx.execute(statement).scalars())


def entry_of(attempt: SendAttempt, result: AttemptResult) -> PushLogEntry:
    """What the log says about an attempt whose outcome is final."""
    content, state = attempt.task.content, result.state or ""
    outcome = (state, result.message_id, result.request_id, result.reason)
    return _entry(result.at, content.event_id, content.broadcast_id, content.kind, *outcome)


def _entry(  # noqa: PLR0913, PLR0917 (every field of a line)
    at: datetime,
    event_id: int,
    broadcast_id: int,
    kind: str,
    state: str,
    message_id: str | None,
    request_id: str | None,
    reason: str | None,
) -> PushLogEntry:
    fields: dict[str, int | str] = {"broadcast": kind, "broadcast_id": broadcast_id}
    ids = {"event_id": event_id}
    return PushLogEntry(at, "event", state, ids, "member_id", message_id, request_id, fields, reason)


_MARK = {
    each: update(each.table)
    .where(each.column("id").in_(bindparam("ids", expanding=True)), each.column("status").in_(_FINAL))
    .values(logged=True, lease_token=None, lease_until=None)
    for each in (CHUNKS, PUSHES)
}


def mark_tasks(tx: Tx, tasks: Sequence[SendTask]) -> None:
    mark_logged(tx, [task.row.id for task in tasks if not task.alone], [task.row.id for task in tasks if task.alone])


def mark_logged(tx: Tx, chunk_ids: Sequence[int], delivery_ids: Sequence[int]) -> None:
    """`chunk_ids`: chunks whose outcome is final for all their recipients, whose lines are written."""
    for each, ids in ((CHUNKS, chunk_ids), (PUSHES, delivery_ids)):
        if ids:
            tx.execute(_MARK[each], {"ids": ids})
