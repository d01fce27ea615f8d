import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel
from starlette.responses import Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import require_json
from tsudoi.access.stepped_writes import SteppedWriteDep, WriteSteps
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import InvalidInput
from tsudoi.core.idempotency import InFlight
from tsudoi.core.runtime import Runtime
from tsudoi.events.event.errors import EventCancelled
from tsudoi.events.planning import service
from tsudoi.events.planning.endpoints import sending
from tsudoi.events.planning.errors import AlreadyStarted, NobodyToAdd, NobodyToRemind, StaleEvent
from tsudoi.events.planning.rules.draft import read_changes
from tsudoi.events.planning.schemas import CancellationIn, ChangeIn, NoticeSent, ReminderIn, TargetsIn, given_in
from tsudoi.events.planning.service import Decision, Dispatch
from tsudoi.line.delivery.errors import QuotaExceeded

router = APIRouter(prefix="/api/admin/events", tags=["events"], dependencies=[Depends(require_json)])

EventId = Annotated[int, Path(ge=1, le=2**53, description="The event.")]
Wait = sending.Wait
_WAIT = sending.LONGEST_WAIT


@router.post(
    "/{event_id}/targets",
    status_code=201,
    summary="Invite further people",
    response_model=NoticeSent,
    responses=raises(NobodyToAdd, EventCancelled, AlreadyStarted, QuotaExceeded, InFlight),
)
async def add_targets(event_id: EventId, body: TargetsIn, write: SteppedWriteDep, wait: Wait = _WAIT) -> Response:
    """They get the same invitation. 400 names unknown or unreachable members; 409 if all are invited already."""
    steps = sending.notice_steps(
        write,
        wait,
        lambda tx: _number(tx, event_id, lambda: service.to_add(tx, event_id, body.member_ids)),
        lambda tx, dispatch: service.add_targets(tx, dispatch, event_id, body.member_ids),
        confirmed=body.confirm_over_quota,
    )
    return await write.run(_content(body), steps)


@router.post(
    "/{event_id}/reminders",
    status_code=201,
    summary="Remind those who have not answered",
    response_model=NoticeSent,
    responses=raises(NobodyToRemind, EventCancelled, AlreadyStarted, QuotaExceeded, InFlight),
)
async def remind(event_id: EventId, body: ReminderIn, write: SteppedWriteDep, wait: Wait = _WAIT) -> Response:
    """At most one reminder per event, member and day. 409 `NOBODY_TO_REMIND`, `EVENT_OVER` or `EVENT_CANCELLED`."""
    steps = sending.notice_steps(
        write,
        wait,
        lambda tx: _number(tx, event_id, lambda: service.to_remind(tx, event_id, body.member_ids)),
        lambda tx, dispatch: service.remind(tx, dispatch, event_id, body.member_ids),
        confirmed=body.confirm_over_quota,
    )
    return await write.run(_content(body), steps)


@router.patch(
    "/{event_id}",
    summary="Change title, time or text",
    response_model=NoticeSent,
    responses=raises(EventCancelled, StaleEvent, QuotaExceeded, InFlight),
)
async def change(event_id: EventId, body: ChangeIn, write: SteppedWriteDep, wait: Wait = _WAIT) -> Response:
    """Only the fields that are sent are changed; the old values are kept in the audit trail.

    With `notify` the invited members are told what has changed. 409 `EVENT_CANCELLED`, or with `sequence`
    `CHANGED_MEANWHILE`: somebody else has changed the event, and nothing was changed now.
    """
    given = given_in(body)
    # Escaped to ASCII, because it is not checked yet whether the text can be encoded as UTF-8.
    content = json.dumps(given, sort_keys=True).encode()
    dispatch = sending.dispatch_of(write, wait)
    prepare = partial(_prepared_change, write.runtime, dispatch, event_id, given)
    afterwards = partial(sending.notice_sent, write.runtime, dispatch, wait)
    return await write.run(content, WriteSteps(prepare, sending.RESULT, afterwards))


@router.post(
    "/{event_id}/cancellation",
    summary="Cancel an event",
    response_model=NoticeSent,
    responses=raises(EventCancelled, QuotaExceeded, InFlight),
)
async def cancel(event_id: EventId, body: CancellationIn, write: SteppedWriteDep, wait: Wait = _WAIT) -> Response:
    """Answers are kept, and no more are accepted; unsent messages are withdrawn. 409 when it is cancelled already."""
    steps = sending.notice_steps(
        write,
        wait,
        lambda tx: _audience(tx, event_id) if body.notify else 0,
        lambda tx, dispatch: service.cancel_event(tx, dispatch, event_id, body.reason or None, notify=body.notify),
        confirmed=body.confirm_over_quota,
    )
    return await write.run(_content(body), steps)


@asynccontextmanager
async def _prepared_change(
    runtime: Runtime, dispatch: Dispatch, event_id: int, given: dict[str, Any]
) -> AsyncIterator[Callable[[Tx], Decision]]:
    """Checked here, so that a repeated request is not refused because its new time has passed meanwhile."""
    changes, faults = read_changes(given, runtime.db.clock.now())
    if changes is None:
        raise InvalidInput(details=faults)
    people = await runtime.db.read(_audience, event_id) if changes.notify else 0
    allowed = await sending.within_quota(runtime, dispatch, people, confirmed=changes.confirm_over_quota)
    yield lambda tx: service.change_event(
        tx, allowed, event_id, changes.values, notify=changes.notify, sequence=changes.sequence
    )


def _audience(tx: ReadTx, event_id: int) -> int:
    service.open_event(tx, event_id, may_be_over=True)
    return len(service.to_notify(tx, event_id))


def _number(tx: ReadTx, event_id: int, people: Callable[[], Sequence[object]]) -> int:
    """Checks first that the event is open, so that this error comes before the one about the quota."""
    service.open_event(tx, event_id)
    return len(people())


def _content(body: BaseModel) -> bytes:
    """The body as it was sent, because a missing field is not the same as an empty one."""
    return body.model_dump_json(exclude_unset=True).encode()
