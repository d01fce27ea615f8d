"""Enqueueing: a broadcast is stored completely (recipients, messages, retry keys) before anything is sent."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import TextClause, bindparam, insert, text

from tsudoi.core.columns import UtcText
from tsudoi.core.db.interface import Tx
from tsudoi.core.outbox.table import FAILED, PENDING
from tsudoi.events.broadcast import rules
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk
from tsudoi.events.broadcast.service.claiming import claim_tasks
from tsudoi.events.broadcast.service.settling import count_results
from tsudoi.events.broadcast.service.tasks import TASKS_HELD, SendTask
from tsudoi.line.delivery.rules import QUOTA


@dataclass(frozen=True, slots=True)
class Recipient:
    """A member who gets the message, and the LINE account that it is sent to."""

    member_id: int
    line_user_id: str


@dataclass(frozen=True, slots=True)
class QueuedBroadcast:
    """A stored broadcast, and the tasks of it that were claimed for the request that created it."""

    broadcast_id: int
    claimed: Sequence[SendTask] = ()


def enqueue(  # noqa: PLR0913 (one decision of the office in full)
    tx: Tx,
    event_id: int,
    kind: str,
    messages: Sequence[dict[str, Any]],
    recipients: Sequence[Recipient],
    actor: str,
    *,
    reminder_day: str | None = None,
    limit: int | None = None,
    claim: bool = False,
) -> QueuedBroadcast:
    """Store a broadcast. Its retry keys are stored too: LINE accepts each key once, however often it is sent.

    `limit`: how many messages the monthly limit leaves. The first recipients get them; the others fail with QUOTA.
    `claim`: claim the tasks for this request, so that the worker does not take them before the request sends them. If
    the request dies, their leases run out. A second reminder to one person on `reminder_day` breaks a unique index; the
    caller locks the event first.
    """
    broadcast_id: int = tx.execute(
        insert(EventBroadcast).values(
            event_id=event_id,
            kind=kind,
            messages=list(messages),
            recipients=len(recipients),
            created_by=actor,
            created_at=tx.now,
        )
    ).inserted_primary_key[0]  # type: ignore[index]
    common = {"broadcast_id": broadcast_id, "event_id": event_id, "now": tx.now}
    new_key = _keys()
    fits = len(recipients) if limit is None else limit
    _deliveries(tx, recipients[:fits], new_key, {**common, "reminder_day": reminder_day}, status=PENDING)
    kept_back = recipients[fits:]
    _deliveries(tx, kept_back, new_key, {**common, "reminder_day": None}, status=FAILED, last_error=QUOTA)
    count_results(tx, event_id, kind, FAILED, len(kept_back))
    claimed = claim_tasks(tx, TASKS_HELD, broadcast_id) if claim and fits else ()
    return QueuedBroadcast(broadcast_id, claimed)


def _deliveries(
    tx: Tx, recipients: Sequence[Recipient], new_key: Callable[[], str], common: dict[str, Any], **state: str
) -> None:
    if not recipients:
        return
    rows: list[tuple[int, int, str, str]] = []
    chunk = {"broadcast_id": common["broadcast_id"], "due_at": tx.now, "updated_at": tx.now, **state}
    chunks = [{**chunk, "retry_key": new_key()} for _ in range(0, len(recipients), rules.CHUNK)]
    statement = insert(EventChunk).returning(EventChunk.id, sort_by_parameter_order=True)
    chunk_ids = tx.execute(statement, chunks).scalars().all()
    for number, one in enumerate(recipients):
        rows.append((chunk_ids[number // rules.CHUNK], one.member_id, one.line_user_id, new_key()))
    tx.execute(_INSERT[tx.dialect], {**common, "people": orjson.dumps(rows).decode()})


def _keys() -> Callable[[], str]:
    """Unique UUIDs: 96 random bits for this broadcast, and a serial number.

    Because they are in order, they are four times as fast to index as random keys.
    """
    head, number = secrets.token_hex(12), iter(range(2**32))
    start = f"{head[:8]}-{head[8:12]}-{head[12:16]}-{head[16:20]}-{head[20:]}"
    return lambda: f"{start}{next(number):08x}"


def _insert(source: str, fields: tuple[str, str, str, str]) -> TextClause:
    """One statement for all recipients, because 100,000 single inserts would block other writers for seconds."""
    chunk_id, member_id, line_user_id, retry_key = fields
    return text(
        "INSERT INTO event_deliveries (broadcast_id, event_id, reminder_day, status, due_at, updated_at,"  # noqa: S608
        " chunk_id, member_id, line_user_id, retry_key)"
        f" SELECT :broadcast_id, :event_id, :reminder_day, '{rules.WAITING}', :now, :now,"
        f" {chunk_id}, {member_id}, {line_user_id}, {retry_key} FROM {source}"
    ).bindparams(bindparam("now", type_=UtcText()))


_INSERT = {
    "sqlite": _insert(
        "json_each(:people) AS people",
        (
            "json_extract(people.value, '$[0]')",
            "json_extract(people.value, '$[1]')",
            "json_extract(people.value, '$[2]')",
            "json_extract(people.value, '$[3]')",
        ),
    ),
    "postgresql": _insert(
        "json_array_elements(CAST(:people AS json)) AS people",
        (
            "CAST(people ->> 0 AS bigint)",
            "CAST(people ->> 1 AS bigint)",
            "people ->> 2",
            "people ->> 3",
        ),
    ),
}
