"""Claiming: what is due and free belongs to this sender for a while, together with what has to be said."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

import orjson
from sqlalchemy import bindparam, select

from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.outbox import claims
from tsudoi.core.outbox.settling import retry
from tsudoi.events.broadcast.models import EventBroadcast
from tsudoi.events.broadcast.service.settling import settle_attempt
from tsudoi.events.broadcast.service.tasks import (
    CHUNKS,
    LEASE,
    PUSHES,
    Attempt,
    AttemptResult,
    BroadcastContent,
    Recipients,
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
    tx: Tx, attempts: Sequence[Attempt], limit: int, broadcast_id: int | None = None
) -> tuple[list[tuple[Attempt, AttemptResult]], list[SendTask]]:
    """Write down what became of these attempts, then claim up to `limit` further tasks.

    The attempts are always settled in the same order, so that two senders on PostgreSQL seldom wait for each other in
    a circle; when they do, the database lets one of them start again.
    """
    results = [(one, settle_attempt(tx, one)) for one in sorted(attempts, key=_place)]
    return results, claim_tasks(tx, limit, broadcast_id) if limit > 0 else []


def _place(attempt: Attempt) -> tuple[int, int, bool, int]:
    task = attempt.task
    return task.content.event_id, task.content.broadcast_id, task.alone, task.id


def claim_tasks(tx: Tx, limit: int, broadcast_id: int | None = None, lease: timedelta = LEASE) -> list[SendTask]:
    """Claim up to `limit` chunks and single recipients that are due, of one broadcast or of any.

    A single recipient is always among them if one is due: a large broadcast must not make the others wait for long.
    """
    only = {} if broadcast_id is None else {"broadcast_id": broadcast_id}
    chunks = claims.claim(tx, CHUNKS, lease, limit, **only)
    pushes = claims.claim(tx, PUSHES, lease, max(1, limit - len(chunks)), **only)
    if not chunks and not pushes:
        return []
    contents = _contents(tx, {row.broadcast_id for row in (*chunks, *pushes)})
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


def _contents(tx: Tx, broadcast_ids: Iterable[int]) -> dict[int, BroadcastContent]:
    return {
        row.id: BroadcastContent(row.id, row.event_id, row.kind, row.messages, row.cancelled and row.kind != "cancel")
        for row in tx.execute(_CONTENTS, {"ids": list(broadcast_ids)})
    }


def give_back(tx: Tx, tasks: Sequence[SendTask]) -> None:
    """For a request that failed before it could say what became of these: somebody else may send them at once.

    A doubt remains with each, because LINE may have been called. The retry key then tells what happened.
    """
    for task in tasks:
        retry(tx, task.outbox, task.id, task.token, task.row.due_at, task.row.last_error, uncertain=True)


def recipients_of(tx: ReadTx, task: SendTask) -> Recipients:
    """Read apart from claiming, because the writer is busy and nobody changes them while the task is claimed."""
    if task.alone:
        return Recipients([task.row.member_id], [task.row.line_user_id])
    # An aggregate has a row in any case.
    members, users = _RECIPIENTS[tx.dialect].first(tx, {"chunk_id": task.id}) or (None, None)
    # Always in the same order: a retry key stands for the same messages to the same recipients.
    return Recipients(sorted(_listed(members)), sorted(_listed(users)))


def _listed(found: Any) -> list[Any]:
    """SQLite gives a text; PostgreSQL a list, or nothing where there is nobody."""
    listed: list[Any] = orjson.loads(found) if isinstance(found, str) else found or []
    return listed
