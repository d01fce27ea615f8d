from typing import Any

from fastapi import APIRouter, Depends

from tsudoi.access.api_description import raises
from tsudoi.access.guard import RuntimeDep, require_json
from tsudoi.line.delivery.jobs import ask_cost
from tsudoi.line.delivery.rules import Cost
from tsudoi.roster.audiences.errors import UnknownAudiences
from tsudoi.scheduling.decision.errors import BadRule
from tsudoi.scheduling.delivery.service.enqueueing import message_settings
from tsudoi.scheduling.organizing.endpoints.admitting import AdmittedRoute
from tsudoi.scheduling.organizing.endpoints.reading import ThreadId
from tsudoi.scheduling.organizing.errors import TooManyPeople
from tsudoi.scheduling.organizing.schemas.requests import NewThread, PreviewOrder
from tsudoi.scheduling.organizing.schemas.responses import (
    CreationPreview,
    MessageCost,
    PreviewPerson,
    ThreadPreview,
    ThreadWarning,
)
from tsudoi.scheduling.previews import service
from tsudoi.scheduling.previews.rules import PlannedMessages
from tsudoi.scheduling.principals import OrganizerDep
from tsudoi.scheduling.reminders.errors import DraftIsNotReminded
from tsudoi.scheduling.thread.errors import NoSuchThread, ThreadCancelled, ThreadFinalized, UnknownSlot

router = APIRouter(prefix="/api/threads", tags=["scheduling"], route_class=AdmittedRoute)


@router.post(
    "/preview",
    summary="Preview a thread before it is created",
    dependencies=[Depends(require_json)],
    responses=raises(BadRule, TooManyPeople, UnknownAudiences),
)
async def preview_creation(body: NewThread, _organizer: OrganizerDep, runtime: RuntimeDep) -> CreationPreview:
    """What it would be, who would be asked which way, and how much of LINE's limit that uses. Stores nothing."""
    plan = await runtime.db.read(service.plan_creation, message_settings(runtime.settings), body)
    cost = await ask_cost(runtime, plan.messages.count("line"))
    return CreationPreview(
        rule_sentence=plan.rule_sentence,
        slots=plan.slots,
        warnings=[ThreadWarning(code=one.code, message=one.message) for one in plan.warnings],
        **_shown(plan.messages, cost),
    )


@router.post(
    "/{thread_id}/preview",
    summary="Preview the messages of an action",
    dependencies=[Depends(require_json)],
    responses=raises(NoSuchThread, UnknownSlot, ThreadFinalized, ThreadCancelled, DraftIsNotReminded),
)
async def preview_messages(
    thread_id: ThreadId, body: PreviewOrder, _organizer: OrganizerDep, runtime: RuntimeDep
) -> ThreadPreview:
    """Who would be told which way, and the texts as one of them would read them. Changes nothing."""
    plan = await runtime.db.read(service.plan_action, message_settings(runtime.settings), thread_id, body)
    cost = await ask_cost(runtime, plan.messages.count("line"))
    return ThreadPreview(skipped=plan.skipped, **_shown(plan.messages, cost))


def _shown(messages: PlannedMessages, cost: Cost) -> dict[str, Any]:
    people = [
        PreviewPerson(invitee_key=person.invitee_key, name=person.name, channel=way.channel, why=way.why)
        for person, way in messages.ways
    ]
    return {
        "people": people,
        "line": messages.count("line"),
        "mail": messages.count("mail"),
        "call": messages.count("call"),
        "cost": _cost(cost),
        "subject": messages.sample.subject,
        "mail_text": messages.sample.mail_text,
        "line_text": messages.sample.line_text,
    }


def _cost(cost: Cost) -> MessageCost:
    quota = cost.quota
    return MessageCost(
        known=quota is not None,
        limit=quota and quota.limit,
        used=quota and quota.used,
        promised=cost.promised,
        left=cost.left,
        cost=cost.cost,
        enough=cost.enough,
    )
