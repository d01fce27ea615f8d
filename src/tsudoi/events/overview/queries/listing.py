from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Any

from sqlalchemy import Row, Select, Text, case, func, select, tuple_, type_coerce
from sqlalchemy.dialects.postgresql import distinct_on

from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.events.answers.models import EventResponse
from tsudoi.events.broadcast import queries as broadcast
from tsudoi.events.broadcast.models import EventPushStats
from tsudoi.events.event.models import Event, EventTarget
from tsudoi.events.overview.schemas import EventListItem, EventPage, ListedPushStats
from tsudoi.roster.members.rules import search_key

_held_at = type_coerce(Event.held_at, Text)


@dataclass(frozen=True, slots=True)
class Filters:
    """Which events the office wants to see, and in which order."""

    first_day: date | None
    last_day: date | None
    words: str
    newest_first: bool


def event_page(tx: ReadTx, filters: Filters, limit: int, cursor: str | None) -> EventPage:
    page = _page(filters, cursor)
    if wanted := search_key(filters.words):
        # No database folds Japanese text, so the titles are compared here.
        titles = tx.execute(_narrowed(select(Event.id, Event.title), filters, cursor))
        matching = (row.id for row in titles if wanted in search_key(row.title))
        page = page.where(Event.id.in_(list(islice(matching, limit + 1))))
    rows = tx.execute(page.limit(limit + 1)).all()
    items = _list_items(tx, rows[:limit])
    more = encode_cursor(items[-1].held_at, items[-1].id) if len(rows) > limit else None
    return EventPage(items=items, next_cursor=more)


def next_events(tx: ReadTx, limit: int) -> list[EventListItem]:
    """The nearest events that are still to come and not cancelled."""
    filters = Filters(None, None, "", newest_first=False)
    coming = _page(filters, None).where(_held_at >= jst_text(tx.now), Event.cancelled_at.is_(None))
    return _list_items(tx, tx.execute(coming.limit(limit)).all())


def _list_items(tx: ReadTx, rows: Sequence[Row[Any]]) -> list[EventListItem]:
    """The rows as list items; the numbers are counted for all rows at once."""
    counts = _counts(tx, [row.id for row in rows])
    sent = {row.id: row.success_count + row.fail_count for row in rows if row.last_sent_at is not None}
    still = broadcast.unsettled(tx, sent)
    waiting = broadcast.announced(tx, [row.id for row in rows if row.id not in sent])
    items = [_list_item(row, counts.get(row.id, (0, 0, 0)), still.get(row.id, (0, 0))) for row in rows]
    return [item.model_copy(update={"waits_to_be_sent": True}) if item.id in waiting else item for item in items]


def _page(filters: Filters, cursor: str | None) -> Select[*tuple[Any, ...]]:
    statement: Select[*tuple[Any, ...]] = select(
        Event.id,
        Event.title,
        _held_at.label("held_at"),
        Event.image_preview_url,
        Event.cancelled_at.is_not(None).label("cancelled"),
        EventPushStats.success_count,
        EventPushStats.fail_count,
        type_coerce(EventPushStats.last_sent_at, Text).label("last_sent_at"),
    ).outerjoin(EventPushStats, EventPushStats.event_id == Event.id)
    return _narrowed(statement, filters, cursor)


def _narrowed(statement: Select[*tuple[Any, ...]], filters: Filters, cursor: str | None) -> Select[*tuple[Any, ...]]:
    """The events of the period that come after the cursor, in their order."""
    if filters.first_day is not None:
        statement = statement.where(_held_at >= f"{filters.first_day}T00:00:00+09:00")
    if filters.last_day is not None:
        statement = statement.where(_held_at <= f"{filters.last_day}T23:59:59+09:00")
    place = tuple_(_held_at, Event.id)
    if cursor is not None:
        last = tuple_(*decode_cursor(cursor, str, int))
        statement = statement.where(place < last if filters.newest_first else place > last)
    columns = (_held_at, Event.id)
    return statement.order_by(*(column.desc() if filters.newest_first else column.asc() for column in columns))


def _counts(tx: ReadTx, event_ids: Sequence[int]) -> dict[int, tuple[int, int, int]]:
    """(invited, attend, absent) by event: one statement for the whole page."""
    asked = (_asked_in_bulk if tx.dialect == "postgresql" else _asked_one_by_one)(event_ids).subquery()
    statement = select(
        asked.c.event_id,
        func.count().label("asked"),
        func.count(case((asked.c.status == "attend", 1))).label("attend"),
        func.count(case((asked.c.status == "absent", 1))).label("absent"),
    ).group_by(asked.c.event_id)
    return {row.event_id: (row.asked, row.attend, row.absent) for row in tx.execute(statement)} if event_ids else {}


def _asked_one_by_one(event_ids: Sequence[int]) -> Select[int, str]:
    """SQLite looks up each newest answer through the index; the bulk statement is far slower there."""
    newest = (
        select(EventResponse.status)
        .where(EventResponse.event_id == EventTarget.event_id, EventResponse.member_id == EventTarget.member_id)
        .order_by(EventResponse.responded_at.desc(), EventResponse.id.desc())
        .limit(1)
        .correlate(EventTarget)
        .scalar_subquery()
    )
    return select(EventTarget.event_id, newest.label("status")).where(EventTarget.event_id.in_(event_ids))


def _asked_in_bulk(event_ids: Sequence[int]) -> Select[int, str]:
    """PostgreSQL reads all newest answers at once, in less than half the time."""
    whose = (EventResponse.event_id, EventResponse.member_id)
    newest = (
        select(*whose, EventResponse.status)
        .ext(distinct_on(*whose))
        .where(EventResponse.event_id.in_(event_ids))
        .order_by(*whose, EventResponse.responded_at.desc(), EventResponse.id.desc())
        .subquery()
    )
    mine = (newest.c.event_id == EventTarget.event_id) & (newest.c.member_id == EventTarget.member_id)
    return (
        select(EventTarget.event_id, newest.c.status).outerjoin(newest, mine).where(EventTarget.event_id.in_(event_ids))
    )


def _list_item(row: Row[Any], counted: tuple[int, int, int], still: tuple[int, int]) -> EventListItem:
    (asked, attend, absent), (unknown, pending) = counted, still
    return EventListItem(
        id=row.id,
        title=row.title,
        held_at=row.held_at,
        image_preview_url=row.image_preview_url,
        push_stats=None
        if row.last_sent_at is None
        else ListedPushStats(
            success=row.success_count,
            fail=row.fail_count,
            last_sent_at=row.last_sent_at,
            unknown=unknown,
            pending=pending,
        ),
        cancelled=row.cancelled,
        targets_total=asked,
        attend=attend,
        absent=absent,
        pending=asked - attend - absent,
    )
