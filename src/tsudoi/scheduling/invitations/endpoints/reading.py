"""`GET /i/{token}`: the page of an invitation. It never changes anything, because mail programs open links too."""

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Query
from starlette.responses import RedirectResponse, Response

from tsudoi.access.guard import RuntimeDep
from tsudoi.core.errors import NotFound
from tsudoi.scheduling.delivery.service.enqueueing import message_settings
from tsudoi.scheduling.invitations.endpoints.pages import ASSETS, PageRoute, asset, html_responses, invitation_page
from tsudoi.scheduling.invitations.queries.own import own_invitation
from tsudoi.scheduling.invitations.rules.forms import FormState
from tsudoi.scheduling.invitations.schemas import OwnInvitation
from tsudoi.scheduling.principals import InviteeDep

router = APIRouter(prefix="/i", tags=["scheduling"], route_class=PageRoute)

Token = Annotated[str, Path(description="The token of the invitation's link.")]
_FOREVER = "public, max-age=31536000, immutable"
_TEXT = {"schema": {"type": "string"}, "example": "…"}
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The file.", "content": dict.fromkeys(ASSETS.values(), _TEXT)},
    **html_responses(400, 404, 503),
}
_PAGES = html_responses(200, 400, 404, 410, 503)


@router.get("/{token}", summary="The page of an invitation", response_class=Response, responses=_PAGES)
async def invitation(
    token: Token,  # noqa: ARG001 (the principal reads it)
    invitee: InviteeDep,
    runtime: RuntimeDep,
    tz: Annotated[str, Query(max_length=100, description="The reader's time zone, such as `Europe/Berlin`.")] = "",
    saved: Annotated[str, Query(max_length=10, description="`1` after an answer: the page confirms it.")] = "",
) -> Response:
    """What is asked, the own answer, and the form; it needs no script. 410 once it has expired or is cancelled.

    A decided thread shows the result with 200. An unknown token and that of a draft get 404.
    """
    common = message_settings(runtime.settings)
    seen = await runtime.db.read(own_invitation, invitee.thread_id, invitee.invitee_key, common)
    answered = seen.selection.status != "pending" or seen.late_answer is not None
    form, status = stored_form(seen), status_of(seen)
    return invitation_page(
        runtime.settings, invitee, seen, form, status=status, zone=tz, saved=bool(saved) and answered
    )


router.add_api_route("/{token}", invitation, methods=["HEAD"], include_in_schema=False)


@router.get(
    "/{token}/respond",
    status_code=303,
    summary="Back to the page of an invitation",
    response_class=Response,
    responses={200: {"description": "Never."}, **html_responses(404)},
)
async def back(token: Token, _invitee: InviteeDep) -> Response:
    """Somebody reloads the page that was shown after a mistake in the form, so that the browser asks with GET."""
    return RedirectResponse(f"/i/{quote(token, safe='')}", 303)


@router.get(
    "/{token}/late",
    status_code=303,
    summary="Back to the page of an invitation after a late answer",
    response_class=Response,
    responses={200: {"description": "Never."}, **html_responses(404)},
)
async def back_from_late(token: Token, _invitee: InviteeDep) -> Response:
    """As after an answer: the browser asks with GET when somebody reloads the page."""
    return RedirectResponse(f"/i/{quote(token, safe='')}", 303)


@router.get("/assets/{name}", summary="A file of the pages", response_class=Response, responses=_FILE)
async def page_file(name: Annotated[str, Path(description="`page.css`, `zone.js` or `icon.svg`.")]) -> Response:
    """The style sheet, the icon and the one small script of the pages."""
    if name not in ASSETS:
        raise NotFound
    return Response(asset(name), headers={"cache-control": _FOREVER}, media_type=ASSETS[name])


def stored_form(seen: OwnInvitation) -> FormState:
    marks = {slot.slot_id: slot.answer for slot in seen.slots if slot.answer is not None}
    return FormState({} if seen.selection.status == "declined" else marks, seen.selection.comment or "")


def status_of(seen: OwnInvitation) -> int:
    return 410 if seen.why_not in ("EXPIRED", "CANCELLED") else 200
