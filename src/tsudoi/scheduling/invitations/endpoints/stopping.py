"""`/i/{token}/unsubscribe`: no more mails about this thread, with one click and without logging in (RFC 8058).

`/i/{token}/resubscribe` takes that back; the page of the invitation offers it to people who have stopped the mails.
"""

from fastapi import APIRouter
from starlette.responses import Response

from tsudoi.access.guard import RuntimeDep
from tsudoi.scheduling.invitations.endpoints.pages import PageRoute, html_responses, page
from tsudoi.scheduling.invitations.endpoints.reading import Token
from tsudoi.scheduling.invitations.queries.own import stopped_thread
from tsudoi.scheduling.invitations.service.stopping import resume_mails, stop_mails
from tsudoi.scheduling.outcomes.service import subject_of
from tsudoi.scheduling.principals import Invitee, InviteeDep, StoppingInviteeDep

router = APIRouter(prefix="/i", tags=["scheduling"], route_class=PageRoute)

_PAGES = html_responses(200, 404, 503)
_CHANGES = html_responses(200, 404, 429, 503)


@router.get("/{token}/unsubscribe", summary="Stop mails: the page", response_class=Response, responses=_PAGES)
async def ask(token: Token, invitee: InviteeDep, runtime: RuntimeDep) -> Response:  # noqa: ARG001 (the principal reads it)
    """A page with a button. It changes nothing, because mail programs open links by themselves."""
    return await _page(invitee, runtime)


@router.post(
    "/{token}/unsubscribe", summary="Stop mails about this thread", response_class=Response, responses=_CHANGES
)
async def stop(token: Token, invitee: StoppingInviteeDep, runtime: RuntimeDep) -> Response:  # noqa: ARG001 (the principal reads it)
    """Mail programs post `List-Unsubscribe=One-Click` here, the page's button nothing. Twice is the same as once."""
    await runtime.db.write(stop_mails, invitee)
    runtime.feeds.nudge(subject_of(invitee.thread_id))
    return await _page(invitee, runtime)


@router.get("/{token}/resubscribe", summary="Start mails again: the page", response_class=Response, responses=_PAGES)
async def ask_again(token: Token, invitee: InviteeDep, runtime: RuntimeDep) -> Response:  # noqa: ARG001 (the principal reads it)
    """Somebody reloads the page that confirmed it. It changes nothing."""
    return await _page(invitee, runtime, resumed=True)


@router.post("/{token}/resubscribe", summary="Start stopped mails again", response_class=Response, responses=_CHANGES)
async def resume(token: Token, invitee: StoppingInviteeDep, runtime: RuntimeDep) -> Response:  # noqa: ARG001 (the principal reads it)
    """The next message goes by mail again. What was not sent meanwhile is not sent belatedly."""
    await runtime.db.write(resume_mails, invitee)
    runtime.feeds.nudge(subject_of(invitee.thread_id))
    return await _page(invitee, runtime, resumed=True)


async def _page(invitee: Invitee, runtime: RuntimeDep, *, resumed: bool = False) -> Response:
    title, stopped = await runtime.db.read(stopped_thread, invitee.invite_id)
    return page(
        "stopping.html",
        title=title,
        stopped=stopped,
        resumed=resumed,
        organisation=runtime.settings.organisation_name,
        path=f"/i/{invitee.credentials.token}",
        name=invitee.name,
    )
