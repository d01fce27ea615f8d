"""What is due and free becomes ours for a while, together with all that is needed to send it."""

from collections import defaultdict
from collections.abc import Iterable

from sqlalchemy import select

from tsudoi.core import outbox
from tsudoi.core.db.interface import Tx
from tsudoi.events.broadcast.models import EventBroadcast, EventDelivery
from tsudoi.events.broadcast.service.pieces import CHUNKS, LEASE, PUSHES, WAITING, Letter, Piece
from tsudoi.events.broadcast.service.settling import give_up
from tsudoi.events.event.models import Event


def take(tx: Tx, chunks: int, pushes: int, broadcast_id: int | None = None) -> list[Piece]:
    """Up to so many chunks and single pushes that are due, of one broadcast or of any."""
    give_up(tx)
    only = [[] if broadcast_id is None else [each.column("broadcast_id") == broadcast_id] for each in (CHUNKS, PUSHES)]
    groups = outbox.claim(tx, CHUNKS, LEASE, chunks, *only[0])
    single = outbox.claim(tx, PUSHES, LEASE, pushes, *only[1])
    if not groups and not single:
        return []
    letters = _letters(tx, {row.broadcast_id for row in (*groups, *single)})
    members, users = _people(tx, [row.id for row in groups])
    return [
        *(Piece(CHUNKS, row, letters[row.broadcast_id], members[row.id], users[row.id]) for row in groups),
        *(Piece(PUSHES, row, letters[row.broadcast_id], [row.member_id], [row.line_user_id]) for row in single),
    ]


def _letters(tx: Tx, broadcast_ids: Iterable[int]) -> dict[int, Letter]:
    statement = (
        select(
            EventBroadcast.id,
            EventBroadcast.event_id,
            EventBroadcast.kind,
            EventBroadcast.messages,
            Event.cancelled_at.is_not(None).label("cancelled"),
        )
        .join(Event, Event.id == EventBroadcast.event_id)
        .where(EventBroadcast.id.in_(broadcast_ids))
    )
    return {
        row.id: Letter(row.id, row.event_id, row.kind, row.messages, row.cancelled and row.kind != "cancel")
        for row in tx.execute(statement)
    }


def _people(tx: Tx, chunk_ids: list[int]) -> tuple[dict[int, list[int]], dict[int, list[str]]]:
    """The members and the LINE users of each chunk."""
    members: dict[int, list[int]] = defaultdict(list)
    users: dict[int, list[str]] = defaultdict(list)
    if chunk_ids:
        found = (
            select(EventDelivery.chunk_id, EventDelivery.member_id, EventDelivery.line_user_id)
            .where(EventDelivery.chunk_id.in_(chunk_ids), EventDelivery.status == WAITING)
            # The same words to the same people in the same order: that is what a retry key stands for. In the order of
            # the index: by id alone, SQLite would rather walk through the whole table.
            .order_by(EventDelivery.chunk_id, EventDelivery.id)
        )
        for row in tx.execute(found):
            members[row.chunk_id].append(row.member_id)
            users[row.chunk_id].append(row.line_user_id)
    return members, users


def release(tx: Tx, piece: Piece) -> bool:
    """Given back untried. A lease that merely ran out would leave a doubt where there is none."""
    row = piece.row
    return outbox.retry(tx, piece.outbox, piece.id, piece.token, row.due_at, row.last_error)
