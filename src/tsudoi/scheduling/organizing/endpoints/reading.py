from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query

from tsudoi.access.api_description import raises
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.holidays import holidays_of
from tsudoi.core.known_times import KnownTime
from tsudoi.core.runtime import Runtime
from tsudoi.scheduling.delivery.service.enqueueing import message_settings
from tsudoi.scheduling.organizing.queries.board import thread_board
from tsudoi.scheduling.organizing.queries.history import thread_history
from tsudoi.scheduling.organizing.queries.listing import ThreadFilters, thread_page
from tsudoi.scheduling.organizing.queries.status import thread_status
from tsudoi.scheduling.organizing.schemas.board import Holiday, Holidays, ThreadBoard, ThreadHistory
from tsudoi.scheduling.organizing.schemas.responses import ThreadPage, ThreadStatus
from tsudoi.scheduling.principals import Organizer
from tsudoi.scheduling.thread.errors import NoSuchThread
from tsudoi.scheduling.thread.rules.texts import WITHOUT_NUL
from tsudoi.scheduling.wire import ThreadWriteRoute

router = APIRouter(prefix="/api/threads", tags=["scheduling"], route_class=ThreadWriteRoute)

calendar_router = APIRouter(prefix="/api/admin/holidays", tags=["scheduling"], route_class=ThreadWriteRoute)

ThreadId = Annotated[str, Path(max_length=100, pattern=WITHOUT_NUL, description="The thread.")]
Cursor = Annotated[str | None, Query(max_length=1_000, description="`next_cursor` of the page before.")]
StatusFilter = Annotated[
    Literal["active", "draft", "cancelled", "finalized"] | None, Query(description="Only threads in this state.")
]


@calendar_router.get("", summary="The public holidays of a year")
def holidays(
    _tx: ReadTx,
    _organizer: Organizer,
    year: Annotated[int, Query(ge=1949, le=2099, description="The year.")],
) -> Holidays:
    """The days and their names in Japanese, for calendars in which somebody chooses days."""
    return Holidays(items=[Holiday(date=day, name=name) for day, name in sorted(holidays_of(year).items())])


@router.get("", summary="All threads, the newest first")
def threads(
    tx: ReadTx,
    _organizer: Organizer,
    status: StatusFilter = None,
    query: Annotated[str, Query(max_length=200, pattern=WITHOUT_NUL, description="Words in the title.")] = "",
    limit: Annotated[int, Query(ge=1, le=100, description="How many of them.")] = 20,
    cursor: Cursor = None,
) -> ThreadPage:
    """Each with how many have answered, and in words where it stands."""
    return thread_page(tx, ThreadFilters(status, query), limit, cursor)


@router.get("/{thread_id}", summary="The board of a thread", responses=raises(NoSuchThread))
def board(
    tx: ReadTx,
    _organizer: Organizer,
    runtime: Runtime,
    thread_id: ThreadId,
    as_of: Annotated[KnownTime | None, Query(description="The answers as they were at this moment.")] = None,
) -> ThreadBoard:
    """People by slots, what the rule says, who is missing, and what became of the messages."""
    return thread_board(tx, message_settings(runtime.settings).links, thread_id, as_of)


@router.get("/{thread_id}/status", summary="Where a thread stands", responses=raises(NoSuchThread))
def status_of_thread(tx: ReadTx, _organizer: Organizer, thread_id: ThreadId) -> ThreadStatus:
    """Document 001. Before the decision `evaluation` says what the rule says now; afterwards, what was decided."""
    return thread_status(tx, thread_id)


@router.get("/{thread_id}/history", summary="Every answer that was given", responses=raises(NoSuchThread))
def history(
    tx: ReadTx,
    _organizer: Organizer,
    thread_id: ThreadId,
    limit: Annotated[int, Query(ge=1, le=200, description="How many of them.")] = 50,
    cursor: Cursor = None,
) -> ThreadHistory:
    """The newest first. Answers stay here when the person or the slot is removed."""
    return thread_history(tx, thread_id, limit, cursor)
