from dataclasses import asdict
from typing import Any

from sqlalchemy import Select, Text, func, select, type_coerce

from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.events.answers.models import EventResponse
from tsudoi.events.answers.queries import counts
from tsudoi.events.broadcast import queries as broadcast
from tsudoi.events.broadcast.models import EventBroadcast, EventPushStats
from tsudoi.events.event.errors import NoSuchEvent
from tsudoi.events.event.models import Event, EventTarget
from tsudoi.events.live.rules import EventBasics, EventState, NewAnswer

# When there are more new answers than this, the rest waits for the next read.
_MOST_AT_ONCE = 2_000


def newest_ids(tx: ReadTx, event_id: int, number: int) -> list[int]:
    statement = select(EventResponse.id).where(EventResponse.event_id == event_id)
    return list(tx.execute(statement.order_by(EventResponse.id.desc()).limit(number)).scalars())


def read_event(tx: ReadTx, event_id: int, after: int, before: EventState | None) -> tuple[EventState, list[NewAnswer]]:
    """The state, and the answers above the id `after`. What cannot have changed is taken from the state before."""
    answers = answers_after(tx, event_id, after, _MOST_AT_ONCE)
    basics = _basics(tx, event_id)
    if before is not None and basics == before.basics and not before.sending and not answers:
        return before, answers
    push = before.push if before is not None and not _sent_more(before, basics) else _push(tx, event_id)
    return EventState(basics, counts(tx, event_id), push), answers


def answers_after(tx: ReadTx, event_id: int, after: int, limit: int) -> list[NewAnswer]:
    statement = (
        select(
            EventResponse.id,
            EventResponse.member_id,
            EventResponse.status,
            EventResponse.extra_text,
            EventResponse.responded_at,
            EventResponse.via,
        )
        .where(EventResponse.event_id == event_id, EventResponse.id > after)
        .order_by(EventResponse.id)
        .limit(limit)
    )
    return [
        NewAnswer(row.id, row.member_id, row.status, row.extra_text, jst_text(row.responded_at), row.via)
        for row in tx.execute(statement)
    ]


def _basics(tx: ReadTx, event_id: int) -> EventBasics:
    row = tx.execute(_select_basics(event_id)).first()
    if row is None:
        raise NoSuchEvent
    return EventBasics(
        title=row.title,
        held_at=row.held_at,
        updated_at=row.updated_at,
        sequence=row.sequence,
        cancelled=row.cancelled,
        targets_total=row.targets_total,
        newest_broadcast=row.newest_broadcast or 0,
        push_stats=None if row.last_sent_at is None else (row.success_count, row.fail_count, row.last_sent_at),
    )


def _select_basics(event_id: int) -> Select[Any]:
    asked = select(func.count()).where(EventTarget.event_id == event_id).scalar_subquery()
    newest = select(func.max(EventBroadcast.id)).where(EventBroadcast.event_id == event_id).scalar_subquery()
    return (
        select(
            Event.title,
            type_coerce(Event.held_at, Text).label("held_at"),
            type_coerce(Event.updated_at, Text).label("updated_at"),
            Event.sequence,
            Event.cancelled_at.is_not(None).label("cancelled"),
            asked.label("targets_total"),
            newest.label("newest_broadcast"),
            EventPushStats.success_count,
            EventPushStats.fail_count,
            type_coerce(EventPushStats.last_sent_at, Text).label("last_sent_at"),
        )
        .outerjoin(EventPushStats, EventPushStats.event_id == Event.id)
        .where(Event.id == event_id)
    )


def _sent_more(before: EventState, basics: EventBasics) -> bool:
    old = before.basics
    return before.sending or (old.newest_broadcast, old.push_stats) != (basics.newest_broadcast, basics.push_stats)


def _push(tx: ReadTx, event_id: int) -> dict[str, int] | None:
    found = broadcast.totals(tx, [event_id]).get(event_id)
    return None if found is None else asdict(found)
