from functools import partial
from typing import Annotated

import orjson
from fastapi import APIRouter, Path
from starlette.responses import Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import DatabaseDep, SettingsDep, VisitorDep
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import RateLimited
from tsudoi.core.idempotency import InFlight
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings
from tsudoi.events.answers import queries, service
from tsudoi.events.answers.errors import NotInvited
from tsudoi.events.answers.rules import PENDING, in_order, shown
from tsudoi.events.answers.schemas import (
    Answer,
    AnswerOnBehalf,
    AnswerRecorded,
    HistoryList,
    MyEventDetail,
    MyEventItem,
    MyEvents,
    StatusList,
)
from tsudoi.events.calendar_keys.queries import calendar_address
from tsudoi.events.event.errors import DeadlinePassed, EventCancelled, EventOver
from tsudoi.events.event.rules import is_over
from tsudoi.roster.members.errors import NotRegistered
from tsudoi.roster.principals import LinkedMember


class EventAnswerRoute(TransactionRoute):
    """The verb counts the answers itself: a count for each of them would make the first few slower."""

    limits_per_principal = ()


EventId = Annotated[int, Path(ge=1, le=2**53, description="The event.")]

writes = APIRouter(prefix="/api/liff/events", tags=["events"], route_class=EventAnswerRoute)
liff = APIRouter(prefix="/api/liff/events", tags=["events"])
admin = APIRouter(prefix="/api/admin/events", tags=["events"], route_class=TransactionRoute)

_MOST_HISTORY = 1_000


@writes.post(
    "/{event_id}/respond",
    status_code=201,
    summary="Answer an invitation",
    responses=raises(NotRegistered, NotInvited, EventCancelled, DeadlinePassed, EventOver, InFlight, RateLimited),
)
def respond(tx: Tx, member: LinkedMember, runtime: Runtime, event_id: EventId, body: Answer) -> AnswerRecorded:
    """Record an answer; the newest one counts. 201 means that it is on disk.

    403 `NOT_REGISTERED`: no member is linked to this LINE user yet. 403 `NOT_INVITED`: the member is not invited.
    404: there is no such event.
    409 `EVENT_CANCELLED`, or `DEADLINE_PASSED` where the event has a deadline. Without one, members may answer as often
    and as long as they like, also after the event. Only with the setting `EVENTS_CLOSE_AFTER_DAY` is an answer refused
    with `EVENT_OVER` once the day of the event is over in Japan.
    429 after 30 answers of one member within a minute; a repeated request with a known key is no further answer.
    """
    close_after_day = runtime.settings.events_close_after_day
    recorded = service.answer(tx, member.member_id, event_id, body, close_after_day=close_after_day)
    tx.after_commit(partial(runtime.feeds.nudge, ("event", event_id)))
    return recorded


@liff.get("", summary="Events that I am invited to")
async def my_events(visitor: VisitorDep, db: DatabaseDep) -> MyEvents:
    """The events that this member is invited to: unanswered first, then by date; past events come last."""
    return await db.read(_my_events, visitor.user_id)


@liff.get("/{event_id}", summary="One event that I am invited to")
async def my_event(event_id: EventId, visitor: VisitorDep, db: DatabaseDep, settings: SettingsDep) -> MyEventDetail:
    """The event and this member's own answer. 403 `NOT_INVITED` or `NOT_REGISTERED`."""
    return await db.read(_my_event, event_id, visitor.user_id, settings)


@liff.get("/{event_id}/status", summary="Current answers of all invited members", response_model=StatusList)
async def status(event_id: EventId, visitor: VisitorDep, db: DatabaseDep) -> Response:
    """The newest answer of every invited member, in roster order. Only invited members may see it."""
    return _json(await db.read(_status, event_id, visitor.user_id))


@liff.get("/{event_id}/history", summary="History of all answers", response_model=HistoryList)
async def history(event_id: EventId, visitor: VisitorDep, db: DatabaseDep) -> Response:
    """The answers, the newest first. Only invited members may see it.

    Of more than a thousand, the newest answer of each member is shown, and as many of the others as there is room for.
    """
    return _json(await db.read(_history, event_id, visitor.user_id))


@admin.post(
    "/{event_id}/answers",
    status_code=201,
    summary="Answer on behalf of a member",
    responses=raises(EventCancelled, InFlight),
)
def answer_on_behalf(tx: Tx, admin: Admin, runtime: Runtime, event_id: EventId, body: AnswerOnBehalf) -> AnswerRecorded:
    """The office answers for a member who called (`via` = `admin`). This is audited.

    The office may also answer after the deadline and after the day of the event, but not after a cancellation.
    """
    recorded = service.answer_on_behalf(tx, event_id, body, admin.actor)
    tx.after_commit(partial(runtime.feeds.nudge, ("event", event_id)))
    return recorded


def _json(items: list[dict[str, object]]) -> Response:
    """Written without models, because creating one for each of thousands of rows would take most of the time."""
    return Response(orjson.dumps({"items": items}), media_type="application/json")


def _my_events(tx: ReadTx, user_id: str) -> MyEvents:
    found = in_order(queries.my_events(tx, queries.member_of(tx, user_id).id), tx.now)
    return MyEvents(
        items=[
            MyEventItem(
                id=event.id,
                title=event.title,
                held_at=jst_text(event.held_at),
                my_status=event.my_status,
                my_responded_at=shown(event.my_responded_at) if event.my_responded_at else None,
                cancelled=event.cancelled,
                over=is_over(event.held_at, tx.now),
            )
            for event in found
        ]
    )


def _my_event(tx: ReadTx, event_id: int, user_id: str, settings: Settings) -> MyEventDetail:
    member = queries.member_of(tx, user_id)
    event = queries.invited_event(tx, event_id, member.id)
    latest = queries.my_latest(tx, event_id, member.id)
    over = is_over(event.held_at, tx.now)
    return MyEventDetail.model_validate(
        {
            **{
                name: getattr(event, name)
                for name in ("id", "title", "body", "image_preview_url", "image_url", "place")
            },
            "held_at": jst_text(event.held_at),
            "extra_text": {
                "enabled": event.extra_text_enabled,
                "label": event.extra_text_label or "",
                "attend_only": event.extra_text_attend_only,
            },
            "my_status": latest.status if latest else PENDING,
            "my_last_extra_text": latest.extra_text if latest else None,
            "my_responded_at": shown(latest.responded_at) if latest else None,
            "my_name": member.name,
            "cancelled": event.cancelled_at is not None,
            "cancel_reason": event.cancel_reason,
            "deadline_at": jst_text(event.deadline_at) if event.deadline_at else None,
            "over": over,
            "closed": over and settings.events_close_after_day,
            "end_at": jst_text(event.end_at) if event.end_at else None,
            "calendar_url": calendar_address(tx, event, member.id, settings),
        }
    )


def _status(tx: ReadTx, event_id: int, user_id: str) -> list[dict[str, object]]:
    queries.invited_event(tx, event_id, queries.member_of(tx, user_id).id)
    return [{"member_id": row[0], "name": row[1], "status": row[2]} for row in queries.status_rows(tx, event_id)]


def _history(tx: ReadTx, event_id: int, user_id: str) -> list[dict[str, object]]:
    queries.invited_event(tx, event_id, queries.member_of(tx, user_id).id)
    return [
        {"responded_at": shown(row[1]), "member_id": row[2], "name": row[3], "status": row[4], "extra_text": row[5]}
        for row in queries.recent_history(tx, event_id, _MOST_HISTORY)
    ]
