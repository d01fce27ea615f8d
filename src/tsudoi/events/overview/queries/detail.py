from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import Row, select

from tsudoi.access.admins.models import AdminUser
from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.events.answers.queries import status_rows
from tsudoi.events.answers.rules import shown
from tsudoi.events.broadcast import queries as broadcast
from tsudoi.events.broadcast.models import EventPushStats
from tsudoi.events.event.queries import event_of


def event_detail(tx: ReadTx, event_id: int, as_of: datetime | None) -> bytes:
    """The JSON of `EventDetail`, written directly from the rows.

    Creating a model for each of ten thousand people would take most of the time.
    """
    refuse_future(tx, as_of)
    event = event_of(tx, event_id)
    rows: Sequence[Any] = status_rows(tx, event_id, as_of)
    push = broadcast.totals(tx, [event_id]).get(event_id)
    counted = Counter([row[2] for row in rows])
    return orjson.dumps(
        {
            **_head(event),
            "targets_total": len(rows),
            "push_stats": _push_stats(tx, event_id),
            "current_status": [
                {
                    "member_id": member_id,
                    "name": name,
                    "status": status,
                    "extra_text": extra_text,
                    "responded_at": responded_at and shown(responded_at),
                    "via": via,
                    "withdrawn": bool(withdrawn),
                }
                for member_id, name, status, extra_text, responded_at, via, _response_id, withdrawn in rows
            ],
            "created_by": tx.scalar(select(AdminUser.username).where(AdminUser.id == event.created_by_admin)),
            "counts": {status: counted[status] for status in ("attend", "absent", "pending")},
            "push": push and asdict(push),
            "as_of": as_of and jst_text(as_of),
        }
    )


def refuse_future(tx: ReadTx, as_of: datetime | None) -> None:
    """Raise for a time in the future. A time means its whole second, so the current second is allowed."""
    if as_of is not None and as_of.replace(microsecond=0) > tx.now:
        raise InvalidInput("未来の時点は指定できません。", [Detail("as_of", "IN_FUTURE")])


def _head(event: Row[Any]) -> dict[str, Any]:
    return {
        "id": event.id,
        "title": event.title,
        "held_at": jst_text(event.held_at),
        "body": event.body,
        "image_url": event.image_url,
        "image_preview_url": event.image_preview_url,
        "extra_text": {
            "enabled": bool(event.extra_text_enabled),
            "label": event.extra_text_label,
            "attend_only": bool(event.extra_text_attend_only),
        },
        "created_at": jst_text(event.created_at),
        "updated_at": jst_text(event.updated_at),
        "cancelled_at": event.cancelled_at and jst_text(event.cancelled_at),
        "cancel_reason": event.cancel_reason,
        "sequence": event.sequence,
        "deadline_at": event.deadline_at and jst_text(event.deadline_at),
        "place": event.place,
        "end_at": event.end_at and jst_text(event.end_at),
    }


def _push_stats(tx: ReadTx, event_id: int) -> dict[str, Any] | None:
    columns = (EventPushStats.success_count, EventPushStats.fail_count, EventPushStats.last_sent_at)
    found = tx.execute(select(*columns).where(EventPushStats.event_id == event_id)).first()
    if found is None:
        return None
    last_sent_at = jst_text(found.last_sent_at)
    return {"success": found.success_count, "fail": found.fail_count, "last_sent_at": last_sent_at}
