"""`POST /i/{token}/respond`: as JSON, and as the form of the page."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tsudoi.access.api_description import raises
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import InvalidInput, Problem, RateLimited
from tsudoi.core.idempotency import InFlight, Reply
from tsudoi.core.rate_limit import Limit
from tsudoi.core.runtime import Runtime
from tsudoi.scheduling.delivery.service.enqueueing import message_settings
from tsudoi.scheduling.invitations.endpoints.pages import invitation_page, problem_page
from tsudoi.scheduling.invitations.endpoints.reading import Token
from tsudoi.scheduling.invitations.errors import NotDecidedYet, SlotsNotSeen
from tsudoi.scheduling.invitations.queries.own import own_invitation
from tsudoi.scheduling.invitations.rules.forms import (
    answer_of,
    form_fields,
    late_answer_of,
    typed_form,
    unchosen_slots,
)
from tsudoi.scheduling.invitations.rules.wording import JAPAN, known_zone
from tsudoi.scheduling.invitations.schemas import (
    AnswerStored,
    InvitationAnswer,
    LateAnswer,
    LateAnswerStored,
    OwnInvitation,
)
from tsudoi.scheduling.invitations.service.answering import answer
from tsudoi.scheduling.invitations.service.late import answer_late
from tsudoi.scheduling.outcomes.service import subject_of
from tsudoi.scheduling.principals import Invitee
from tsudoi.scheduling.thread.errors import (
    InvitationExpired,
    NoSuchInvitation,
    OneSlotOnly,
    SlotPast,
    ThreadCancelled,
    ThreadFinalized,
    UnknownSlot,
)
from tsudoi.scheduling.wire import ThreadWriteRoute

# Nobody changes an answer more often than this, however often the page is reloaded.
ANSWERS_OF_ONE = (
    Limit("thread-answer", 30, timedelta(minutes=1)),
    Limit("thread-answer-day", 300, timedelta(days=1)),
)
ANSWER_ERRORS = (InvitationExpired, ThreadFinalized, ThreadCancelled, UnknownSlot, SlotPast, OneSlotOnly)
_FORM_TYPE = "application/x-www-form-urlencoded"
_FORM = {
    "requestBody": {
        "content": {
            _FORM_TYPE: {
                "schema": {"type": "object", "additionalProperties": {"type": "string"}},
                "example": {"status": "selected", "slot-0b9d3f8e-6a4e-4f9c-9a51-2f6f0d9b1e47": "yes", "comment": ""},
            }
        }
    }
}
_LATE_FORM = {
    "requestBody": {
        "content": {
            _FORM_TYPE: {
                "schema": {"type": "object", "additionalProperties": {"type": "string"}},
                "example": {"coming": "yes", "comment": ""},
            }
        }
    }
}
# The reader's time zone, in the query of the page and of its form.
ZONE = "tz"
# The statuses with which the page of the invitation itself is shown again.
_AT_THE_FORM = (400, 409, 410, 429)


def _is_form(request: Request) -> bool:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower() == _FORM_TYPE


class AnswerRoute(ThreadWriteRoute):
    """Takes JSON or the form. A browser is sent back to the page, and sees its mistakes there."""

    error_pages = True
    limits_per_principal = ANSWERS_OF_ONE

    def require_type(self, request: Request) -> None:
        """The token in the address proves everything and no cookie is read, so that a form is as safe as JSON."""
        if not _is_form(request):
            super().require_type(request)

    def parse(self, request: Request, content: bytes) -> Any:
        if not _is_form(request):
            return super().parse(request, content)
        fields = form_fields(content)
        if unchosen := unchosen_slots(fields):
            raise SlotsNotSeen(unchosen)
        return answer_of(fields)

    def as_response(self, request: Request, reply: Reply) -> Response:
        if not _is_form(request):
            return super().as_response(request, reply)
        zone = known_zone(request.query_params.get(ZONE, ""))
        query = urlencode({"saved": 1} | ({} if zone == JAPAN else {ZONE: zone}))
        return RedirectResponse(f"/i/{quote(request.path_params['token'], safe='')}?{query}", 303)

    async def error_response(self, request: Request, problem: Problem) -> Response:
        if not _is_form(request):
            return await super().error_response(request, problem)
        if problem.status not in _AT_THE_FORM:
            return problem_page(request, problem)
        return await _form_again(request, problem)


router = APIRouter(prefix="/i", tags=["scheduling"], route_class=AnswerRoute)


@router.post(
    "/{token}/respond",
    summary="Answer an invitation by its link",
    responses={
        303: {"description": "A form is answered with the way back to the page."},
        **raises(NoSuchInvitation, *ANSWER_ERRORS, InFlight, RateLimited),
    },
    openapi_extra=_FORM,
)
def respond(
    tx: Tx,
    invitee: Invitee,
    runtime: Runtime,
    token: Token,  # noqa: ARG001 (the principal reads it)
    body: InvitationAnswer,
) -> AnswerStored:
    """Store the answer; the newest one counts. It may decide the date in the same transaction.

    The token is the whole proof: no cookie and no Origin are needed. A form with the controls of the page does the
    same; it is shown again with a question while offered slots have no mark, unless it has `confirm_unchosen=1`.
    410 `INVITE_EXPIRED`; 409 `THREAD_FINALIZED`, `THREAD_CANCELLED`; 400 `UNKNOWN_SLOT`, `SLOT_PAST`, `ONE_SLOT_ONLY`.
    """
    common = message_settings(runtime.settings)
    stored = answer(tx, common, invitee.thread_id, invitee.invitee_key, body, via="link", answered_by=None)
    tx.after_commit(partial(runtime.feeds.nudge, subject_of(invitee.thread_id)))
    return stored


class LateRoute(AnswerRoute):
    """The same for the form of a date that is decided."""

    def parse(self, request: Request, content: bytes) -> Any:
        return late_answer_of(form_fields(content)) if _is_form(request) else super().parse(request, content)


late_router = APIRouter(prefix="/i", tags=["scheduling"], route_class=LateRoute)


@late_router.post(
    "/{token}/late",
    summary="Answer after the decision by the link",
    responses={
        303: {"description": "A form is answered with the way back to the page."},
        **raises(NoSuchInvitation, NotDecidedYet, ThreadCancelled, InFlight, RateLimited),
    },
    openapi_extra=_LATE_FORM,
)
def respond_late(
    tx: Tx,
    invitee: Invitee,
    runtime: Runtime,
    token: Token,  # noqa: ARG001 (the principal reads it)
    body: LateAnswer,
) -> LateAnswerStored:
    """Whether the person comes on the date that is decided. The decision stays; the person is told the date, once.

    409 `NOT_DECIDED` before the decision, and `THREAD_CANCELLED`.
    """
    common = message_settings(runtime.settings)
    stored = answer_late(tx, common, invitee.thread_id, invitee.invitee_key, body, via="link", answered_by=None)
    tx.after_commit(partial(runtime.feeds.nudge, subject_of(invitee.thread_id)))
    return stored


async def _form_again(request: Request, problem: Problem) -> Response:
    """The page as it is now, with what was typed and what is wrong with it."""
    runtime: Runtime = request.app.state.runtime
    try:
        invitee, seen = await runtime.db.read(_own, request, runtime)
    except NoSuchInvitation as unknown:
        return problem_page(request, unknown)
    zone = request.query_params.get(ZONE, "")
    form = typed_form(_readable_fields(await request.body()), problem.details, problem.message)
    if isinstance(problem, SlotsNotSeen):
        asking = replace(form, wrong={}, unchosen=problem.slot_ids)
        return invitation_page(runtime.settings, invitee, seen, asking, status=problem.status, zone=zone)
    if not isinstance(problem, InvalidInput):
        form = replace(form, wrong={})
    said = problem.message
    return invitation_page(runtime.settings, invitee, seen, form, status=problem.status, zone=zone, notice=said)


def _readable_fields(content: bytes) -> list[tuple[str, str]]:
    """Nothing, where the body itself is what is wrong."""
    try:
        return form_fields(content)
    except InvalidInput:
        return []


def _own(tx: ReadTx, request: Request, runtime: Runtime) -> tuple[Invitee, OwnInvitation]:
    invitee = Invitee.authenticate(tx, Invitee.read_credentials(request, runtime.settings))
    common = message_settings(runtime.settings)
    return invitee, own_invitation(tx, invitee.thread_id, invitee.invitee_key, common)
