"""What events store about a member. Who was invited and how many came stays; texts and LINE ids go."""

from sqlalchemy import ColumnElement, and_, or_, select

from tsudoi.core.outbox.table import IS_PENDING
from tsudoi.core.person_data import PersonTable
from tsudoi.events.answers.models import EventResponse
from tsudoi.events.broadcast.models import EventChunk, EventDelivery
from tsudoi.events.broadcast.rules import WAITING
from tsudoi.events.calendar_keys.models import CalendarRenewal
from tsudoi.events.event.models import EventTarget


def _unsent() -> ColumnElement[bool]:
    pending = select(EventChunk.id).where(EventChunk.status == IS_PENDING)
    return or_(
        EventDelivery.status == IS_PENDING, and_(EventDelivery.status == WAITING, EventDelivery.chunk_id.in_(pending))
    )


EVENT_TABLES = (
    PersonTable(
        # The trigger of this table lets a text go only after the member was erased, so the roster comes first.
        EventResponse,
        "出欠の回答",
        lambda ids: EventResponse.member_id.in_(ids.member_ids),
        "blanked",
        lambda _now: {"extra_text": None},
    ),
    PersonTable(
        EventDelivery,
        "イベントの案内の送信",
        lambda ids: EventDelivery.member_id.in_(ids.member_ids) | EventDelivery.line_user_id.in_(ids.line_user_ids),
        "blanked",
        lambda _now: {"line_user_id": ""},
        hidden=frozenset({"lease_token", "retry_key"}),
        obstacle=_unsent,
        obstacle_reason="送信を待っています。送り終わってからお試しください",
    ),
    PersonTable(EventTarget, "イベントへの招待", lambda ids: EventTarget.member_id.in_(ids.member_ids), "kept"),
    PersonTable(
        CalendarRenewal, "カレンダーの鍵", lambda ids: CalendarRenewal.member_id.in_(ids.member_ids), "deleted"
    ),
)
