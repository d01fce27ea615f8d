from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response

from tsudoi.access.guard import AdminDep, DatabaseDep, RuntimeDep, SettingsDep, current_visitor
from tsudoi.access.principals import Visitor
from tsudoi.events.calendar import queries

liff = APIRouter(prefix="/api/liff/events", tags=["liff"])
admin = APIRouter(prefix="/api/admin/events", tags=["events"])

EventId = Annotated[int, Path(ge=1, le=2**53, description="The event.")]
Key = Annotated[
    str | None,
    Query(min_length=1, max_length=200, description="The member's key for this event, for programs without a session."),
]
_TYPE = "text/calendar"
_EXAMPLE = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Tsudoi//Tsudoi//JA
CALSCALE:GREGORIAN
METHOD:PUBLISH
BEGIN:VEVENT
SUMMARY:理事会9月
DTSTART:20250910T100000Z
DTEND:20250910T110000Z
DTSTAMP:20250816T030000Z
UID:0b7cbf1e-5d3c-5a53-9a53-0c9e1f8d2b64
SEQUENCE:0
STATUS:CONFIRMED
END:VEVENT
END:VCALENDAR
""".replace("\n", "\r\n")
_CALENDAR: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "An iCalendar file with the one event.",
        "content": {_TYPE: {"schema": {"type": "string"}, "example": _EXAMPLE}},
    }
}


async def visitor_without_key(
    request: Request,
    runtime: RuntimeDep,
    key: Key = None,
    x_line_user_id: Annotated[
        str | None,
        Header(description="The caller's LINE user id. It must agree with the session and proves nothing alone."),
    ] = None,
) -> Visitor | None:
    """A calendar program that has the key needs no session; all other callers need one."""
    return None if key is not None else await current_visitor(request, runtime, x_line_user_id=x_line_user_id)


@liff.get("/{event_id}.ics", summary="Calendar file", response_class=Response, responses=_CALENDAR)
async def member_file(
    event_id: EventId,
    db: DatabaseDep,
    settings: SettingsDep,
    visitor: Annotated[Visitor | None, Depends(visitor_without_key)],
    key: Key = None,
) -> Response:
    """The event as an iCalendar file, for an invited member or for a calendar program that has the member's key.

    403 `NOT_REGISTERED`: the LINE user is no member yet. 403 `NOT_INVITED`.
    404: there is no such event, or the key is wrong, was renewed, or belongs to a member who has withdrawn.
    """
    if visitor is None:
        return _file(await db.read(queries.for_calendar_program, event_id, key or "", settings), event_id)
    return _file(await db.read(queries.for_member, event_id, visitor.user_id, settings), event_id)


@admin.get("/{event_id}/event.ics", summary="Calendar file", response_class=Response, responses=_CALENDAR)
async def office_file(event_id: EventId, _admin: AdminDep, db: DatabaseDep, settings: SettingsDep) -> Response:
    """The event as an iCalendar file; `METHOD:CANCEL` once it is cancelled."""
    return _file(await db.read(queries.for_office, event_id, settings), event_id)


def _file(content: bytes, event_id: int) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="event-{event_id}.ics"', "Cache-Control": "no-store"}
    return Response(content, headers=headers, media_type=f"{_TYPE}; charset=utf-8")
