from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path

from tsudoi.access.event_stream import DescribedStream, EventStream, LastEventId, LiveSource, event_stream
from tsudoi.access.guard import AdminDep, DatabaseDep, RuntimeDep
from tsudoi.access.principals import still_allowed
from tsudoi.events.event.queries import event_of
from tsudoi.events.live import queries, rules
from tsudoi.events.live.schemas import LiveUpdate
from tsudoi.events.live.service import EventReader

router = APIRouter(prefix="/api/admin/events", tags=["events"])

EventId = Annotated[int, Path(ge=1, le=2**53, description="The event.")]


@router.get(
    "/{event_id}/live",
    summary="Follow the answers as they come",
    response_class=DescribedStream,
    response_model=LiveUpdate,
    response_description="A stream; each `data:` line holds this as JSON.",
)
async def live(
    event_id: EventId, admin: AdminDep, db: DatabaseDep, runtime: RuntimeDep, last_event_id: LastEventId = None
) -> EventStream:
    """Server-sent events: `snapshot` at the beginning, then `answers` whenever something changes.

    The stream ends by itself after some minutes, and when the log-in ends; a browser's EventSource reconnects and
    receives what it missed.
    """
    await db.read(event_of, event_id)
    source = LiveSource(
        subject=("event", event_id),
        make_reader=partial(EventReader, db, event_id),
        items_after=lambda mark, limit: db.read(queries.answers_after, event_id, mark, limit),
        render=rules.body,
        update_name="answers",
    )
    return event_stream(runtime.feeds, source, last_event_id, lambda: db.read(still_allowed, admin))
