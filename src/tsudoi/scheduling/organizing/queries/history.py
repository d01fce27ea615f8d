"""The answers that were ever given to a thread."""

from datetime import datetime
from typing import Any

from sqlalchemy import Select, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.scheduling.organizing.queries.thread import thread_row
from tsudoi.scheduling.organizing.rules.past import PastAnswer
from tsudoi.scheduling.organizing.schemas.board import HistoryEntry, ThreadHistory
from tsudoi.scheduling.thread.models import ThreadAnswer


def thread_history(tx: ReadTx, thread_id: str, limit: int, cursor: str | None) -> ThreadHistory:
    """The newest first."""
    thread_row(tx, thread_id)
    statement = _answers(thread_id).order_by(ThreadAnswer.id.desc())
    if cursor is not None:
        statement = statement.where(ThreadAnswer.id < decode_cursor(cursor, int)[0])
    rows = tx.execute(statement.limit(limit + 1)).mappings().all()
    entries = [HistoryEntry(**{name: row[name] for name in HistoryEntry.model_fields}) for row in rows[:limit]]
    return ThreadHistory(entries=entries, next_cursor=encode_cursor(entries[-1].id) if len(rows) > limit else None)


def answers_until(tx: ReadTx, thread_id: str, moment: datetime) -> list[PastAnswer]:
    """In the order in which they were given."""
    statement = _answers(thread_id).where(ThreadAnswer.answered_at <= moment).order_by(ThreadAnswer.id)
    return [
        PastAnswer(
            key=row.invitee_key,
            name=row.name,
            status=row.status,
            slots=row.slots,
            comment=row.comment,
            via=row.via,
            answered_by=row.answered_by,
            answered_at=row.answered_at,
        )
        for row in tx.execute(statement)
    ]


def _answers(thread_id: str) -> Select[Any]:
    return select(ThreadAnswer).where(ThreadAnswer.thread_id == thread_id)
