from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Depends, Path
from starlette.responses import Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import AdminDep, RuntimeDep, require_json
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.core.runtime import Runtime
from tsudoi.events.event.errors import EventCancelled
from tsudoi.events.event.queries import event_of
from tsudoi.events.event.rules import Links
from tsudoi.events.planning import queries, service
from tsudoi.events.planning.endpoints import sending
from tsudoi.events.planning.errors import AlreadyStarted
from tsudoi.events.planning.rules import notices
from tsudoi.events.planning.rules.draft import read_changes, read_draft, readable_ids
from tsudoi.events.planning.rules.notices import EVENT_ID_PLACEHOLDER, Messages
from tsudoi.events.planning.rules.reach import TO_CALL, WHY_NOT, Person, not_seen, target_faults
from tsudoi.events.planning.schemas import DraftIn, NoticePreviewIn, Preview, given_in
from tsudoi.line.delivery.jobs import ask_cost
from tsudoi.line.delivery.rules import Cost

router = APIRouter(prefix="/api/admin/events", tags=["events"], dependencies=[Depends(require_json)])

# Returns why this person does not get the message, or None.
WhyNot = Callable[[Person], str | None]

EventId = Annotated[int, Path(ge=1, le=2**53, description="The event.")]

_CHANGING = ("title", "held_at", "body")


@router.post("/preview", summary="Preview an event before it is created", response_model=Preview)
async def preview(body: DraftIn, _admin: AdminDep, runtime: RuntimeDep) -> Response:
    """Who would get which messages, who cannot be reached and why, and how much quota it uses. Changes nothing."""
    draft, faults = read_draft(given_in(body), runtime.db.clock.now())
    wanted = readable_ids(body.target_member_ids)
    people = await runtime.db.read(queries.people, wanted)
    faults += _unknown("target_member_ids", wanted, people)
    if faults or draft is None:
        raise InvalidInput(details=faults)
    link = sending.links_of(runtime).to(EVENT_ID_PLACEHOLDER)
    messages = [{"type": "image"}, *notices.invitation(draft.body, None, link)]
    return await _shown(runtime, people, messages, _why_not_invited)


@router.post(
    "/{event_id}/preview",
    summary="Preview a notice before it is sent",
    response_model=Preview,
    responses=raises(EventCancelled, AlreadyStarted),
)
async def preview_notice(event_id: EventId, body: NoticePreviewIn, _admin: AdminDep, runtime: RuntimeDep) -> Response:
    """The same for a reminder, a change, a cancellation, a late invitation, or a resend. Changes nothing.

    For a reminder all members are listed who have not answered, with the reason for those who do not get it. A change
    without a difference has no recipients and no messages. 409 `EVENT_CANCELLED`, and `EVENT_OVER` for reminders and
    late invitations.
    """
    people, messages, why_not = await runtime.db.read(_notice, event_id, body, sending.links_of(runtime))
    return await _shown(runtime, people, messages, why_not)


async def _shown(runtime: Runtime, people: Sequence[Person], messages: Messages, why_not: WhyNot) -> Response:
    reached = [one for one in people if why_not(one) is None]
    missed = [(one, reason) for one in people if (reason := why_not(one)) is not None]
    cost = await ask_cost(runtime, len(reached))
    unseen = not_seen(reached, cost.left)
    body = {
        "recipients_total": len(reached),
        "recipients": [{"member_id": one.member_id, "name": one.name, "blocked": one.blocked} for one in reached],
        "unreachable": _named(missed),
        "ways": {
            "line": len(reached) - len(unseen),
            "mail": 0,
            "call": sum(reason in TO_CALL for _, reason in (*missed, *unseen)),
        },
        "not_reached": _named([*missed, *unseen]),
        "messages": messages,
        "quota": _quota(cost),
    }
    return Response(orjson.dumps(body), media_type="application/json")


def _named(people: Sequence[tuple[Person, str]]) -> list[dict[str, object]]:
    return [
        {"member_id": one.member_id, "name": one.name, "reason": reason, "reason_text": WHY_NOT[reason]}
        for one, reason in people
    ]


def _why_not_invited(person: Person) -> str | None:
    return person.why_not


def _why_unreachable(person: Person) -> str | None:
    """Members who were invited before get messages even if they are no targets any more."""
    return None if person.why_not == "NOT_TARGET" else person.why_not


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
    """All of these members; an unknown id is an error, as it is when sending."""
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
        return found.people, found.messages, _why_unreachable
    event = service.open_event(tx, event_id, may_be_over=body.kind in ("change", "cancel"))
    link = links.to(event_id)
    if body.kind == "reminder":
        people, reminded = service.unanswered_people(tx, event_id, body.member_ids)
        return people, notices.reminder(event.title, event.held_at, link), partial(_why_not_reminded, reminded)
    if body.kind == "late":
        people = _people(tx, "member_ids", service.to_add(tx, event_id, body.member_ids or ()))
        return people, notices.later_invitation(event, link), _why_not_invited
    if body.kind == "change":
        messages = _change(tx, event, body, link)
        return service.invited(tx, event_id) if messages else [], messages, _why_unreachable
    messages = notices.cancellation(event.title, event.held_at, body.reason or None)
    return service.invited(tx, event_id), messages, _why_unreachable


def _why_not_reminded(reminded: set[int], person: Person) -> str | None:
    return _why_unreachable(person) or ("REMINDED_TODAY" if person.member_id in reminded else None)


def _change(tx: ReadTx, event: Any, body: NoticePreviewIn, link: str) -> Messages:
    """The messages about a change; empty if nothing differs."""
    given = {name: value for name, value in given_in(body).items() if name in _CHANGING}
    changes, faults = read_changes(given, tx.now)
    if changes is None:
        raise InvalidInput(details=faults)
    old = {name: getattr(event, name) for name in _CHANGING}
    new = notices.changed(old, changes.values)
    if all((old[name] or "") == (new[name] or "") for name in _CHANGING):
        return []
    return notices.change(old, new, link)
