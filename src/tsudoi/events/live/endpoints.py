import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Annotated, cast

from fastapi import APIRouter, Header, Path
from starlette.responses import JSONResponse, StreamingResponse
from starlette.types import Send

from tsudoi.access.guard import AdminDep, DatabaseDep, RuntimeDep
from tsudoi.access.principals import Admin, still_allowed
from tsudoi.core.db.interface import Database
from tsudoi.events.event.queries import event_of
from tsudoi.events.live import service
from tsudoi.events.live.rules import mark_of
from tsudoi.events.live.schemas import LiveNews

router = APIRouter(prefix="/api/admin/events", tags=["events"])

EventId = Annotated[int, Path(ge=1, le=2**53, description="The event.")]
# Who has stopped reading without hanging up is let go a little after everybody else.
_PATIENCE = service.LIFE + 30


class EventStream(StreamingResponse):
    media_type = "text/event-stream"

    async def stream_response(self, send: Send) -> None:
        """Leaves the feed at once when the viewer goes, wherever the stream stands at that moment."""
        async with aclosing(cast("AsyncGenerator[bytes, None]", self.body_iterator)):
            with suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE):
                    await super().stream_response(send)


class _Described(JSONResponse):
    """For the API description alone, which then says what the JSON inside the stream looks like."""

    media_type = EventStream.media_type


@router.get(
    "/{event_id}/live",
    summary="Follow the answers as they come",
    response_class=_Described,
    response_model=LiveNews,
    response_description="A stream; each `data:` line holds this as JSON.",
)
async def live(
    event_id: EventId,
    admin: AdminDep,
    db: DatabaseDep,
    runtime: RuntimeDep,
    last_event_id: Annotated[str | None, Header(description="Set by browsers that come back: where to go on.")] = None,
) -> EventStream:
    """Server-sent events: `snapshot` at the beginning, then `answers` whenever something changes.

    Ends by itself after some minutes, and when the log-in is over; a browser's EventSource comes back without loss.
    """
    await db.read(event_of, event_id)
    stream = service.follow(db, runtime.feeds, event_id, mark_of(last_event_id), lambda: _welcome(db, admin))
    return EventStream(stream, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


async def _welcome(db: Database, admin: Admin) -> bool:
    return await db.read(still_allowed, admin)
