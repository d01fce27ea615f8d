from collections import defaultdict
from datetime import timedelta
from typing import Any

from sqlalchemy import Row, select

from tsudoi.booking.my_reservations.rules import SOURCE, STATUS_LABELS, notice_label, notice_state, status_of
from tsudoi.booking.notices.queries.mails import mails_in_place_of_notices
from tsudoi.booking.notices.rules.mails import mail_status
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.reservations.queries.reservations import hold_expired, with_slot
from tsudoi.booking.slots.rules import begins_at
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.clock import jst_date
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.visitor_reservations import VisitorNotice, VisitorReservation, VisitorReservations
from tsudoi.notifications.notices.models import NotificationJob

_Notices = dict[tuple[int, int], list[VisitorNotice]]


def reservations_of_line_user(tx: ReadTx, line_user_id: str) -> VisitorReservations:
    """Of the staff person who is linked with this LINE user: those to come or going on, cancelled ones included."""
    own = (
        with_slot()
        .where(StaffAccount.line_user_id == line_user_id, StaffAccount.status == "active")
        .where(Reservation.service_date_local >= jst_date(tx.now))
    )
    rows = [row for row in tx.execute(own) if _ends_at(row) > tx.now]
    notices = _notices(tx, [row.id for row in rows])
    return VisitorReservations(tuple(_reservation(tx, row, notices) for row in rows))


def _ends_at(row: Row[Any]) -> Any:
    return begins_at(row.service_date_local, row.start_minute_of_day) + timedelta(minutes=row.duration_minutes)


def _reservation(tx: ReadTx, row: Row[Any], notices: _Notices) -> VisitorReservation:
    confirmed = row.confirmed_at is not None or row.hold_expires_at is None
    canceled = row.canceled_at is not None
    status = status_of(canceled=canceled, confirmed=confirmed, expired=hold_expired(row, tx.now))
    return VisitorReservation(
        source=SOURCE,
        id=str(row.id),
        place=row.place or row.reservation_type_name,
        title=row.reservation_type_name,
        begins_at=begins_at(row.service_date_local, row.start_minute_of_day),
        ends_at=_ends_at(row),
        status=status,
        status_label=STATUS_LABELS[status],
        # Notices about an earlier time say nothing about the one that counts.
        notices=tuple(sorted(notices[row.id, row.revision], key=lambda one: one.at)),
    )


def _notices(tx: ReadTx, reservation_ids: list[int]) -> _Notices:
    found: _Notices = defaultdict(list)
    job = NotificationJob
    columns = (job.reservation_id, job.revision, job.kind, job.status, job.scheduled_at, job.updated_at)
    for row in tx.execute(select(*columns, job.outcome_unknown).where(job.reservation_id.in_(reservation_ids))):
        state = notice_state(row.status, outcome_unknown=bool(row.outcome_unknown))
        if state is not None:
            at = row.scheduled_at if state == "planned" else row.updated_at
            found[row.reservation_id, row.revision].append(VisitorNotice(notice_label(row.kind), "line", state, at))
    for mail in mails_in_place_of_notices(tx, reservation_ids):
        state = notice_state(mail_status(mail))
        if state is not None:
            at = mail.due_at if state == "planned" else mail.at
            found[mail.reservation_id, mail.revision].append(VisitorNotice(notice_label(mail.kind), "mail", state, at))
    return found
