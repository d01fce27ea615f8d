from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path

from tsudoi.access.api_description import raises
from tsudoi.core.db.interface import Tx
from tsudoi.core.runtime import Runtime
from tsudoi.roster.event_making import EventMaker
from tsudoi.scheduling.decision.errors import BadRule
from tsudoi.scheduling.organizing import errors
from tsudoi.scheduling.organizing.endpoints.reading import ThreadId
from tsudoi.scheduling.organizing.schemas.requests import (
    EventOrder,
    RuleChange,
    ThreadChange,
)
from tsudoi.scheduling.organizing.schemas.responses import (
    EditedRule,
    EventMade,
    ThreadChanged,
)
from tsudoi.scheduling.organizing.service import changing, eventing, invitees, rule, slots
from tsudoi.scheduling.outcomes.service import subject_of
from tsudoi.scheduling.principals import Organizer
from tsudoi.scheduling.thread.errors import (
    NoSuchThread,
    ThreadCancelled,
    ThreadFinalized,
)
from tsudoi.scheduling.thread.rules.texts import WITHOUT_NUL
from tsudoi.scheduling.wire import ThreadWriteRoute


class EventMadeRoute(ThreadWriteRoute):
    """Answers 200 in place of 201 when the event had been made before."""

    def status_of(self, returned: Any) -> int:
        return 201 if returned.created else 200


router = APIRouter(prefix="/api/threads", tags=["scheduling"], route_class=ThreadWriteRoute)
event_router = APIRouter(prefix="/api/threads", tags=["scheduling"], route_class=EventMadeRoute)

_CLOSED = (NoSuchThread, ThreadFinalized, ThreadCancelled)
_PARTICIPANTS = EventOrder()
SlotId = Annotated[str, Path(max_length=100, pattern=WITHOUT_NUL, description="The slot.")]
InviteeKey = Annotated[str, Path(max_length=100, pattern=WITHOUT_NUL, description="The key of the person.")]


@router.patch("/{thread_id}", summary="Change a thread", responses=raises(*_CLOSED, errors.StaleThread))
def change_thread(
    tx: Tx, organizer: Organizer, runtime: Runtime, thread_id: ThreadId, body: ThreadChange
) -> ThreadChanged:
    """Only the fields that are sent are changed. Nobody is told. A new deadline is one for everybody."""
    _nudge(tx, runtime, thread_id)
    return changing.change_thread(tx, organizer, thread_id, body)


@router.delete(
    "/{thread_id}/slots/{slot_id}",
    status_code=204,
    summary="Remove a slot",
    responses=raises(*_CLOSED, errors.NoSuchThreadSlot, errors.SlotIsFinal),
)
def remove_slot(tx: Tx, organizer: Organizer, runtime: Runtime, thread_id: ThreadId, slot_id: SlotId) -> None:
    """The answers to it are removed too; the history keeps them."""
    _nudge(tx, runtime, thread_id)
    slots.remove_slot(tx, organizer, thread_id, slot_id)


@router.delete(
    "/{thread_id}/invitees/{invitee_key}",
    status_code=204,
    summary="Take somebody off the list",
    responses=raises(*_CLOSED, errors.NoSuchInvitee, errors.RuleNeedsPerson),
)
def remove_invitee(
    tx: Tx, organizer: Organizer, runtime: Runtime, thread_id: ThreadId, invitee_key: InviteeKey
) -> None:
    """The link stops working. The rule no longer names the person, and gets a new version if it did."""
    _nudge(tx, runtime, thread_id)
    invitees.remove_invitee(tx, organizer, thread_id, invitee_key)


@router.put("/{thread_id}/rule", summary="Change the rule", responses=raises(*_CLOSED, BadRule, errors.StaleRule))
def change_rule(tx: Tx, organizer: Organizer, runtime: Runtime, thread_id: ThreadId, body: RuleChange) -> EditedRule:
    """`version` is the one that you saw. A rule that is fulfilled at once decides with the next answer, not before."""
    _nudge(tx, runtime, thread_id)
    return rule.change_rule(tx, organizer, thread_id, body)


@event_router.post(
    "/{thread_id}/event",
    status_code=201,
    summary="Make an event from the decision",
    responses={
        **raises(NoSuchThread, errors.NotDecided, errors.NoMembersTakePart, errors.EventsAreOff),
        200: {"description": "It had been made before.", "model": EventMade},
    },
)
def make_event(
    tx: Tx, organizer: Organizer, runtime: Runtime, thread_id: ThreadId, body: EventOrder = _PARTICIPANTS
) -> EventMade:
    """Without a body for the members who take part; `everybody` takes all members who were asked, with their answers.

    They know the date, so nothing is sent. The second time gives the same event. The calendar file of the event goes
    on with the entry that the members have from the thread. 400 `BEFORE_START` or `TOO_LATE` at `end_at`.
    """
    _nudge(tx, runtime, thread_id)
    return eventing.make_event(tx, runtime.find(EventMaker), organizer, thread_id, body)


def _nudge(tx: Tx, runtime: Runtime, thread_id: str) -> None:
    """Open screens show the change at once."""
    tx.after_commit(partial(runtime.feeds.nudge, subject_of(thread_id)))
