"""Notices in numbers: how many cells are in each state, and why some failed."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, not_, or_, select, tuple_

from tsudoi.booking.notices.queries.cells import CONFIRMED, cell_status_of, with_notices
from tsudoi.booking.notices.rules.cells import KINDS, STATUSES, CellStatus
from tsudoi.booking.notices.schemas import FailureCause, NoticeCounts, NoticePause, NoticeQuota, NoticeSummary
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.clock import JST, display, jst_date
from tsudoi.core.db.interface import ReadTx
from tsudoi.notifications.notices.models import NotificationJob
from tsudoi.notifications.notices.queries import pulse
from tsudoi.notifications.notices.rules.causes import PATTERNS, Cause
from tsudoi.notifications.notices.rules.deciding import ASKED_AGAIN_FOR
from tsudoi.notifications.pause.queries import current_pause


def counts(tx: ReadTx) -> NoticeCounts:
    """All cells of all reservations."""
    total: dict[CellStatus, int] = dict.fromkeys(STATUSES, 0)
    columns = [cell_status_of(kind).label(kind) for kind in KINDS]
    grouped = with_notices(select(*columns, func.count().label("number")).select_from(Reservation))
    for row in tx.execute(grouped.group_by(*columns)):
        for kind in KINDS:
            total[getattr(row, kind)] += row.number
    return NoticeCounts(**total)


def causes(tx: ReadTx) -> list[FailureCause]:
    """Why notices failed whose appointments are still ahead; the most frequent reason first."""
    cause, number = _cause().label("cause"), func.count().label("number")
    resendable = func.sum(case((_is_resendable(tx), 1), else_=0)).label("resendable")
    grouped = _failed(tx, cause, number, resendable).group_by(cause).order_by(number.desc(), cause)
    return [FailureCause(reason=row.cause, count=row.number, resendable=row.resendable) for row in tx.execute(grouped)]


def resendable_jobs(tx: ReadTx, cause: Cause, limit: int) -> Sequence[int]:
    """The oldest of those that failed for this reason and can be sent again without the risk of a duplicate."""
    wanted = _failed(tx, NotificationJob.job_id).where(_cause() == cause, _is_resendable(tx))
    return tx.execute(wanted.order_by(NotificationJob.job_id).limit(limit)).scalars().all()


def _failed(tx: ReadTx, *columns: Any) -> Select[*tuple[Any, ...]]:
    """Failed notices about the current time of a live reservation that has not begun."""
    now = tx.now.astimezone(JST)
    begins = tuple_(Reservation.service_date_local, Reservation.start_minute_of_day)
    return (
        select(*columns)
        .select_from(NotificationJob)
        .join(
            Reservation,
            and_(Reservation.id == NotificationJob.reservation_id, Reservation.revision == NotificationJob.revision),
        )
        .join(StaffAccount, StaffAccount.staff_uid == Reservation.staff_uid)
        .where(NotificationJob.status == "FAILED", NotificationJob.kind != "CANCEL_COMPLETED")
        .where(Reservation.canceled_at.is_(None), CONFIRMED)
        .where(begins > (jst_date(tx.now), now.hour * 60 + now.minute))
    )


def _is_resendable(tx: ReadTx) -> ColumnElement[bool]:
    maybe_sent = or_(NotificationJob.maybe_sent == 1, NotificationJob.outcome_unknown == 1)
    too_old = NotificationJob.first_attempt_at <= tx.now - ASKED_AGAIN_FOR
    never = NotificationJob.first_attempt_at.is_(None)
    return and_(StaffAccount.line_user_id.is_not(None), or_(not_(maybe_sent), never, not_(too_old)))


def _cause() -> ColumnElement[str]:
    """The same as `causes.cause_of`."""
    patterns = [(NotificationJob.last_error.like(pattern), cause) for cause, pattern in PATTERNS]
    return case(*patterns, else_="OTHER")


def summary_of(tx: ReadTx, quota: NoticeQuota | None, *, dry_run: bool) -> NoticeSummary:
    found, pause = pulse(tx), current_pause(tx)
    return NoticeSummary(
        counts=counts(tx),
        quota=quota,
        last_run=None if found.last_run is None else display(found.last_run),
        oldest_due=None if found.oldest_due is None else display(found.oldest_due),
        failures_in_a_row=found.failures_in_a_row,
        paused=pause and NoticePause(since=pause.paused_at, by=pause.paused_by, reason=pause.reason),
        dry_run=dry_run,
        causes=causes(tx),
    )
