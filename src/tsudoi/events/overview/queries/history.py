from typing import Any

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.events.answers.queries import HistoryPlace, history_rows, history_start
from tsudoi.events.answers.rules import shown
from tsudoi.events.event.queries import event_of
from tsudoi.events.overview.schemas import HistoryItem, HistoryPage


def history_page(tx: ReadTx, event_id: int, member_id: int | None, limit: int, cursor: str | None) -> HistoryPage:
    """The newest answer of each member, then all others: so nobody can push the others out of the first pages."""
    event_of(tx, event_id)
    place = history_start(tx, event_id) if cursor is None else _place(cursor)
    rows, newest = list(history_rows(tx, event_id, place, limit + 1, member_id=member_id)), 0
    if not place.earlier:
        newest, beginning = len(rows), HistoryPlace(place.until, earlier=True)
        rows += history_rows(tx, event_id, beginning, limit + 1 - newest, member_id=member_id)
    items = [_item(row) for row in rows[:limit]]
    following = HistoryPlace(place.until, limit > newest, items[-1].id) if len(rows) > limit else None
    return HistoryPage(items=items, next_cursor=None if following is None else encode_cursor(*map(int, following)))


def _place(cursor: str) -> HistoryPlace:
    until, earlier, before_id = map(int, decode_cursor(cursor, int, int, int))
    return HistoryPlace(until, bool(earlier), before_id)


def _item(row: Any) -> HistoryItem:
    return HistoryItem(
        id=row.id,
        responded_at=shown(row.responded_at),
        member_id=row.member_id,
        name=row.name,
        status=row.status,
        extra_text=row.extra_text,
        via=row.via,
    )
