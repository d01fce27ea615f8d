"""Which final outcomes already stand in the NDJSON file, and which a crash left out."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, bindparam, case, or_, select, update

from tsudoi.core.db.interface import Tx
from tsudoi.core.outbox import DONE, FAILED, UNKNOWN, Outbox
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk, EventDelivery
from tsudoi.events.broadcast.queries import state
from tsudoi.events.broadcast.rules import WAITING, Told
from tsudoi.events.broadcast.service.pieces import CHUNKS, PUSHES

# Whoever settled a row writes its line within moments, unless it died.
_GRACE = timedelta(minutes=1)
_CHUNKS_AT_A_TIME, _PUSHES_AT_A_TIME = 10, 5_000
_FINAL = (DONE, FAILED, UNKNOWN)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Nobody has written these down: whole chunks, people who were told alone, and what is to be said of each."""

    chunk_ids: Sequence[int]
    delivery_ids: Sequence[int]
    told: Sequence[tuple[int, Told]]


def claim_unlogged(tx: Tx) -> LeftOut | None:
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
            EventDelivery.event_id,
            EventDelivery.broadcast_id,
            EventDelivery.message_id,
            EventBroadcast.kind,
            *(either(name) for name in ("status", "updated_at", "request_id", "last_error")),
        )
        .join(EventBroadcast, EventBroadcast.id == EventDelivery.broadcast_id)
        .join(EventChunk, EventChunk.id == EventDelivery.chunk_id)
        .where(whose, state().in_(_FINAL))
        .order_by(EventDelivery.id)
    )
    return LeftOut(chunk_ids, delivery_ids, [(row.member_id, _told(row)) for row in tx.execute(statement)])


def _claim(tx: Tx, each: Outbox, limit: int) -> Sequence[int]:
    """A final row needs its lease no more, so that it serves here again."""
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


def _told(row: Row[Any]) -> Told:
    return Told(
        at=row.updated_at,
        event_id=row.event_id,
        broadcast_id=row.broadcast_id,
        kind=row.kind,
        status=row.status,
        message_id=row.message_id,
        request_id=row.request_id,
        reason=row.last_error,
    )


_MARK = {
    each: update(each.table)
    .where(each.column("id").in_(bindparam("ids", expanding=True)), each.column("status").in_(_FINAL))
    .values(logged=True, lease_token=None, lease_until=None)
    for each in (CHUNKS, PUSHES)
}


def mark_logged(tx: Tx, *, chunk_ids: Sequence[int] = (), delivery_ids: Sequence[int] = ()) -> None:
    """`chunk_ids`: chunks that became final as a whole, so that the line of each of their people is written."""
    for each, ids in ((CHUNKS, chunk_ids), (PUSHES, delivery_ids)):
        if ids:
            tx.execute(_MARK[each], {"ids": ids})
