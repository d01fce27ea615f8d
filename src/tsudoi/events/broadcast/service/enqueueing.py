"""A broadcast is written down as a whole before anything goes out: who, what, in which chunks, with which keys."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import TextClause, bindparam, insert, text

from tsudoi.core.columns import UtcText
from tsudoi.core.db.interface import Tx
from tsudoi.core.outbox import PENDING
from tsudoi.events.broadcast import rules
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk


@dataclass(frozen=True, slots=True)
class Recipient:
    member_id: int
    line_user_id: str


def enqueue(  # noqa: PLR0913 (one decision of the office, told in full)
    tx: Tx,
    event_id: int,
    kind: str,
    messages: Sequence[dict[str, Any]],
    recipients: Sequence[Recipient],
    actor: str,
    *,
    request_key: str | None = None,
    reminder_day: str | None = None,
) -> int:
    """The broadcast's id. Retry keys are fixed here: whoever sends, and however often, LINE takes each key once.

    A second reminder to one person on `reminder_day` breaks a unique index; whoever calls locks the event first.
    """
    broadcast_id: int = tx.execute(
        insert(EventBroadcast).values(
            event_id=event_id,
            kind=kind,
            messages=list(messages),
            recipients=len(recipients),
            created_by=actor,
            created_at=tx.now,
            request_key=request_key,
        )
    ).inserted_primary_key[0]  # type: ignore[index]
    _deliveries(tx, broadcast_id, event_id, recipients, reminder_day)
    return broadcast_id


def _deliveries(
    tx: Tx, broadcast_id: int, event_id: int, recipients: Sequence[Recipient], reminder_day: str | None
) -> None:
    new_key = _keys()
    rows: list[tuple[int, int, str, str]] = []
    chunk_ids = _chunks(tx, broadcast_id, -(-len(recipients) // rules.CHUNK), new_key)
    for number, one in enumerate(recipients):
        rows.append((chunk_ids[number // rules.CHUNK], one.member_id, one.line_user_id, new_key()))
    common = {"broadcast_id": broadcast_id, "event_id": event_id, "reminder_day": reminder_day, "now": tx.now}
    tx.execute(_INSERT[tx.dialect], {**common, "people": orjson.dumps(rows).decode()})


def _chunks(tx: Tx, broadcast_id: int, count: int, new_key: Callable[[], str]) -> Sequence[int]:
    if count == 0:
        return []
    row = {"broadcast_id": broadcast_id, "status": PENDING, "due_at": tx.now, "updated_at": tx.now}
    statement = insert(EventChunk).returning(EventChunk.id, sort_by_parameter_order=True)
    return tx.execute(statement, [{**row, "retry_key": new_key()} for _ in range(count)]).scalars().all()


def _keys() -> Callable[[], str]:
    """UUIDs that nobody else has: 96 random bits for this broadcast, and a number in it.

    In their own order they are four times as quick to index as keys that are random altogether.
    """
    head, number = secrets.token_hex(12), iter(range(2**32))
    start = f"{head[:8]}-{head[8:12]}-{head[12:16]}-{head[16:20]}-{head[20:]}"
    return lambda: f"{start}{next(number):08x}"


def _insert(source: str, fields: tuple[str, str, str, str]) -> TextClause:
    """One statement for everybody: 100,000 rows one by one would keep all other writers waiting for seconds."""
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
