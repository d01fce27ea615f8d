"""The office writes down what somebody said on the telephone."""

from functools import partial

from fastapi import APIRouter, Depends

from tsudoi.access.api_description import raises
from tsudoi.access.guard import RuntimeDep, require_json
from tsudoi.core.db.interface import Tx
from tsudoi.core.idempotency import InFlight
from tsudoi.core.runtime import Runtime
from tsudoi.scheduling.delivery.service.enqueueing import message_settings
from tsudoi.scheduling.invitations.endpoints.member import ThreadId
from tsudoi.scheduling.invitations.errors import NotAnInvitee, NotDecidedYet, NotSentYet
from tsudoi.scheduling.invitations.schemas import (
    AnswerForInvitee,
    AnswerOutcome,
    AnswerStored,
    LateAnswerForInvitee,
    LateAnswerStored,
)
from tsudoi.scheduling.invitations.service.answering import answer_on_behalf, outcome_of_answer
from tsudoi.scheduling.invitations.service.late import answer_late_on_behalf
from tsudoi.scheduling.organizing.endpoints.admitting import AdmittedRoute
from tsudoi.scheduling.outcomes.service import subject_of
from tsudoi.scheduling.principals import Organizer, OrganizerDep
from tsudoi.scheduling.thread.errors import (
    NoSuchThread,
    OneSlotOnly,
    SlotPast,
    ThreadCancelled,
    ThreadFinalized,
    UnknownSlot,
)
from tsudoi.scheduling.wire import ThreadWriteRoute

router = APIRouter(prefix="/api/threads", tags=["scheduling"], route_class=ThreadWriteRoute)
previews = APIRouter(prefix="/api/threads", tags=["scheduling"], route_class=AdmittedRoute)

_ERRORS = (NoSuchThread, NotAnInvitee, NotSentYet, ThreadFinalized, ThreadCancelled, UnknownSlot, SlotPast, OneSlotOnly)


@router.post("/{thread_id}/answers", summary="Answer on behalf of somebody", responses=raises(*_ERRORS, InFlight))
def answer_for_somebody(
    tx: Tx, organizer: Organizer, runtime: Runtime, thread_id: ThreadId, body: AnswerForInvitee
) -> AnswerStored:
    """What somebody said by telephone or on paper. It is marked as such and audited.

    The office may also note it when the person's own time to answer is over, but not once the date is decided.
    """
    common = message_settings(runtime.settings)
    stored = answer_on_behalf(tx, common, thread_id, body, user_id=organizer.user_id, actor=organizer.actor)
    tx.after_commit(partial(runtime.feeds.nudge, subject_of(thread_id)))
    return stored


@router.post(
    "/{thread_id}/late-answers",
    status_code=201,
    summary="Note what somebody says after the decision",
    responses=raises(NoSuchThread, NotAnInvitee, NotDecidedYet, ThreadCancelled, InFlight),
)
def late_answer_for_somebody(
    tx: Tx, organizer: Organizer, runtime: Runtime, thread_id: ThreadId, body: LateAnswerForInvitee
) -> LateAnswerStored:
    """What somebody said by telephone or on paper after the decision. It is marked as late, and the decision stays.

    The person is told the date by LINE or mail, once for each decision.
    """
    common = message_settings(runtime.settings)
    stored = answer_late_on_behalf(tx, common, thread_id, body, user_id=organizer.user_id, actor=organizer.actor)
    tx.after_commit(partial(runtime.feeds.nudge, subject_of(thread_id)))
    return stored


@previews.post(
    "/{thread_id}/answers/preview",
    summary="Preview an answer on behalf of somebody",
    dependencies=[Depends(require_json)],
    responses=raises(*_ERRORS),
)
async def preview_answer(
    thread_id: ThreadId, body: AnswerForInvitee, _organizer: OrganizerDep, runtime: RuntimeDep
) -> AnswerOutcome:
    """Whether recording this answer would decide the date, and how many people would then be told. Stores nothing."""
    common = message_settings(runtime.settings)
    return await runtime.db.read(outcome_of_answer, common, thread_id, body)
