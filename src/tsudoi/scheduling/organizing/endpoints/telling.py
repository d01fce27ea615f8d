"""Changes of a thread of which people are told. Over LINE's monthly limit the organiser has to confirm them once.

After that, what LINE refuses goes on by mail, or is shown as a call that the office has to make.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, TypeAdapter
from starlette.responses import Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import require_json
from tsudoi.access.stepped_writes import SteppedWrite, SteppedWriteDep, WriteSteps
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.idempotency import InFlight
from tsudoi.line.delivery.errors import QuotaExceeded
from tsudoi.line.delivery.jobs import ask_room
from tsudoi.roster.audiences.errors import UnknownAudiences, UnknownMembers
from tsudoi.scheduling.delivery.rules.messages import MessageSettings
from tsudoi.scheduling.delivery.service.enqueueing import message_settings
from tsudoi.scheduling.organizing import errors
from tsudoi.scheduling.organizing.endpoints.admitting import AdmittedRoute
from tsudoi.scheduling.organizing.endpoints.reading import ThreadId
from tsudoi.scheduling.organizing.schemas import requests
from tsudoi.scheduling.organizing.schemas.responses import InviteesAdded, SlotsAdded, ThreadChanged
from tsudoi.scheduling.organizing.service import changing, finalizing, invitees, slots
from tsudoi.scheduling.outcomes.service import subject_of
from tsudoi.scheduling.principals import Organizer, OrganizerDep
from tsudoi.scheduling.thread.errors import (
    NoSuchThread,
    RuleNotSatisfied,
    SlotPast,
    ThreadCancelled,
    ThreadFinalized,
    UnknownSlot,
)

router = APIRouter(
    prefix="/api/threads", tags=["scheduling"], route_class=AdmittedRoute, dependencies=[Depends(require_json)]
)

_CHANGED = TypeAdapter(ThreadChanged)
_CLOSED = (NoSuchThread, ThreadFinalized, ThreadCancelled)
_LIMITED = (QuotaExceeded, InFlight)


class TellingOrder(Protocol):
    """An order of the office after which people are told."""

    @property
    def confirm_over_quota(self) -> bool: ...


R = TypeVar("R", bound=BaseModel)
B = TypeVar("B", bound=TellingOrder)


@dataclass(frozen=True, slots=True)
class TellingWrite:
    """One request of an organiser about one thread, after which people are told."""

    request: Request
    thread_id: str
    organizer: Organizer
    write: SteppedWrite

    async def run(
        self,
        order: B,
        by_line: Callable[[ReadTx, MessageSettings, str, B], int],
        verb: Callable[[Tx, MessageSettings, Organizer, str, B], R],
        result: TypeAdapter[R],
    ) -> Response:
        """`by_line`: how many would be told by LINE. LINE is asked before the transaction, what its limit leaves."""
        runtime, common = self.write.runtime, message_settings(self.write.runtime.settings)

        @asynccontextmanager
        async def prepare() -> AsyncIterator[Callable[[Tx], R]]:
            people = await runtime.db.read(by_line, common, self.thread_id, order)
            if people:
                await ask_room(runtime, people, confirmed=order.confirm_over_quota)
            yield lambda tx: verb(tx, common, self.organizer, self.thread_id, order)

        async def afterwards(changed: R) -> R:
            runtime.work.send()
            runtime.feeds.nudge(subject_of(self.thread_id))
            return changed

        return await self.write.run(await self.request.body(), WriteSteps(prepare, result, afterwards))


@router.post(
    "/{thread_id}/send",
    summary="Send the invitations of a draft",
    response_model=ThreadChanged,
    responses=raises(
        NoSuchThread, ThreadCancelled, errors.NotADraft, errors.NothingToAsk, errors.DeadlineIsOver, *_LIMITED
    ),
)
async def send(
    request: Request, thread_id: ThreadId, body: requests.SendOrder, organizer: OrganizerDep, write: SteppedWriteDep
) -> Response:
    """The thread becomes active, and everybody is told. The time to answer begins now.

    409 `QUOTA_EXCEEDED`: LINE's monthly limit is too low; send `confirm_over_quota` to go on anyway.
    """
    telling = TellingWrite(request, thread_id, organizer, write)
    return await telling.run(body, changing.draft_by_line, changing.send_thread, _CHANGED)


@router.post(
    "/{thread_id}/finalize",
    summary="Decide the date by hand",
    response_model=ThreadChanged,
    responses=raises(*_CLOSED, RuleNotSatisfied, errors.StillADraft, UnknownSlot, SlotPast, *_LIMITED),
)
async def finalize(
    request: Request, thread_id: ThreadId, body: requests.FinalizeOrder, organizer: OrganizerDep, write: SteppedWriteDep
) -> Response:
    """A slot that does not fulfil the rule needs a `reason`; otherwise 409 with the evaluation in the body.

    The same slot again changes nothing. Everybody who was asked is told, unless `notify` is false. 409
    `QUOTA_EXCEEDED`: LINE's monthly limit is too low; send `confirm_over_quota` to go on anyway.
    """
    telling = TellingWrite(request, thread_id, organizer, write)
    return await telling.run(body, finalizing.decision_by_line, finalizing.finalize, _CHANGED)


@router.post(
    "/{thread_id}/cancel",
    summary="End a thread without a date",
    response_model=ThreadChanged,
    responses=raises(NoSuchThread, *_LIMITED),
)
async def cancel_thread(
    request: Request, thread_id: ThreadId, body: requests.CancelOrder, organizer: OrganizerDep, write: SteppedWriteDep
) -> Response:
    """After a decision too: the decision stays on record, and calendars take the date back.

    409 `QUOTA_EXCEEDED`: LINE's monthly limit is too low; send `confirm_over_quota` to go on anyway.
    """
    telling = TellingWrite(request, thread_id, organizer, write)
    return await telling.run(body, finalizing.cancellation_by_line, finalizing.cancel_thread, _CHANGED)


@router.post(
    "/{thread_id}/reopen",
    summary="Take a decision back",
    response_model=ThreadChanged,
    responses=raises(NoSuchThread, ThreadCancelled, errors.NotDecided, *_LIMITED),
)
async def reopen(
    request: Request, thread_id: ThreadId, body: requests.ReopenOrder, organizer: OrganizerDep, write: SteppedWriteDep
) -> Response:
    """People may answer again, and keep the answers that they gave. Who had no time left gets 72 hours.

    409 `QUOTA_EXCEEDED`: LINE's monthly limit is too low; send `confirm_over_quota` to go on anyway.
    """
    telling = TellingWrite(request, thread_id, organizer, write)
    return await telling.run(body, finalizing.reopening_by_line, finalizing.reopen, _CHANGED)


@router.post(
    "/{thread_id}/slots",
    status_code=201,
    summary="Add slots",
    response_model=SlotsAdded,
    responses=raises(*_CLOSED, errors.TooManySlots, errors.DeadlineIsOver, *_LIMITED),
)
async def add_slots(
    request: Request, thread_id: ThreadId, body: requests.SlotsToAdd, organizer: OrganizerDep, write: SteppedWriteDep
) -> Response:
    """Those who have answered are asked for the new slots only, unless `notify` is false.

    409 `QUOTA_EXCEEDED`: LINE's monthly limit is too low; send `confirm_over_quota` to go on anyway.
    """
    telling = TellingWrite(request, thread_id, organizer, write)
    return await telling.run(body, slots.new_slots_by_line, slots.add_slots, TypeAdapter(SlotsAdded))


@router.post(
    "/{thread_id}/invitees",
    status_code=201,
    summary="Ask further people",
    response_model=InviteesAdded,
    responses=raises(
        *_CLOSED, UnknownAudiences, UnknownMembers, errors.TooManyPeople, errors.DeadlineIsOver, *_LIMITED
    ),
)
async def add_invitees(
    request: Request, thread_id: ThreadId, body: requests.InviteesToAdd, organizer: OrganizerDep, write: SteppedWriteDep
) -> Response:
    """Who is in the thread already keeps the link and is asked again; who declined, only with `force`.

    After the decision only with `after_decision`: new people are told the date, and may answer late.

    409 `QUOTA_EXCEEDED`: LINE's monthly limit is too low; send `confirm_over_quota` to go on anyway.
    """
    telling = TellingWrite(request, thread_id, organizer, write)
    return await telling.run(body, invitees.invitations_by_line, invitees.add_invitees, TypeAdapter(InviteesAdded))
