"""Settling: the outcome of a task is recorded once for all its recipients, and only while the lease is held."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, and_, false, func, insert, select, update
from sqlalchemy.orm import aliased

from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.outbox import claims
from tsudoi.core.outbox.claims import complete, retry, settle
from tsudoi.core.outbox.table import DONE, FAILED, PENDING, UNKNOWN, Outbox, Outcome
from tsudoi.events.broadcast import rules
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk, EventDelivery
from tsudoi.events.broadcast.service.tasks import CHUNKS, POLICY, PUSHES, AttemptResult, SendAttempt, SendTask
from tsudoi.gateway.clients.line_outcomes import SendOutcome
from tsudoi.line.delivery import rules as delivery
from tsudoi.line.delivery.rules import (
    QUOTA,
    CalledOff,
    Judgement,
    SendVerdict,
    message_id_of,
    part_that_fits,
    request_id_of,
)

# SQLite has no OFFSET without LIMIT.
_MOST_RECIPIENTS = 1_000_000
_FINAL = {
    SendVerdict.SENT: DONE,
    SendVerdict.REFUSED: FAILED,
    SendVerdict.ONE_BY_ONE: FAILED,
    SendVerdict.IN_DOUBT: UNKNOWN,
}


def settle_attempt(tx: Tx, attempt: SendAttempt) -> AttemptResult:
    """Record the outcome of a task, for all its recipients, if its lease is still held."""
    task, outcome = attempt.task, attempt.outcome
    if outcome is None:
        # Released untried. If the lease just ran out, the task would be marked uncertain without a reason.
        kept = retry(tx, task.outbox, task.row.id, task.row.lease_token, task.row.due_at, task.row.last_error)
        return AttemptResult(kept=kept, at=tx.now)
    judgement = delivery.judge(outcome, uncertain=task.row.uncertain, alone=task.alone)
    if judgement.verdict not in _FINAL:
        return _retry_later(tx, task, judgement)
    if judgement.stops and _send_the_part_that_fits(tx, attempt):
        return AttemptResult(kept=True, at=tx.now)
    return _finish(tx, task, outcome, judgement)


def _finish(tx: Tx, task: SendTask, outcome: SendOutcome | CalledOff, judgement: Judgement) -> AttemptResult:
    state, request_id, message_id = _FINAL[judgement.verdict], request_id_of(outcome), message_id_of(outcome)
    own: dict[str, Any] = {"request_id": request_id} | ({"message_id": message_id} if task.alone else {})
    if judgement.verdict is SendVerdict.ONE_BY_ONE:
        own["logged"] = True  # From now on each of its recipients has a line of its own.
    if not complete(tx, task.outbox, task.row.id, task.row.lease_token, state, judgement.reason, **own):
        return AttemptResult(kept=False, at=tx.now)
    if judgement.verdict is SendVerdict.ONE_BY_ONE:
        _push_each(tx, task.row.id)
        return AttemptResult(kept=True, at=tx.now)
    _count_recipients(tx, task, state)
    if judgement.stops:
        _withdraw(tx, task.content.broadcast_id, QUOTA)
    return AttemptResult(True, tx.now, state, judgement.reason, request_id, message_id)


def _retry_later(tx: Tx, task: SendTask, judgement: Judgement) -> AttemptResult:
    """Retry with the same retry key at the time that the policy gives, or give up after too long a time."""
    outcome = Outcome.UNKNOWN if judgement.verdict is SendVerdict.NO_ANSWER else Outcome.NOT_NOW
    state = settle(tx, task.outbox, task.row, outcome, POLICY, judgement.reason)
    if state is None or state == PENDING:
        return AttemptResult(kept=state is not None, at=tx.now)
    _count_recipients(tx, task, state)
    return AttemptResult(True, tx.now, state, judgement.reason)


def _send_the_part_that_fits(tx: Tx, attempt: SendAttempt) -> bool:
    """LINE refused a chunk for its monthly limit: as many of its first recipients as fit are tried once more.

    The others fail, and so do all untried tasks of the broadcast. The part that fits gets a new retry key, because a
    key belongs to one list of recipients. Returns False if nobody fits or the lease was lost.
    """
    task = attempt.task
    fits = part_that_fits(len(attempt.recipients.member_ids), attempt.quota_left)
    if task.alone or task.row.uncertain or fits == 0:
        return False
    _lock(tx, task.content.broadcast_id)
    parts = select(EventChunk.id).where(EventChunk.broadcast_id == task.content.broadcast_id, _is_part_that_fits())
    if tx.scalar(parts.limit(1)) is not None:
        return False  # A part with earlier recipients uses what is left.
    if not retry(tx, CHUNKS, task.row.id, task.row.lease_token, tx.now, QUOTA):
        return False
    anew = {"retry_key": str(uuid4()), "first_attempt_at": None}
    tx.execute(update(EventChunk).where(EventChunk.id == task.row.id).values(**anew))
    kept_back = insert(EventChunk).values(
        broadcast_id=task.content.broadcast_id,
        retry_key=str(uuid4()),
        status=FAILED,
        last_error=QUOTA,
        due_at=tx.now,
        updated_at=tx.now,
    )
    chunk_id = tx.execute(kept_back).inserted_primary_key[0]  # type: ignore[index]
    # Deliveries were written in roster order.
    in_chunk = aliased(EventDelivery)
    of_task = select(in_chunk.id).where(in_chunk.chunk_id == task.row.id, in_chunk.status == rules.WAITING)
    rest = EventDelivery.id.in_(of_task.order_by(in_chunk.id).limit(_MOST_RECIPIENTS).offset(fits))
    tx.execute(update(EventDelivery).where(rest).values(chunk_id=chunk_id))
    count_results(tx, task.content.event_id, task.content.kind, FAILED, _people(tx, CHUNKS, [chunk_id], FAILED))
    _withdraw(tx, task.content.broadcast_id, QUOTA)
    return True


def _is_part_that_fits() -> ColumnElement[bool]:
    return and_(EventChunk.status == PENDING, EventChunk.last_error == QUOTA)


def give_up(tx: Tx) -> None:
    """Park chunks and pushes whose retry key LINE may soon forget; a chunk with all its recipients."""
    for each in (CHUNKS, PUSHES):
        for row in claims.give_up(tx, each, POLICY):
            number = _people(tx, each, [row.id], row.status)
            count_results(tx, *_event_of(tx, row.broadcast_id), row.status, number)


def withdraw_unsent(tx: Tx, event_id: int) -> None:
    """The event is cancelled: withdraw messages that have certainly not gone out, except the cancellation notice."""
    found = select(EventBroadcast.id).where(EventBroadcast.event_id == event_id, EventBroadcast.kind != "cancel")
    for broadcast_id in tx.execute(found.order_by(EventBroadcast.id)).scalars().all():
        _withdraw(tx, broadcast_id, rules.CANCELLED)


def _withdraw(tx: Tx, broadcast_id: int, reason: str) -> None:
    _lock(tx, broadcast_id)
    failed = {"status": FAILED, "last_error": reason, "updated_at": tx.now}
    mine = update(EventChunk).where(EventChunk.broadcast_id == broadcast_id, _untouched(CHUNKS)).values(failed)
    if reason == QUOTA:
        mine = mine.where(~func.coalesce(_is_part_that_fits(), false()))
    chunk_ids = tx.execute(mine.returning(EventChunk.id)).scalars().all()
    alone = update(EventDelivery).where(EventDelivery.broadcast_id == broadcast_id, _untouched(PUSHES))
    number = _people(tx, CHUNKS, chunk_ids, FAILED) + tx.execute(alone.values(**failed, reminder_day=None)).rowcount
    count_results(tx, *_event_of(tx, broadcast_id), FAILED, number)


def _lock(tx: Tx, broadcast_id: int) -> None:
    """Two senders may reach the monthly limit at the same time; the lock lets them record it one after the other."""
    broadcast = select(EventBroadcast.id).where(EventBroadcast.id == broadcast_id)
    tx.execute(broadcast.with_for_update(key_share=True))


def _untouched(each: Outbox) -> ColumnElement[bool]:
    """No sender holds it, and every attempt so far has certainly failed."""
    nobody_holds = each.column("lease_token").is_(None)
    return and_(each.column("status") == PENDING, nobody_holds, ~each.column("uncertain"))


def _push_each(tx: Tx, chunk_id: int) -> None:
    """LINE refused the chunk, so nobody got it, and each of its recipients gets a push of its own."""
    tx.execute(
        update(EventDelivery)
        .where(EventDelivery.chunk_id == chunk_id, EventDelivery.status == rules.WAITING)
        .values(status=PENDING, due_at=tx.now, updated_at=tx.now, logged=False)
    )


_IN_CHUNK = RawSql("SELECT count(*) FROM event_deliveries WHERE chunk_id = :chunk_id AND status = 'WAITING'")


def _people(tx: Tx, each: Outbox, ids: Sequence[int], status: str) -> int:
    """How many recipients these rows have. A reminder that certainly failed may be repeated today."""
    if status == FAILED:
        chunks = and_(EventDelivery.chunk_id.in_(ids), EventDelivery.status == rules.WAITING)
        whose = chunks if each is CHUNKS else EventDelivery.id.in_(ids)
        return tx.execute(update(EventDelivery).where(whose).values(reminder_day=None)).rowcount
    if each is PUSHES:
        return len(ids)
    return sum(_IN_CHUNK.first(tx, {"chunk_id": chunk_id})[0] for chunk_id in ids)  # type: ignore[index]


def _count_recipients(tx: Tx, task: SendTask, state: str) -> None:
    number = _people(tx, task.outbox, [task.row.id], state)
    count_results(tx, task.content.event_id, task.content.kind, state, number)


def _event_of(tx: Tx, broadcast_id: int) -> tuple[int, str]:
    row = tx.execute(
        select(EventBroadcast.event_id, EventBroadcast.kind).where(EventBroadcast.id == broadcast_id)
    ).one()
    return row.event_id, row.kind


def count_results(tx: Tx, event_id: int, kind: str, status: str, number: int) -> None:
    """Add recipients whose result has become final in this transaction; every row becomes final once.

    Counting all rows again for each of 200 chunks would take longer than sending. The addition is one statement, so
    that two workers that finish at the same time do not overwrite each other.
    """
    if kind not in rules.INVITATIONS or number == 0:
        return  # Nothing was sent or failed, so `last_sent_at` stays as it is.
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
