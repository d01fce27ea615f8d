from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, Text, and_, case, func, literal, or_, select, type_coerce

from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.outbox.table import DONE, FAILED, UNKNOWN
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk, EventDelivery
from tsudoi.events.broadcast.queries import state
from tsudoi.events.event.models import Event
from tsudoi.events.event.rules import first_not_over
from tsudoi.events.home.schemas import TroubledEvent
from tsudoi.line.delivery.rules import QUOTA
from tsudoi.roster.members.models import Member
from tsudoi.roster.members.queries import roster_order

_MOST_TROUBLES = 20
_MOST_NAMES = 10
_LOOK_BACK = timedelta(days=30)


def troubles(tx: ReadTx) -> list[TroubledEvent]:
    """Cancelled events come first, because people who were not told of the cancellation go there in vain."""
    status = state()
    kept_back = and_(status == FAILED, func.coalesce(EventDelivery.last_error, EventChunk.last_error) == QUOTA)
    cancelled = Event.cancelled_at.is_not(None)
    statement = (
        select(
            Event.id.label("event_id"),
            Event.title,
            Event.held_at,
            case((cancelled, 1), else_=0).label("cancelled"),
            func.count(case((status == FAILED, 1))).label("fail"),
            func.count(case((status == UNKNOWN, 1))).label("unknown"),
            func.count(case((status.not_in((FAILED, UNKNOWN)), 1))).label("pending"),
            func.count(case((kept_back, 1))).label("kept_back"),
        )
        .where(*_not_told(tx))
        .group_by(Event.id, Event.title, Event.held_at, cancelled)
        .order_by(case((cancelled, 0), else_=1), Event.id.desc())
        .limit(_MOST_TROUBLES)
    )
    found = tx.execute(_of_recipients(statement)).mappings().all()
    names = _names(tx, [row["event_id"] for row in found if row["cancelled"]])
    return [
        TroubledEvent(**{**row, "held_at": jst_text(row["held_at"])}, not_told=names[row["event_id"]]) for row in found
    ]


def _of_recipients(statement: Select[Any]) -> Select[Any]:
    return (
        statement.select_from(EventDelivery)
        .join(Event, Event.id == EventDelivery.event_id)
        .join(EventChunk, EventChunk.id == EventDelivery.chunk_id)
        .join(EventBroadcast, EventBroadcast.id == EventDelivery.broadcast_id)
    )


def _not_told(tx: ReadTx) -> tuple[ColumnElement[bool], ...]:
    """Messages that did not go out and that still matter; of a cancelled event, only those that say so."""
    since, today = (literal(jst_text(day), Text) for day in (tx.now - _LOOK_BACK, first_not_over(tx.now)))
    held_at = type_coerce(Event.held_at, Text)
    return (
        # Chunks are few, so they narrow the search: all recipients of a chunk that is DONE got the message.
        EventChunk.status != DONE,
        state() != DONE,
        EventDelivery.resent_by.is_(None),
        or_(
            and_(Event.cancelled_at.is_(None), held_at >= since),
            and_(Event.cancelled_at.is_not(None), EventBroadcast.kind == "cancel", held_at >= today),
        ),
    )


def _names(tx: ReadTx, event_ids: Sequence[int]) -> dict[int, list[str]]:
    """By event, the first of those of whom it is not known that they were told, in roster order."""
    found: dict[int, list[str]] = defaultdict(list)
    if not event_ids:
        return found
    place = func.row_number().over(partition_by=EventDelivery.event_id, order_by=roster_order())
    listed = (
        _of_recipients(select(EventDelivery.event_id, Member.name, place.label("place")))
        .join(Member, Member.id == EventDelivery.member_id)
        .where(*_not_told(tx), EventDelivery.event_id.in_(event_ids), state().in_((FAILED, UNKNOWN)))
        .subquery()
    )
    statement = select(listed.c.event_id, listed.c.name).where(listed.c.place <= _MOST_NAMES)
    for row in tx.execute(statement.order_by(listed.c.event_id, listed.c.place)):
        found[row.event_id].append(row.name)
    return found
