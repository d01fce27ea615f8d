"""What is due and free becomes ours for a while, together with what is said; `people` tells to whom."""

from collections.abc import Iterable, Sequence
from typing import Any

import orjson
from sqlalchemy import bindparam, select

from tsudoi.core import outbox
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.events.broadcast.models import EventBroadcast
from tsudoi.events.broadcast.service.pieces import CHUNKS, LEASE, PUSHES, Letter, People, Piece
from tsudoi.events.broadcast.service.settling import give_up
from tsudoi.events.event.models import Event

# One row for all of them: SQLite's driver lets other threads in after every row, and 500 times is long.
_PEOPLE = {
    dialect: RawSql(
        f"SELECT {every}(member_id), {every}(line_user_id) FROM event_deliveries"  # noqa: S608 (words of ours)
        " WHERE chunk_id = :chunk_id AND status = 'WAITING'"
    )
    for dialect, every in (("sqlite", "json_group_array"), ("postgresql", "array_agg"))
}


def take(tx: Tx, chunks: int, pushes: int, broadcast_id: int | None = None) -> list[Piece]:
    """Up to so many chunks and single pushes that are due, of one broadcast or of any."""
    give_up(tx)
    only = {} if broadcast_id is None else {"broadcast_id": broadcast_id}
    groups = outbox.claim(tx, CHUNKS, LEASE, chunks, **only)
    single = outbox.claim(tx, PUSHES, LEASE, pushes, **only)
    if not groups and not single:
        return []
    letters = _letters(tx, {row.broadcast_id for row in (*groups, *single)})
    return [
        *(Piece(CHUNKS, row, letters[row.broadcast_id]) for row in groups),
        *(Piece(PUSHES, row, letters[row.broadcast_id]) for row in single),
    ]


# Put together once: this runs for every few calls to LINE.
_LETTERS = (
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


def _letters(tx: Tx, broadcast_ids: Iterable[int]) -> dict[int, Letter]:
    return {
        row.id: Letter(row.id, row.event_id, row.kind, row.messages, row.cancelled and row.kind != "cancel")
        for row in tx.execute(_LETTERS, {"ids": list(broadcast_ids)})
    }


def people(tx: ReadTx, pieces: Sequence[Piece]) -> list[People]:
    """Who hears of each. Read apart from taking: the writer is busy, and nobody changes them while they are ours."""
    return [_people(tx, piece) for piece in pieces]


def _people(tx: ReadTx, piece: Piece) -> People:
    if piece.alone:
        return People([piece.row.member_id], [piece.row.line_user_id])
    # An aggregate has a row in any case.
    members, users = _PEOPLE[tx.dialect].first(tx, {"chunk_id": piece.id}) or (None, None)
    # The same words to the same people in the same order: that is what a retry key stands for.
    return People(sorted(_listed(members)), sorted(_listed(users)))


def _listed(found: Any) -> list[Any]:
    """SQLite gives a text; PostgreSQL a list, or nothing where there is nobody."""
    listed: list[Any] = orjson.loads(found) if isinstance(found, str) else found or []
    return listed


def release(tx: Tx, piece: Piece) -> bool:
    """Given back untried. A lease that merely ran out would leave a doubt where there is none."""
    row = piece.row
    return outbox.retry(tx, piece.outbox, piece.id, piece.token, row.due_at, row.last_error)
