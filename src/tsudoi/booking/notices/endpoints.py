"""What the office sees of the notices about reservations, and its decision to send failed ones again."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query

from tsudoi.access.api_description import raises
from tsudoi.access.guard import AdminDep, DatabaseDep, RuntimeDep
from tsudoi.access.principals import Admin
from tsudoi.access.writes import TransactionRoute
from tsudoi.booking.identity.errors import NotActive, PinChangeRequired
from tsudoi.booking.notices import service
from tsudoi.booking.notices.queries.cells import notice_page
from tsudoi.booking.notices.queries.own import own_notice
from tsudoi.booking.notices.queries.summary import summary_of
from tsudoi.booking.notices.queries.timeline import reservation_timeline
from tsudoi.booking.notices.schemas import (
    NoticeFilters,
    NoticePage,
    NoticeQuota,
    NoticeSummary,
    OwnNotice,
    QueuedNotice,
    QueuedNotices,
    ResendMany,
    ResendOne,
    ReservationTimeline,
)
from tsudoi.booking.principals import Staff
from tsudoi.booking.reservations.errors import NoSuchReservation
from tsudoi.core.clock import display
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.idempotency import InFlight
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.line import POLICIES
from tsudoi.gateway.http import HttpGateway
from tsudoi.line.delivery import jobs as delivery
from tsudoi.line.delivery.rules import Cost
from tsudoi.notifications.notices.errors import RESEND_REFUSALS, NoSuchNotice
from tsudoi.notifications.notices.service.reading import NoticeReader
from tsudoi.notifications.notices.service.resending import ResendDecision, resend

own = APIRouter(prefix="/api/reservations", tags=["booking"], route_class=TransactionRoute)
lists = APIRouter(prefix="/api/admin/notifications", tags=["notifications"])
router = APIRouter(prefix="/api/admin", tags=["notifications"], route_class=TransactionRoute)

ReservationId = Annotated[int, Path(ge=1, le=2**53, description="The reservation.")]
JobId = Annotated[int, Path(ge=1, le=2**53, description="The notice, by `job_id`.")]


@own.get(
    "/{reservation_id}/notice",
    summary="Whether I was told",
    responses=raises(NotActive, PinChangeRequired, NoSuchReservation),
)
def notice(tx: ReadTx, staff: Staff, reservation_id: ReservationId) -> OwnNotice:
    """What the person was told about the time that the reservation has now, and when they will be reminded."""
    return own_notice(tx, reservation_id, staff.staff_uid)


@lists.get("", summary="Reservations with their notices")
async def notifications(_admin: AdminDep, db: DatabaseDep, asked: Annotated[NoticeFilters, Query()]) -> NoticePage:
    """A row for each reservation, with three cells: what was sent, what was not, why, and what to do.

    The latest appointment comes first.
    """
    return await db.read(notice_page, asked)


@lists.get("/summary", summary="Whether notices go out")
async def summary(_admin: AdminDep, runtime: RuntimeDep) -> NoticeSummary:
    """Counts of all cells, LINE's monthly limit, the last run of the command, and why notices failed.

    `quota` is null if LINE does not answer.
    """
    ask = partial(delivery.cost, runtime, 0)
    cost = await runtime.part(HttpGateway).threads.run(POLICIES.account.pool, ask, if_busy=Cost(0, None))
    return await runtime.db.read(summary_of, _quota(cost), dry_run=runtime.settings.notification_cron_dry_run)


def _quota(cost: Cost) -> NoticeQuota | None:
    quota = cost.quota
    if quota is None:
        return None
    return NoticeQuota(limit=quota.limit, used=quota.used, left=cost.left, promised=cost.promised)


@router.post(
    "/notifications/resend",
    status_code=202,
    summary="Send many failed notices again",
    responses=raises(NoSuchNotice, InFlight),
)
def resend_many(tx: Tx, admin: Admin, runtime: Runtime, body: ResendMany) -> QueuedNotices:
    """Queues the notices of `job_ids`, or up to 1,000 that failed for one `cause`; the command sends them.

    A notice that cannot be sent again is listed in `refused` with the code of its reason. Each one is audited.
    """
    return service.resend_many(tx, runtime.part(NoticeReader), body, admin.actor)


@router.post(
    "/notifications/{job_id}/resend",
    status_code=202,
    summary="Send a failed notice again",
    responses=raises(NoSuchNotice, *RESEND_REFUSALS.values(), InFlight),
)
def resend_one(tx: Tx, admin: Admin, runtime: Runtime, job_id: JobId, body: ResendOne) -> QueuedNotice:
    """Queues the notice; the command sends it, and this request does not. It is audited.

    409: `ALREADY_SENT`, `ALREADY_PENDING`, `NOT_SENDABLE` (called off, or about an earlier time),
    `CANCEL_NOTICE_IS_FINAL`, `RESERVATION_CANCELED`, `ALREADY_BEGUN`, `NO_LINE_LINK`, and `MAYBE_SENT`: more than 23
    hours ago LINE may have taken it, so that `accept_duplicate` is needed.
    """
    decision = ResendDecision(body.reason, admin.actor, body.accept_duplicate)
    due = resend(tx, runtime.part(NoticeReader), job_id, decision)
    return QueuedNotice(job_id=job_id, scheduled_at=display(due))


@router.get(
    "/reservations/{reservation_id}/timeline",
    summary="Everything that happened to a reservation",
    responses=raises(NoSuchReservation),
)
def timeline(tx: ReadTx, _admin: Admin, reservation_id: ReservationId) -> ReservationTimeline:
    """Booked, held, paid, told, reminded, moved, cancelled, refunded, came: from the rows themselves."""
    return reservation_timeline(tx, reservation_id)
