"""Everything that happened to a reservation, from the rows that were written when it happened."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from itertools import chain
from typing import Any

import orjson
from sqlalchemy import Row, select

from tsudoi.booking import audit_names
from tsudoi.booking.notices.queries.mails import mails_in_place_of_notices
from tsudoi.booking.notices.rules import timeline as rules
from tsudoi.booking.notices.rules.payment_lines import event_entries, payment_entries, task_entries
from tsudoi.booking.notices.rules.timeline import TimelineEntry, actor_name
from tsudoi.booking.notices.schemas import ReservationTimeline, TimelineItem
from tsudoi.booking.payments.models import Payment, PaymentTask, StoredStripeEvent
from tsudoi.booking.reservations.errors import NoSuchReservation
from tsudoi.booking.reservations.models import Reservation
from tsudoi.core.clock import display, parse_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.models import AuditLog
from tsudoi.notifications.notices.models import NotificationAttempt, NotificationJob, NotificationSkip

_LABELS = {action: label for group in audit_names.ACTIONS.values() for action, label in group.items()}
_BOOKED = {"RESERVE_CREATE", "WAIT_PROMOTE"}


def reservation_timeline(tx: ReadTx, reservation_id: int) -> ReservationTimeline:
    items = [TimelineItem(**asdict(entry)) for entry in timeline(tx, reservation_id)]
    return ReservationTimeline(reservation_id=reservation_id, items=items)


def timeline(tx: ReadTx, reservation_id: int) -> list[TimelineEntry]:
    """The first first."""
    found = tx.execute(select(*Reservation.__table__.c).where(Reservation.id == reservation_id)).one_or_none()
    if found is None:
        raise NoSuchReservation
    audit = tx.execute(
        select(*AuditLog.__table__.c).where(AuditLog.subject == f"reservation:{reservation_id}").order_by(AuditLog.id)
    ).all()
    entries = chain(
        _reservation(found, {row.action for row in audit}, _payable_until(tx, found)),
        _audit(audit, found.staff_uid),
        _payments(tx, found),
        _notices(tx, reservation_id),
        _mails(tx, reservation_id),
    )
    return sorted(entries, key=rules.place)


def _payable_until(tx: ReadTx, row: Row[Any]) -> datetime | None:
    """Until when the seat can be paid for, as Stripe and the portal show it: the page closes before the hold ends."""
    newest = select(Payment.session_expires_at, Payment.payment_intent_id).where(Payment.reservation_id == row.id)
    page = tx.execute(newest.order_by(Payment.id.desc()).limit(1)).one_or_none()
    # A slip of a convenience store can be paid until the hold ends.
    hold_ends: datetime | None = row.hold_expires_at
    if hold_ends is None or page is None or page.payment_intent_id is not None:
        return hold_ends
    closes: datetime = page.session_expires_at
    return min(hold_ends, closes)


def _reservation(row: Row[Any], audited: set[str], payable_until: datetime | None) -> Iterator[TimelineEntry]:
    """What the row itself says, and the audit trail does not."""
    if not audited & _BOOKED:
        when = rules.appointment(row.service_date_local, row.start_minute_of_day)
        yield TimelineEntry(row.created_at, "booked", f"予約しました（{when}）。")
    if payable_until is not None:
        until = display(payable_until)
        yield TimelineEntry(row.created_at, "held", f"お支払いのために席をお取りしました（{until} まで）。")
        if row.confirmed_at is not None:
            yield TimelineEntry(row.confirmed_at, "confirmed", "予約が確定しました。")
    if row.canceled_at is not None and "RESERVE_CANCEL" not in audited:
        kind, text, detail = rules.canceled_by_row(row.cancel_reason)
        yield TimelineEntry(row.canceled_at, kind, text, detail, actor_name(row.canceled_by, row.staff_uid))
    if row.attendance_at is not None and "ATTENDANCE" not in audited:
        kind, text = rules.audited("ATTENDANCE", "", None, {"attendance": row.attendance})
        yield TimelineEntry(row.attendance_at, kind, text)


def _audit(rows: Any, staff_uid: str) -> Iterator[TimelineEntry]:
    for row in rows:
        old, new = (None if value is None else orjson.loads(value) for value in (row.old, row.new))
        kind, text = rules.audited(row.action, _LABELS.get(row.action, row.action), old, new)
        yield TimelineEntry(parse_text(row.at), kind, text, row.reason, actor_name(row.actor, staff_uid))


def _payments(tx: ReadTx, reservation: Row[Any]) -> Iterator[TimelineEntry]:
    mine = Payment.reservation_id == reservation.id
    for payment in tx.execute(select(*Payment.__table__.c).where(mine).order_by(Payment.id)).all():
        yield from payment_entries(payment)
    tasks = select(*PaymentTask.__table__.c).join(Payment, Payment.id == PaymentTask.payment_id).where(mine)
    for task in tx.execute(tasks.order_by(PaymentTask.id)).all():
        yield from task_entries(task, actor_name(task.requested_by, reservation.staff_uid))
    events = select(*StoredStripeEvent.__table__.c).where(StoredStripeEvent.reservation_id == reservation.id)
    for event in tx.execute(events.order_by(StoredStripeEvent.received_at)).all():
        yield from event_entries(event)


def _notices(tx: ReadTx, reservation_id: int) -> Iterator[TimelineEntry]:
    skips = select(*NotificationSkip.__table__.c).where(NotificationSkip.reservation_id == reservation_id)
    for skip in tx.execute(skips.order_by(NotificationSkip.at, NotificationSkip.kind)).all():
        yield rules.skipped(rules.notice_name(skip.kind, skip.revision), skip.reason, skip.at)
    jobs = select(*NotificationJob.__table__.c).where(NotificationJob.reservation_id == reservation_id)
    for job in tx.execute(jobs.order_by(NotificationJob.job_id)).all():
        attempts = tx.execute(
            select(*NotificationAttempt.__table__.c)
            .where(NotificationAttempt.job_id == job.job_id)
            .order_by(NotificationAttempt.id)
        ).all()
        yield from _job(job, attempts)


def _mails(tx: ReadTx, reservation_id: int) -> Iterator[TimelineEntry]:
    for mail in mails_in_place_of_notices(tx, [reservation_id]):
        entry = rules.mailed(mail)
        if entry is not None:
            yield entry


def _job(job: Row[Any], attempts: Any) -> Iterator[TimelineEntry]:
    name = rules.notice_name(job.kind, job.revision)
    yield rules.planned(name, job)
    for one in attempts:
        yield rules.attempted(job.kind, name, one)
    if job.status == "DASH":
        yield rules.called_off(name, job.dash_reason, job.updated_at)
    if job.status == "FAILED" and job.outcome_unknown:
        text = f"{name}が届いたかどうか、分からないままになりました。"
        yield TimelineEntry(job.updated_at, "unknown", text, job.last_error)
