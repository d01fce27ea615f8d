"""`GET /i/{token}/calendar.ics`: the decided date for the own calendar."""

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from tsudoi.access.guard import RuntimeDep
from tsudoi.scheduling.delivery.service.enqueueing import message_settings
from tsudoi.scheduling.invitations.endpoints.pages import PageRoute, html_responses
from tsudoi.scheduling.invitations.endpoints.reading import Token
from tsudoi.scheduling.invitations.queries.calendar import own_calendar
from tsudoi.scheduling.principals import InviteeDep

router = APIRouter(prefix="/i", tags=["scheduling"], route_class=PageRoute)

_EXAMPLE = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:PUBLISH\r\n…\r\nEND:VCALENDAR\r\n"
_CALENDAR: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "An iCalendar file with the decided date.",
        "content": {"text/calendar": {"schema": {"type": "string"}, "example": _EXAMPLE}},
    }
}


@router.get(
    "/{token}/calendar.ics",
    summary="The decided date for the calendar",
    response_class=Response,
    responses=_CALENDAR | html_responses(404, 409, 503),
)
async def calendar_file(token: Token, invitee: InviteeDep, runtime: RuntimeDep) -> Response:  # noqa: ARG001 (the principal reads it)
    """The date as an iCalendar file, once it is decided; before that 404, and 409 for a cancelled thread."""
    common = message_settings(runtime.settings)
    content = await runtime.db.read(own_calendar, common, invitee.thread_id, invitee.invitee_key)
    headers = {"Content-Disposition": 'attachment; filename="nittei.ics"'}
    return Response(content, headers=headers, media_type="text/calendar; charset=utf-8")
