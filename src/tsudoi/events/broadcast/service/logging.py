"""Marks final outcomes as written to the push log, and finds those that are missing after a crash."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, case, or_, select

from tsudoi.core.db.interface import Tx
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk, EventDelivery
from tsudoi.events.broadcast.queries import state
from tsudoi.events.broadcast.rules import WAITING
from tsudoi.events.broadcast.service.tasks import CHUNKS, PUSHES, AttemptResult, SendAttempt, SendTask
from tsudoi.line.delivery import service as delivery
from tsudoi.line.delivery.rules import PushLogEntry

_CHUNKS_AT_A_TIME, _PUSHES_AT_A_TIME = 10, 5_000


@dataclass(frozen=True, slots=True)
class Unlogged:
    """Final outcomes that may be missing in the push log: of chunks, and of recipients with a push of their own."""

    chunk_ids: Sequence[int]
    delivery_ids: Sequence[int]
    entries: Sequence[tuple[PushLogEntry, Sequence[int]]]


def claim_unlogged(tx: Tx) -> Unlogged | None:
    chunk_ids = delivery.claim_unlogged(tx, CHUNKS, _CHUNKS_AT_A_TIME)
    delivery_ids = delivery.claim_unlogged(tx, PUSHES, _PUSHES_AT_A_TIME)
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
        .where(whose, state().in_(delivery.FINAL))
        .order_by(EventDelivery.id)
    )
    rows: Sequence[Any] = tx.execute(statement).all()
    return Unlogged(chunk_ids, delivery_ids, [(_entry(*row[1:]), [row.member_id]) for row in rows])


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


def mark_tasks(tx: Tx, tasks: Sequence[SendTask]) -> None:
    mark_logged(tx, [task.row.id for task in tasks if not task.alone], [task.row.id for task in tasks if task.alone])


def mark_logged(tx: Tx, chunk_ids: Sequence[int], delivery_ids: Sequence[int]) -> None:
    """`chunk_ids`: chunks whose outcome is final for all their recipients, whose lines are written."""
    for each, ids in ((CHUNKS, chunk_ids), (PUSHES, delivery_ids)):
        if ids:
            delivery.mark_logged(tx, each, ids)
