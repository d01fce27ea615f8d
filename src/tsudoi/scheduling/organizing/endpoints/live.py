from collections.abc import Sequence
from functools import partial

from fastapi import APIRouter

from tsudoi.access.api_description import raises
from tsudoi.access.event_stream import DescribedStream, EventStream, LiveSource, event_stream
from tsudoi.access.guard import RuntimeDep
from tsudoi.access.principals import still_allowed
from tsudoi.scheduling.organizing.endpoints.reading import ThreadId
from tsudoi.scheduling.organizing.queries.live import thread_pulse
from tsudoi.scheduling.organizing.rules.live import body
from tsudoi.scheduling.organizing.schemas.board import ThreadLive
from tsudoi.scheduling.organizing.service.following import ThreadReader
from tsudoi.scheduling.outcomes.service import subject_of
from tsudoi.scheduling.principals import OrganizerDep
from tsudoi.scheduling.thread.errors import NoSuchThread
from tsudoi.scheduling.wire import ThreadRoute

router = APIRouter(prefix="/api/threads", tags=["scheduling"], route_class=ThreadRoute)


@router.get(
    "/{thread_id}/live",
    summary="Follow a thread as it changes",
    response_class=DescribedStream,
    response_model=ThreadLive,
    response_description="A stream; each `data:` line holds this as JSON.",
    responses=raises(NoSuchThread),
)
async def live(thread_id: ThreadId, organizer: OrganizerDep, runtime: RuntimeDep) -> EventStream:
    """Server-sent events: `snapshot` at the beginning, then `update` whenever something changes.

    They say that the board has to be loaded again, and not what is new in it. The stream ends by itself after some
    minutes, and when the log-in ends; a browser's EventSource reconnects.
    """
    db = runtime.db
    await db.read(thread_pulse, thread_id)
    source = LiveSource(
        subject=subject_of(thread_id),
        make_reader=partial(ThreadReader, db, thread_id),
        items_after=_nothing_missed,
        render=body,
    )
    # A client that reconnects loads the board again, so that it does not matter how far it had come.
    return event_stream(runtime.feeds, source, None, lambda: db.read(still_allowed, organizer))


async def _nothing_missed(_mark: int, _limit: int) -> Sequence[None]:
    return ()
