from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Path
from starlette.responses import Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import AdminDep, RuntimeDep
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.core.runtime import Runtime
from tsudoi.events.event.errors import EventCancelled
from tsudoi.events.event.queries import event_of
from tsudoi.events.planning import queries, service
from tsudoi.events.planning.endpoints import sending
from tsudoi.events.planning.errors import AlreadyStarted
from tsudoi.events.planning.rules import notices
from tsudoi.events.planning.rules.draft import read_changes, read_draft, readable_ids
from tsudoi.events.planning.rules.notices import NUMBER_TO_COME, Links, Messages
from tsudoi.events.planning.rules.reach import WHY_NOT, Person, target_faults
from tsudoi.events.planning.schemas import DraftIn, NoticePreviewIn, Preview, given_in
from tsudoi.line.delivery.rules import Cost

router = APIRouter(prefix="/api/admin/events", tags=["events"])

# Why this person does not get it, or None.
WhyNot = Callable[[Person], str | None]

EventId = Annotated[int, Path(ge=1, le=2**53, description="The event.")]

_CHANGING = ("title", "held_at", "body")


@router.post("/preview", summary="See an event before it is created", response_model=Preview)
async def preview(body: DraftIn, _admin: AdminDep, runtime: RuntimeDep) -> Response:
    """Who would be told what, who could not be reached and why, and what it costs of LINE's quota. Changes nothing."""
    draft, faults = read_draft(given_in(body), runtime.db.clock.now())
    wanted = readable_ids(body.target_member_ids)
    people = await runtime.db.read(queries.people, wanted)
    faults += _unknown("target_member_ids", wanted, people)
    if faults or draft is None:
        raise InvalidInput(details=faults)
    messages = [{"type": "image"}, *notices.invitation(draft.body, None, sending.links_of(runtime).to(NUMBER_TO_COME))]
    return await _shown(runtime, people, messages, _not_invited)


@router.post(
    "/{event_id}/preview",
    summary="See a notice before it is sent",
    response_model=Preview,
    responses=raises(EventCancelled, AlreadyStarted),
)
async def preview_notice(event_id: EventId, body: NoticePreviewIn, _admin: AdminDep, runtime: RuntimeDep) -> Response:
    """The same for a reminder, a change, a cancellation, people who are invited later, or a resend. Changes nothing.

    For a reminder everybody is named who has not answered: who gets it, and who does not and why. A change after
    which everything is as it was tells nobody anything: no recipients and no messages. 409
    `EVENT_CANCELLED`, and `EVENT_OVER` for what is only said before the event.
    """
    people, messages, why_not = await runtime.db.read(_notice, event_id, body, sending.links_of(runtime))
    return await _shown(runtime, people, messages, why_not)


async def _shown(runtime: Runtime, people: Sequence[Person], messages: Messages, why_not: WhyNot) -> Response:
    reached = [one for one in people if why_not(one) is None]
    missed = [(one, reason) for one in people if (reason := why_not(one)) is not None]
    body = {
        "recipients_total": len(reached),
        "recipients": [{"member_id": one.member_id, "name": one.name, "blocked": one.blocked} for one in reached],
        "unreachable": [_unreachable(one, reason) for one, reason in missed],
        "messages": messages,
        "quota": _quota(await sending.cost(runtime, len(reached))),
    }
    return Response(orjson.dumps(body), media_type="application/json")


def _not_invited(person: Person) -> str | None:
    return person.why_not


def _cut_off(person: Person) -> str | None:
    """Who was asked before is told as long as that is possible at all."""
    return None if person.why_not == "NOT_TARGET" else person.why_not


def _unreachable(person: Person, reason: str) -> dict[str, object]:
    return {"member_id": person.member_id, "name": person.name, "reason": reason, "reason_text": WHY_NOT[reason]}


def _quota(cost: Cost) -> dict[str, object]:
    quota = cost.quota
    return {
        "known": quota is not None,
        "limit": quota and quota.limit,
        "used": quota and quota.used,
        "promised": cost.promised,
        "left": cost.left,
        "cost": cost.cost,
        "enough": cost.enough,
    }


def _people(tx: ReadTx, field: str, wanted: Sequence[int]) -> list[Person]:
    """Everybody who exists; who does not is an error, as it would be when sending."""
    people = queries.people(tx, wanted)
    faults = _unknown(field, wanted, people)
    if faults:
        raise InvalidInput(details=faults)
    return people


def _unknown(field: str, wanted: Sequence[int], people: Sequence[Person]) -> list[Detail]:
    return [one for one in target_faults(field, wanted, people) if one.reason == "UNKNOWN_MEMBER"]


def _notice(tx: ReadTx, event_id: int, body: NoticePreviewIn, links: Links) -> tuple[list[Person], Messages, WhyNot]:
    if body.kind == "resend":
        found = service.to_resend(tx, event_of(tx, event_id), body.broadcast_id, links)
        return found.people, found.messages, _cut_off
    event = service.open_event(tx, event_id, may_be_over=body.kind in ("change", "cancel"))
    link = links.to(event_id)
    if body.kind == "reminder":
        people, reminded = service.waited_for(tx, event_id, body.member_ids)
        return people, notices.reminder(event.title, event.held_at, link), partial(_not_reminded, reminded)
    if body.kind == "late":
        people = _people(tx, "member_ids", service.to_add(tx, event_id, body.member_ids or ()))
        return people, notices.invitation(event.body, event.image_preview_url, link), _not_invited
    if body.kind == "change":
        messages = _change(tx, event, body, link)
        return service.invited(tx, event_id) if messages else [], messages, _cut_off
    messages = notices.cancellation(event.title, event.held_at, body.reason or None)
    return service.invited(tx, event_id), messages, _cut_off


def _not_reminded(reminded: set[int], person: Person) -> str | None:
    return _cut_off(person) or ("REMINDED_TODAY" if person.member_id in reminded else None)


def _change(tx: ReadTx, event: Any, body: NoticePreviewIn, link: str) -> Messages:
    """None where nothing would be another: then nobody is told anything."""
    given = {name: value for name, value in given_in(body).items() if name in _CHANGING}
    changes, faults = read_changes(given, tx.now)
    if changes is None:
        raise InvalidInput(details=faults)
    old = {name: getattr(event, name) for name in _CHANGING}
    new = old | changes.values
    if all((old[name] or "") == (new[name] or "") for name in _CHANGING):
        return []
    return notices.change(old, new, link)
