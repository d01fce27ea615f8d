"""The invitation inside LINE, for members."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path

from tsudoi.access.api_description import raises
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import RateLimited
from tsudoi.core.idempotency import InFlight
from tsudoi.core.runtime import Runtime
from tsudoi.roster.members.errors import NotRegistered
from tsudoi.roster.principals import LinkedMember
from tsudoi.scheduling.delivery.service.enqueueing import message_settings
from tsudoi.scheduling.invitations.endpoints.answering import ANSWER_ERRORS, ANSWERS_OF_ONE
from tsudoi.scheduling.invitations.errors import NotDecidedYet
from tsudoi.scheduling.invitations.queries import own
from tsudoi.scheduling.invitations.schemas import (
    AnswerStored,
    InvitationAnswer,
    LateAnswer,
    LateAnswerStored,
    OwnInvitation,
    OwnInvitationList,
)
from tsudoi.scheduling.invitations.service.answering import answer
from tsudoi.scheduling.invitations.service.late import answer_late
from tsudoi.scheduling.outcomes.service import subject_of
from tsudoi.scheduling.thread.errors import NoSuchThread, ThreadCancelled
from tsudoi.scheduling.thread.rules.texts import WITHOUT_NUL
from tsudoi.scheduling.wire import ThreadWriteRoute


class MemberAnswerRoute(ThreadWriteRoute):
    """The same limit as for the link."""

    limits_per_principal = ANSWERS_OF_ONE


reads = APIRouter(prefix="/api/liff/threads", tags=["scheduling"], route_class=ThreadWriteRoute)
writes = APIRouter(prefix="/api/liff/threads", tags=["scheduling"], route_class=MemberAnswerRoute)

ThreadId = Annotated[str, Path(max_length=100, pattern=WITHOUT_NUL, description="The thread.")]


@reads.get("", summary="Threads that I am asked in", responses=raises(NotRegistered))
def own_threads(tx: ReadTx, member: LinkedMember) -> OwnInvitationList:
    """Those to answer first, by their deadlines; then what is decided and to come; then the rest."""
    return own.own_threads(tx, member.member_id)


@reads.get("/{thread_id}", summary="One thread that I am asked in", responses=raises(NotRegistered, NoSuchThread))
def own_thread(tx: ReadTx, member: LinkedMember, runtime: Runtime, thread_id: ThreadId) -> OwnInvitation:
    """The slots and the own answer. 404 for everybody who is not asked, and while it is a draft."""
    common = message_settings(runtime.settings)
    return own.member_invitation(tx, thread_id, member.member_id, common)


@writes.post(
    "/{thread_id}/respond",
    summary="Answer inside LINE",
    responses=raises(NotRegistered, NoSuchThread, *ANSWER_ERRORS, InFlight, RateLimited),
)
def respond_in_line(
    tx: Tx, member: LinkedMember, runtime: Runtime, thread_id: ThreadId, body: InvitationAnswer
) -> AnswerStored:
    """The same as by the link: the newest answer counts, and it may decide the date."""
    key = own.key_of_member(member.member_id)
    own.require_asked(tx, thread_id, key)
    stored = answer(tx, message_settings(runtime.settings), thread_id, key, body, via="line", answered_by=None)
    tx.after_commit(partial(runtime.feeds.nudge, subject_of(thread_id)))
    return stored


@writes.post(
    "/{thread_id}/late",
    summary="Answer after the decision inside LINE",
    responses=raises(NotRegistered, NoSuchThread, NotDecidedYet, ThreadCancelled, InFlight, RateLimited),
)
def respond_late_in_line(
    tx: Tx, member: LinkedMember, runtime: Runtime, thread_id: ThreadId, body: LateAnswer
) -> LateAnswerStored:
    """The same as by the link: the decision stays, and the member is told the date, once."""
    key = own.key_of_member(member.member_id)
    own.require_asked(tx, thread_id, key)
    stored = answer_late(tx, message_settings(runtime.settings), thread_id, key, body, via="line", answered_by=None)
    tx.after_commit(partial(runtime.feeds.nudge, subject_of(thread_id)))
    return stored
