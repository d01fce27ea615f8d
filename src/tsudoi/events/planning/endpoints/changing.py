import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import BaseModel
from starlette.responses import Response

from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import InvalidInput
from tsudoi.core.idempotency import Reply
from tsudoi.events.planning import service
from tsudoi.events.planning.endpoints.desk import Desk, DeskDep, reply_of
from tsudoi.events.planning.rules.draft import read_changes
from tsudoi.events.planning.schemas import CancellationIn, ChangeIn, ReminderIn, TargetsIn, Told, given_in
from tsudoi.events.planning.service import Made, Office

router = APIRouter(prefix="/api/admin/events", tags=["events"])

EventId = Annotated[int, Path(ge=1, le=2**53, description="The event.")]


@router.post("/{event_id}/targets", status_code=201, summary="Ask further people", response_model=Told)
async def add_targets(event_id: EventId, body: TargetsIn, desk: DeskDep) -> Response:
    """They get the invitation as the others did. 400 names who is unknown or out of reach; 409 if nobody is new."""

    async def work(office: Office) -> Reply:
        made = await _decided(
            desk,
            office,
            lambda tx: _number(tx, event_id, lambda: service.to_add(tx, event_id, body.member_ids)),
            lambda tx, office: service.add_targets(tx, event_id, body.member_ids, office),
            confirmed=body.confirm_over_quota,
        )
        return await _told(desk, made, 201)

    return await desk.once(_content(body), work)


@router.post(
    "/{event_id}/reminders", status_code=201, summary="Remind those who have not answered", response_model=Told
)
async def remind(event_id: EventId, body: ReminderIn, desk: DeskDep) -> Response:
    """One reminder of one event per person and day. 409 `NOBODY_TO_REMIND`, `EVENT_OVER` or `EVENT_CANCELLED`."""

    async def work(office: Office) -> Reply:
        made = await _decided(
            desk,
            office,
            lambda tx: _number(tx, event_id, lambda: service.to_remind(tx, event_id, body.member_ids)),
            lambda tx, office: service.remind(tx, event_id, body.member_ids, office),
            confirmed=body.confirm_over_quota,
        )
        return await _told(desk, made, 201)

    return await desk.once(_content(body), work)


@router.patch("/{event_id}", summary="Change title, time or text", response_model=Told)
async def change(event_id: EventId, body: ChangeIn, desk: DeskDep) -> Response:
    """Only the fields that are sent are changed; what it was before stays in the audit trail.

    With `notify` those who are asked hear what has changed. 409 `EVENT_CANCELLED`, or with
    `sequence` `CHANGED_MEANWHILE`: somebody else was quicker, and nothing was changed.
    """
    given = given_in(body)

    async def work(office: Office) -> Reply:
        made = await desk.runtime.db.read(service.made_before, office) or await _changed(desk, event_id, given, office)
        return await _told(desk, made)

    # Escaped, because this is before anybody has looked whether its letters can be written as UTF-8.
    return await desk.once(json.dumps(given, sort_keys=True).encode(), work)


@router.post("/{event_id}/cancellation", summary="Cancel", response_model=Told)
async def cancel(event_id: EventId, body: CancellationIn, desk: DeskDep) -> Response:
    """Answers are kept, and no more are taken; what was not sent yet stays unsent. 409 when it is cancelled already."""

    async def work(office: Office) -> Reply:
        made = await _decided(
            desk,
            office,
            lambda tx: _audience(tx, event_id) if body.notify else 0,
            lambda tx, office: service.cancel_event(tx, event_id, body.reason or None, office, notify=body.notify),
            confirmed=body.confirm_over_quota,
        )
        return await _told(desk, made)

    return await desk.once(_content(body), work)


async def _changed(desk: Desk, event_id: int, given: dict[str, Any], office: Office) -> Made:
    """Looked at only now: what was in time when it first came may be past when the same request comes again."""
    read, faults = read_changes(given, desk.runtime.db.clock.now())
    if read is None:
        raise InvalidInput(details=faults)
    notify, sequence = read.notify, read.sequence
    return await _decide(
        desk,
        office,
        lambda tx: _audience(tx, event_id) if notify else 0,
        lambda tx, office: service.change_event(tx, event_id, read.values, office, notify=notify, sequence=sequence),
        confirmed=read.confirm_over_quota,
    )


async def _decided(
    desk: Desk, office: Office, cost: Callable[[ReadTx], int], decide: Callable[[Tx, Office], Made], *, confirmed: bool
) -> Made:
    """What this request decided when it first came; otherwise it is decided now, if LINE's limit allows for it."""
    before: Made | None = await desk.runtime.db.read(service.made_before, office)
    if before is not None:
        return before
    return await _decide(desk, office, cost, decide, confirmed=confirmed)


async def _decide(
    desk: Desk,
    office: Office,
    cost: Callable[[ReadTx], int],
    decide: Callable[[Tx, Office], Made],
    *,
    confirmed: bool,
) -> Made:
    office = await desk.within_quota(office, await desk.runtime.db.read(cost), confirmed=confirmed)
    made: Made = await desk.runtime.db.write(decide, office)
    return made


def _audience(tx: ReadTx, event_id: int) -> int:
    service.open_event(tx, event_id, may_be_over=True)
    return len(service.to_tell(tx, event_id))


def _number(tx: ReadTx, event_id: int, people: Callable[[], Sequence[object]]) -> int:
    """What is no longer open is refused as that, and not for what it would cost."""
    service.open_event(tx, event_id)
    return len(people())


async def _told(desk: Desk, made: Made, status: int = 200) -> Reply:
    desk.runtime.feeds.nudge(("event", made.event_id))
    push: dict[str, Any] | None = await desk.send(made) if made.people else None
    return reply_of(status, {"ok": True, "targets": made.people, "push": push})


def _content(body: BaseModel) -> bytes:
    """As it was sent: a field that is left out is not the same as one that is emptied."""
    return body.model_dump_json(exclude_unset=True).encode()
