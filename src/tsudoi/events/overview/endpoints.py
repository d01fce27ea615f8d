from datetime import date, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from pydantic import BeforeValidator
from starlette.responses import StreamingResponse

from tsudoi.access.downloads import XLSX, download
from tsudoi.access.guard import AdminDep, DatabaseDep
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.events.overview import service
from tsudoi.events.overview.queries import export
from tsudoi.events.overview.queries.detail import event_detail
from tsudoi.events.overview.queries.history import history_page
from tsudoi.events.overview.queries.listing import Filters, event_page
from tsudoi.events.overview.rules import day_of, moment_of
from tsudoi.events.overview.schemas import EventDetail, EventPage, HistoryPage

router = APIRouter(prefix="/api/admin/events", tags=["events"])

EventId = Annotated[int, Path(ge=1, le=2**53, description="The event.")]
Day = Annotated[date | None, BeforeValidator(day_of)]
AsOf = Annotated[
    datetime | None,
    BeforeValidator(moment_of),
    Query(description="Show the state at this past time, such as `2025-09-01T12:00:00+09:00`."),
]
Cursor = Annotated[str | None, Query(max_length=500, description="`next_cursor` of the page before.")]


@router.get("", summary="Events")
async def events(
    _admin: AdminDep,
    db: DatabaseDep,
    first_day: Annotated[Day, Query(alias="from", description="Held on this day (JST) or later.")] = None,
    last_day: Annotated[Day, Query(alias="to", description="Held on this day (JST) or earlier.")] = None,
    query: Annotated[
        str, Query(max_length=100, pattern="^[^\\x00]*$", description="A part of the title, in upper or lower case.")
    ] = "",
    order: Annotated[
        Literal["held_at", "-held_at"], Query(description="`-held_at`: the latest date first.")
    ] = "-held_at",
    limit: Annotated[int, Query(ge=1, le=200, description="Events per page.")] = 50,
    cursor: Cursor = None,
) -> EventPage:
    """Events by date, with the results of the invitations and the number of each answer."""
    if first_day and last_day and first_day > last_day:
        raise InvalidInput("期間の始まりが終わりより後になっています。", [Detail("to", "BEFORE_FROM")])
    filters = Filters(first_day, last_day, query.strip(), newest_first=order == "-held_at")
    return await db.read(event_page, filters, limit, cursor)


@router.get("/{event_id}", summary="One event and all answers", response_model=EventDetail)
async def event(event_id: EventId, _admin: AdminDep, db: DatabaseDep, as_of: AsOf = None) -> Response:
    """The event and the newest answer of every invited member, in roster order; with `as_of`, the answers at that time.

    `as_of` applies to the answers and to the invited members; the event itself is shown as it is now.
    """
    return Response(await db.read(event_detail, event_id, as_of), media_type="application/json")


@router.get("/{event_id}/history", summary="Every answer ever given")
async def history(
    event_id: EventId,
    _admin: AdminDep,
    db: DatabaseDep,
    member_id: Annotated[int | None, Query(ge=1, le=2**53, description="Only this member's answers.")] = None,
    limit: Annotated[int, Query(ge=1, le=500, description="Answers per page.")] = 100,
    cursor: Cursor = None,
) -> HistoryPage:
    """All recorded answers: first the newest of each member, then the earlier ones, both with the last recorded first.

    An answer is never changed: a new one is added. New answers do not shift the pages.
    """
    return await db.read(history_page, event_id, member_id, limit, cursor)


def _described(media_type: str, example: str) -> dict[int | str, dict[str, Any]]:
    binary = {"format": "binary"} if media_type == XLSX else {}
    content = {media_type: {"schema": {"type": "string", **binary}, "example": example}}
    return {200: {"description": "The file.", "content": content}}


@router.get(
    "/{event_id}/export/latest.csv",
    summary="Current answers as CSV",
    response_class=Response,
    responses=_described("text/csv", "member_id,name,status,extra_text\r\n101,山田太郎,attend,少し遅れます\r\n"),
)
async def latest_csv(event_id: EventId, admin: AdminDep, db: DatabaseDep, as_of: AsOf = None) -> StreamingResponse:
    """All invited members in roster order, as UTF-8 with BOM and CRLF for Excel. The download is audited."""
    names = await db.write(service.note_export, event_id, "latest", "csv", as_of, admin.actor)
    return download(await db.read(export.latest_csv, event_id, as_of), names, "text/csv; charset=utf-8")


@router.get(
    "/{event_id}/export/latest.xlsx",
    summary="Current answers as a workbook",
    response_class=Response,
    responses=_described(XLSX, "(a workbook)"),
)
async def latest_xlsx(event_id: EventId, admin: AdminDep, db: DatabaseDep, as_of: AsOf = None) -> StreamingResponse:
    """The same data for Excel, with Japanese headings and words. The download is audited."""
    names = await db.write(service.note_export, event_id, "latest", "xlsx", as_of, admin.actor)
    return download(await db.read(export.latest_xlsx, event_id, as_of), names, XLSX)


@router.get(
    "/{event_id}/export/history.csv",
    summary="Every answer as CSV",
    response_class=Response,
    responses=_described(
        "text/csv",
        "response_id,responded_at,member_id,name,status,extra_text\r\n"
        "9001,2025-09-01T12:00:00+09:00,101,山田太郎,attend,少し遅れます\r\n",
    ),
)
async def history_csv(event_id: EventId, admin: AdminDep, db: DatabaseDep, as_of: AsOf = None) -> StreamingResponse:
    """Every answer (given until `as_of`), by time, as UTF-8 with BOM and CRLF for Excel. The download is audited."""
    names = await db.write(service.note_export, event_id, "history", "csv", as_of, admin.actor)
    return download(await db.read(export.history_csv, event_id, as_of), names, "text/csv; charset=utf-8")


@router.get(
    "/{event_id}/export/history.xlsx",
    summary="Every answer as a workbook",
    response_class=Response,
    responses=_described(XLSX, "(a workbook)"),
)
async def history_xlsx(event_id: EventId, admin: AdminDep, db: DatabaseDep, as_of: AsOf = None) -> StreamingResponse:
    """The same data for Excel, with Japanese headings and words. The download is audited."""
    names = await db.write(service.note_export, event_id, "history", "xlsx", as_of, admin.actor)
    return download(await db.read(export.history_xlsx, event_id, as_of), names, XLSX)
