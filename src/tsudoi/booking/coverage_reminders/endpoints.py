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
    ReminderWays,
    UnreachedPerson,
)
from tsudoi.booking.coverage_reminders.service import deciding
from tsudoi.booking.coverage_reminders.service.deciding import ReminderFrame, ReminderPlan
from tsudoi.booking.lists import Cursor, Limit
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.idempotency import InFlight
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.mail import MailClient
from tsudoi.line.delivery.errors import QuotaExceeded
from tsudoi.line.delivery.jobs import ask_cost, ask_room
from tsudoi.line.delivery.rules import QUOTA, Cost

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
    """Who would get which message by which way, who is not reached and why, and how much quota it uses.

    Nothing is promised that LINE's monthly limit does not leave. Changes nothing.
    """
    frame = _frame(runtime)

    def planned(tx: ReadTx) -> tuple[ReminderPlan, int]:
        plan = deciding.plan(tx, body, frame)
        return plan, queries.free_seats(tx, body.reservation_type_id, plan.period_key)

    plan, free_seats = await runtime.db.read(planned)
    return _shown(plan, free_seats, await ask_cost(runtime, len(plan.shared_out().line)))


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
    `confirmOverQuota` to go on anyway: the first by department and number get it, the others get a mail where
    `channels` allows it, and can be reminded later where it does not.
    """
    runtime, frame = write.runtime, _frame(write.runtime)

    @asynccontextmanager
    async def prepare() -> AsyncIterator[Callable[[Tx], ReminderQueued]]:
        people = len((await runtime.db.read(deciding.plan, body, frame)).shared_out().line)
        left = await ask_room(runtime, people, confirmed=body.confirm_over_quota)
        yield lambda tx: deciding.remind(tx, body, frame, left, write.admin.actor)

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


def _frame(runtime: Runtime) -> ReminderFrame:
    settings = runtime.settings
    return ReminderFrame(settings.public_base_url, settings.mail_host, runtime.part(MailClient).config is not None)


def _shown(plan: ReminderPlan, free_seats: int, cost: Cost) -> ReminderPreview:
    quota, shared = cost.quota, plan.shared_out(cost.left)
    reached = [(person, "line") for person in shared.line] + [(person, "mail") for person in shared.mail]
    unreachable = [(person, person.why_not) for person in shared.unreachable]
    unreachable += [(person, QUOTA) for person in shared.kept_back]
    return ReminderPreview(
        period_key=plan.period_key,
        text=plan.text,
        link=plan.link,
        messages=plan.messages,
        recipients_total=len(reached),
        by_channel=ReminderWays(line=len(shared.line), mail=len(shared.mail), phone=shared.phone),
        recipients=[_reached(*one) for one in sorted(reached, key=_place)[:_LISTED]],
        unreachable_total=len(unreachable),
        unreachable=[_unreached(*one) for one in sorted(unreachable, key=_place)[:_LISTED]],
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


def _place(one: tuple[MissingPerson, str]) -> tuple[str, str]:
    return one[0].department_id, one[0].staff_id


def _reached(person: MissingPerson, channel: str) -> RemindedPerson:
    return RemindedPerson.model_validate({**asdict(person), "blocked": person.blocked, "channel": channel})


def _unreached(person: MissingPerson, reason: str) -> UnreachedPerson:
    text = WHY_NOT.get(reason, "LINEの今月の送信上限に達しています")
    return UnreachedPerson.model_validate({**asdict(person), "reason": reason, "reason_text": text})
