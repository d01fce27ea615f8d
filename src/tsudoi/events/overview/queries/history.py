from tsudoi.core.db.interface import ReadTx
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.events.answers.queries import history_rows
from tsudoi.events.answers.rules import shown
from tsudoi.events.event.queries import event_of
from tsudoi.events.overview.schemas import HistoryItem, HistoryPage


def history_page(tx: ReadTx, event_id: int, member_id: int | None, limit: int, cursor: str | None) -> HistoryPage:
    event_of(tx, event_id)
    before = None if cursor is None else int(decode_cursor(cursor, int)[0])
    rows = history_rows(tx, event_id, member_id=member_id, before_id=before, limit=limit + 1)
    items = [
        HistoryItem(
            id=row.id,
            responded_at=shown(row.responded_at),
            member_id=row.member_id,
            name=row.name,
            status=row.status,
            extra_text=row.extra_text,
            via=row.via,
        )
        for row in rows[:limit]
    ]
    return HistoryPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)
