from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from pydantic import TypeAdapter
from starlette.responses import Response

from tsudoi.access.api_description import raises
from tsudoi.access.guard import AdminDep, DatabaseDep, RuntimeDep, require_json
from tsudoi.access.stepped_writes import SteppedWriteDep, WriteSteps
from tsudoi.booking.coverage.errors import NoSuchReservationType
from tsudoi.booking.coverage_reminders import queries
from tsudoi.booking.coverage_reminders.errors import NobodyMissing, ReminderOfInactiveType
from tsudoi.booking.coverage_reminders.rules import WHY_NOT, MissingPerson
from tsudoi.booking.coverage_reminders.schemas import (
    RemindedPerson,
    ReminderCost,
    ReminderDetail,
    ReminderOrder,
    ReminderPage,
    ReminderPreview,
    ReminderQuestion,
    ReminderQueued,
    UnreachedPerson,
)
from tsudoi.booking.coverage_reminders.service import deciding
from tsudoi.booking.coverage_reminders.service.deciding import ReminderPlan
from tsudoi.booking.lists import Cursor, Limit
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.idempotency import InFlight
from tsudoi.line.delivery.errors import QuotaExceeded
from tsudoi.line.delivery.jobs import ask_cost, ask_room
from tsudoi.line.delivery.rules import Cost

router = APIRouter(prefix="/api/admin/coverage/reminders", tags=["booking"])

_LISTED = 200
_RESULT = TypeAdapter(ReminderQueued)


@router.post(
    "/preview",
    summary="Preview a reminder to those who have not booked",
    dependencies=[Depends(require_json)],
    responses=raises(NoSuchReservationType, ReminderOfInactiveType),
)
async def preview(body: ReminderQuestion, _admin: AdminDep, runtime: RuntimeDep) -> ReminderPreview:
    """Who would get which message, who is not reached and why, and how much quota it uses. Changes nothing."""
    base = runtime.settings.public_base_url

    def planned(tx: ReadTx) -> tuple[ReminderPlan, int]:
        plan = deciding.plan(tx, body, base)
        return plan, queries.free_seats(tx, body.reservation_type_id, plan.period_key)

    plan, free_seats = await runtime.db.read(planned)
    return _shown(plan, free_seats, await ask_cost(runtime, len(plan.reached)))


@router.post(
    "",
    status_code=202,
    summary="Remind those who have not booked",
    response_model=ReminderQueued,
    dependencies=[Depends(require_json)],
    responses=raises(NoSuchReservationType, ReminderOfInactiveType, NobodyMissing, QuotaExceeded, InFlight),
)
async def remind(body: ReminderOrder, write: SteppedWriteDep) -> Response:
    """Stored at once, and sent by the worker, only to those who are still missing when it goes out.

    A person gets at most one reminder of a type a day. 409 `QUOTA_EXCEEDED`: LINE's monthly limit is too low; send
    `confirmOverQuota` to go on anyway: the first by department and number get it, the others can be reminded later.
    """
    runtime, base = write.runtime, write.runtime.settings.public_base_url

    @asynccontextmanager
    async def prepare() -> AsyncIterator[Callable[[Tx], ReminderQueued]]:
        people = len((await runtime.db.read(deciding.plan, body, base)).reached)
        left = await ask_room(runtime, people, confirmed=body.confirm_over_quota)
        yield lambda tx: deciding.remind(tx, body, base, left, write.admin.actor)

    async def queued(result: ReminderQueued) -> ReminderQueued:
        runtime.work.send()
        return result

    return await write.run(body.model_dump_json(exclude_unset=True).encode(), WriteSteps(prepare, _RESULT, queued))


@router.get("", summary="Reminders that were sent")
async def reminders(
    _admin: AdminDep,
    db: DatabaseDep,
    reservation_type_id: Annotated[
        int | None, Query(alias="reservationTypeId", ge=1, le=2**53, description="Only of this type.")
    ] = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> ReminderPage:
    """The newest first, each with how many people got it, did not get it, or booked before it went out."""
    return await db.read(queries.reminder_page, reservation_type_id, limit, cursor)


@router.get("/{reminder_id}", summary="One reminder")
async def reminder(
    reminder_id: Annotated[int, Path(ge=1, le=2**53, description="The reminder.")], _admin: AdminDep, db: DatabaseDep
) -> ReminderDetail:
    """With the names of those who are not known to have got it, and why."""
    return await db.read(queries.reminder_detail, reminder_id)


def _shown(plan: ReminderPlan, free_seats: int, cost: Cost) -> ReminderPreview:
    quota = cost.quota
    return ReminderPreview(
        period_key=plan.period_key,
        text=plan.text,
        link=plan.link,
        messages=plan.messages,
        recipients_total=len(plan.reached),
        recipients=[RemindedPerson.model_validate(asdict(one)) for one in plan.reached[:_LISTED]],
        unreachable_total=len(plan.unreachable),
        unreachable=[_unreached(one) for one in plan.unreachable[:_LISTED]],
        free_seats=free_seats,
        quota=ReminderCost(
            known=quota is not None,
            limit=quota and quota.limit,
            used=quota and quota.used,
            promised=cost.promised,
            left=cost.left,
            cost=cost.cost,
            enough=cost.enough,
        ),
    )


def _unreached(person: MissingPerson) -> UnreachedPerson:
    reason = person.why_not or ""
    return UnreachedPerson.model_validate({**asdict(person), "reason": reason, "reason_text": WHY_NOT[reason]})
