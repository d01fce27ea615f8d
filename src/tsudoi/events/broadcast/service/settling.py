"""What became of a piece, written down once for all whom it concerns, and only while the piece is still ours."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, select, update

from tsudoi.core import outbox
from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.outbox import DONE, FAILED, PENDING, UNKNOWN, Outbox, Outcome
from tsudoi.events.broadcast import rules
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk, EventDelivery
from tsudoi.events.broadcast.rules import CalledOff, Judgement, Verdict
from tsudoi.events.broadcast.service.pieces import CHUNKS, POLICY, PUSHES, Piece
from tsudoi.gateway.clients.line_outcomes import Accepted, SendOutcome, Unknown

_FINAL = {
    Verdict.SENT: DONE,
    Verdict.REFUSED: FAILED,
    Verdict.ONE_BY_ONE: FAILED,
    Verdict.IN_DOUBT: UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Settled:
    """`status` is empty when there is nothing final to say about anybody yet."""

    kept: bool
    at: datetime
    status: str | None = None
    reason: str | None = None
    request_id: str | None = None
    message_id: str | None = None
    stops: bool = False


def settle(tx: Tx, piece: Piece, outcome: SendOutcome | CalledOff) -> Settled:
    judgement = rules.judge(outcome, uncertain=piece.uncertain, alone=piece.alone)
    if judgement.verdict not in _FINAL:
        return _later(tx, piece, judgement)
    status, request_id, message_id = _FINAL[judgement.verdict], _request_id(outcome), _message_id(outcome)
    own: dict[str, Any] = {"request_id": request_id} | ({"message_id": message_id} if piece.alone else {})
    if judgement.verdict is Verdict.ONE_BY_ONE:
        own["logged"] = True  # From here on each of them has a line of their own.
    if not outbox.complete(tx, piece.outbox, piece.id, piece.token, status, judgement.reason, **own):
        return Settled(kept=False, at=tx.now)
    if judgement.verdict is Verdict.ONE_BY_ONE:
        _push_each(tx, piece.id)
        return Settled(kept=True, at=tx.now)
    _end(tx, piece, status)
    if judgement.stops:
        _withdraw(tx, piece.letter.broadcast_id, rules.QUOTA)
    return Settled(True, tx.now, status, judgement.reason, request_id, message_id, judgement.stops)


def _later(tx: Tx, piece: Piece, judgement: Judgement) -> Settled:
    """The policy says when, with the same key; or that it has been too long."""
    outcome = Outcome.UNKNOWN if judgement.verdict is Verdict.NO_ANSWER else Outcome.NOT_NOW
    if not outbox.settle(tx, piece.outbox, piece.row, outcome, POLICY, judgement.reason):
        return Settled(kept=False, at=tx.now)
    table = piece.outbox.table
    status: str = tx.scalar(select(table.c.status).where(table.c.id == piece.id))
    if status == PENDING:
        return Settled(kept=True, at=tx.now)
    _end(tx, piece, status)
    return Settled(True, tx.now, status, judgement.reason)


def give_up(tx: Tx) -> None:
    """Chunks and pushes whose key LINE may soon forget are parked, and with a chunk all its people."""
    for each in (CHUNKS, PUSHES):
        for row in outbox.give_up(tx, each, POLICY):
            number = _people(tx, each, [row.id], row.status)
            _count(tx, *_event_of(tx, row.broadcast_id), row.status, number)


def withdraw_unsent(tx: Tx, event_id: int) -> None:
    """The event is cancelled: what has certainly not gone out does not go out. The notice of that itself stays."""
    found = select(EventBroadcast.id).where(EventBroadcast.event_id == event_id, EventBroadcast.kind != "cancel")
    for broadcast_id in tx.execute(found.order_by(EventBroadcast.id)).scalars().all():
        _withdraw(tx, broadcast_id, rules.CANCELLED)


def _withdraw(tx: Tx, broadcast_id: int, reason: str) -> None:
    # Two senders may hear of the end of the quota at once; they come one after the other.
    tx.execute(select(EventBroadcast.id).where(EventBroadcast.id == broadcast_id).with_for_update())
    ended = {"status": FAILED, "last_error": reason, "updated_at": tx.now}
    mine = update(EventChunk).where(EventChunk.broadcast_id == broadcast_id, _untouched(CHUNKS)).values(ended)
    chunk_ids = tx.execute(mine.returning(EventChunk.id)).scalars().all()
    alone = update(EventDelivery).where(EventDelivery.broadcast_id == broadcast_id, _untouched(PUSHES))
    number = _people(tx, CHUNKS, chunk_ids, FAILED) + tx.execute(alone.values(**ended, reminder_day=None)).rowcount
    _count(tx, *_event_of(tx, broadcast_id), FAILED, number)


def _untouched(each: Outbox) -> ColumnElement[bool]:
    """Nobody holds it, and every try so far surely failed."""
    nobody_holds = each.column("lease_token").is_(None)
    return and_(each.column("status") == PENDING, nobody_holds, ~each.column("uncertain"))


def _push_each(tx: Tx, chunk_id: int) -> None:
    """The chunk was surely refused and reached nobody, so each of its people may be told alone."""
    tx.execute(
        update(EventDelivery)
        .where(EventDelivery.chunk_id == chunk_id, EventDelivery.status == rules.WAITING)
        .values(status=PENDING, due_at=tx.now, updated_at=tx.now, logged=False)
    )


_IN_CHUNK = RawSql("SELECT count(*) FROM event_deliveries WHERE chunk_id = :chunk_id AND status = 'WAITING'")


def _people(tx: Tx, each: Outbox, ids: Sequence[int], status: str) -> int:
    """How many people these pieces spoke for. A reminder that surely failed may be repeated today."""
    if status == FAILED:
        chunks = and_(EventDelivery.chunk_id.in_(ids), EventDelivery.status == rules.WAITING)
        whose = chunks if each is CHUNKS else EventDelivery.id.in_(ids)
        return tx.execute(update(EventDelivery).where(whose).values(reminder_day=None)).rowcount
    if each is PUSHES:
        return len(ids)
    return sum(_IN_CHUNK.first(tx, {"chunk_id": chunk_id})[0] for chunk_id in ids)  # type: ignore[index]


def _end(tx: Tx, piece: Piece, status: str) -> None:
    number = _people(tx, piece.outbox, [piece.id], status)
    _count(tx, piece.letter.event_id, piece.letter.kind, status, number)


def _event_of(tx: Tx, broadcast_id: int) -> tuple[int, str]:
    row = tx.execute(
        select(EventBroadcast.event_id, EventBroadcast.kind).where(EventBroadcast.id == broadcast_id)
    ).one()
    return row.event_id, row.kind


def _count(tx: Tx, event_id: int, kind: str, status: str, number: int) -> None:
    """Adds what has just become final, which every row does once, in the transaction that makes it so.

    Counting all rows anew for each of 200 chunks would take longer than sending. The addition is one statement, so
    that of two workers who finish at once neither overwrites the other.
    """
    if kind not in rules.INVITATIONS:
        return
    _ADD_UP.changed(
        tx,
        {
            "event_id": event_id,
            "sent": number if status == DONE else 0,
            "failed": number if status == FAILED else 0,
            "now": jst_text(tx.now),
        },
    )


_ADD_UP = RawSql(
    "INSERT INTO event_push_stats (event_id, success_count, fail_count, last_sent_at)"
    " VALUES (:event_id, :sent, :failed, :now) ON CONFLICT (event_id) DO UPDATE"
    " SET success_count = event_push_stats.success_count + excluded.success_count,"
    " fail_count = event_push_stats.fail_count + excluded.fail_count, last_sent_at = excluded.last_sent_at"
)


def _request_id(outcome: SendOutcome | CalledOff) -> str | None:
    return None if isinstance(outcome, CalledOff | Unknown) else outcome.request_id


def _message_id(outcome: SendOutcome | CalledOff) -> str | None:
    """LINE gives an id per message; the last one is the text with the link. For a multicast it gives none."""
    return outcome.message_ids[-1] if isinstance(outcome, Accepted) and outcome.message_ids else None
