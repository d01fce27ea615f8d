from datetime import timedelta

from sqlalchemy import Text, case, func, literal, select, type_coerce

from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.outbox.table import DONE, FAILED, UNKNOWN
from tsudoi.events.broadcast.models import EventChunk, EventDelivery
from tsudoi.events.broadcast.queries import state
from tsudoi.events.event.models import Event
from tsudoi.events.home.schemas import Home, TroubledEvent
from tsudoi.events.overview.queries.listing import next_events
from tsudoi.roster.linking.queries import link_summary

_SHOWN = 5
_MOST_TROUBLES = 20
_LOOK_BACK = timedelta(days=30)


def home(tx: ReadTx) -> Home:
    summary = link_summary(tx).model_dump()
    return Home(next_events=next_events(tx, _SHOWN), troubles=_troubles(tx), **summary)


def _troubles(tx: ReadTx) -> list[TroubledEvent]:
    status = state()
    since = literal(jst_text(tx.now - _LOOK_BACK), Text)
    statement = (
        select(
            Event.id.label("event_id"),
            Event.title,
            func.count(case((status == FAILED, 1))).label("fail"),
            func.count(case((status == UNKNOWN, 1))).label("unknown"),
            func.count(case((status.not_in((FAILED, UNKNOWN)), 1))).label("pending"),
        )
        .select_from(EventDelivery)
        .join(Event, Event.id == EventDelivery.event_id)
        .join(EventChunk, EventChunk.id == EventDelivery.chunk_id)
        .where(
            # Chunks are few, so they narrow the search: all recipients of a chunk that is DONE got the message.
            EventChunk.status != DONE,
            status != DONE,
            EventDelivery.resent_by.is_(None),
            type_coerce(Event.held_at, Text) >= since,
            Event.cancelled_at.is_(None),
        )
        .group_by(Event.id, Event.title)
        .order_by(Event.id.desc())
        .limit(_MOST_TROUBLES)
    )
    return [TroubledEvent(**row) for row in tx.execute(statement).mappings()]
