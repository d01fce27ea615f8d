"""Payments as the office sees and exports them."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, func, or_, select

from tsudoi.booking.checkout.schemas import (
    OfficePayment,
    OfficePaymentPage,
    OfficeRefund,
    PaymentFilters,
    PaymentListing,
    PaymentTotals,
    StripeMismatch,
)
from tsudoi.booking.payments.errors import NoSuchPayment, NoSuchStripeEvent
from tsudoi.booking.payments.models import Payment, PaymentTask, StoredStripeEvent
from tsudoi.booking.payments.queries.shown import refund_state, shown_status, with_refund
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.reservations.queries.holds import hold_ran_out, is_certain
from tsudoi.booking.reservations.queries.office import named
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.clock import JST
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.pages import decode_cursor, encode_cursor

_MOST_MISMATCHES = 100
_FAILED_AT_STRIPE = ("failed", "canceled")
_ENDED = ("succeeded", *_FAILED_AT_STRIPE)


def payment_page(tx: ReadTx, asked: PaymentListing) -> OfficePaymentPage:
    """The newest first. The mismatches come with the first page."""
    statement = _filtered(asked)
    if asked.cursor is not None:
        statement = statement.where(Payment.id < decode_cursor(asked.cursor, int)[0])
    rows = tx.execute(statement.order_by(Payment.id.desc()).limit(asked.limit + 1)).all()
    items = [office_payment(row, tx.now) for row in rows[: asked.limit]]
    more = encode_cursor(items[-1].id) if len(rows) > asked.limit else None
    mismatches = open_mismatches(tx) if asked.cursor is None else []
    return OfficePaymentPage(items=items, next_cursor=more, mismatches=mismatches, totals=totals(tx))


def one_payment(tx: ReadTx, payment_id: int) -> OfficePayment:
    found = tx.execute(_with_reservation().where(Payment.id == payment_id)).one_or_none()
    if found is None:
        raise NoSuchPayment
    return office_payment(found, tx.now)


def payment_rows(tx: ReadTx, filters: PaymentFilters) -> Iterator[Row[Any]]:
    """All of them, for an export."""
    yield from tx.execute(_filtered(filters).order_by(Payment.id)).yield_per(1000)


def open_mismatches(tx: ReadTx) -> list[StripeMismatch]:
    statement = select(*StoredStripeEvent.__table__.c).where(*_open_mismatch())
    rows = tx.execute(statement.order_by(StoredStripeEvent.received_at.desc()).limit(_MOST_MISMATCHES))
    return [StripeMismatch.model_validate(dict(row._mapping)) for row in rows]  # noqa: SLF001 (public)


def one_mismatch(tx: ReadTx, event_id: str) -> StripeMismatch:
    statement = select(*StoredStripeEvent.__table__.c).where(StoredStripeEvent.event_id == event_id)
    row = tx.execute(statement).one_or_none()
    if row is None:
        raise NoSuchStripeEvent
    return StripeMismatch.model_validate(dict(row._mapping))  # noqa: SLF001 (public)


def office_payment(row: Row[Any], now: datetime) -> OfficePayment:
    values = {**row._mapping}  # noqa: SLF001 (the public name of a row's dict)
    over = row.hold_expires_at is not None and row.hold_expires_at <= now
    held = row.confirmed_at is None and row.hold_expires_at is not None
    canceled = row.canceled_at is not None or (held and over)
    refund = _refund(row)
    is_refundable = row.status == "PAID" and (refund is None or refund.status == "FAILED")
    return OfficePayment.model_validate(
        {
            **values,
            "status": shown_status(row.status, row.payment_intent_id),
            "reservation_state": "canceled" if canceled else "held" if held else "confirmed",
            "full_name": row.family_name + row.given_name,
            "expires_at": row.session_expires_at,
            "refund": refund,
            "refundable": is_refundable,
        }
    )


def _refund(row: Row[Any]) -> OfficeRefund | None:
    if row.refund_task_id is None:
        return None
    return OfficeRefund(
        status=refund_state(row.refund_task_status, row.refund_status),
        amount_jpy=row.refund_amount_jpy,
        reason=row.refund_reason,
        requested_by=row.refund_requested_by,
        refund_id=row.refund_id,
        stripe_status=row.refund_status,
        last_error=row.refund_error,
        created_at=row.refund_created_at,
        updated_at=row.refund_updated_at,
    )


def _with_reservation() -> Select[*tuple[Any, ...]]:
    refund = (
        PaymentTask.reason.label("refund_reason"),
        PaymentTask.requested_by.label("refund_requested_by"),
        PaymentTask.refund_id,
        PaymentTask.last_error.label("refund_error"),
        PaymentTask.created_at.label("refund_created_at"),
        PaymentTask.updated_at.label("refund_updated_at"),
    )
    reservation = (
        Reservation.service_date_local,
        Reservation.start_minute_of_day,
        Reservation.canceled_at,
        Reservation.confirmed_at,
        Reservation.hold_expires_at,
        ReservationType.name.label("reservation_type_name"),
    )
    person = (StaffAccount.staff_uid, StaffAccount.staff_id, StaffAccount.family_name, StaffAccount.given_name)
    return (
        with_refund(*refund, *reservation, *person)
        .join(Reservation, Reservation.id == Payment.reservation_id)
        .join(ReservationType, ReservationType.id == Reservation.reservation_type_id)
        .join(StaffAccount, StaffAccount.staff_uid == Reservation.staff_uid)
    )


def _filtered(filters: PaymentFilters) -> Select[*tuple[Any, ...]]:
    statement = _with_reservation()
    if filters.status is not None:
        statement = statement.where(_in_status(filters.status))
    if filters.refund is not None:
        statement = statement.where(_refund_is(filters.refund))
    if filters.first_day is not None:
        statement = statement.where(Payment.created_at >= _midnight(filters.first_day))
    if filters.last_day is not None:
        statement = statement.where(Payment.created_at < _midnight(filters.last_day) + timedelta(days=1))
    if filters.reservation_id is not None:
        statement = statement.where(Payment.reservation_id == filters.reservation_id)
    return statement.where(named(filters.q)) if filters.q.strip() else statement


def _in_status(status: str) -> ColumnElement[bool]:
    has_slip = (Payment.status == "OPEN") & Payment.payment_intent_id.is_not(None)
    if status == "WAITING":
        return has_slip
    return (Payment.status == status) & ~has_slip if status == "OPEN" else Payment.status == status


def _refund_is(state: str) -> ColumnElement[bool]:
    task, at_stripe = PaymentTask.status, PaymentTask.refund_status
    states = {
        "PENDING": or_(task == "PENDING", (task == "DONE") & at_stripe.not_in(_ENDED)),
        "DONE": (task == "DONE") & or_(at_stripe.is_(None), at_stripe == "succeeded"),
        "FAILED": or_(task.in_(("FAILED", "UNKNOWN")), (task == "DONE") & at_stripe.in_(_FAILED_AT_STRIPE)),
    }
    return (PaymentTask.kind == "REFUND") & states[state]


def totals(tx: ReadTx) -> PaymentTotals:
    held = select(func.count()).select_from(Reservation).where(Reservation.canceled_at.is_(None), ~is_certain())
    tasks = select(func.count()).select_from(PaymentTask)
    events = select(func.count()).select_from(StoredStripeEvent)
    return PaymentTotals(
        waiting=tx.scalar(held.where(~hold_ran_out(tx.now))),
        refunds_pending=tx.scalar(tasks.where(_refund_is("PENDING"))),
        refunds_failed=tx.scalar(tasks.where(_refund_is("FAILED"))),
        mismatches=tx.scalar(events.where(*_open_mismatch())),
    )


def _open_mismatch() -> tuple[ColumnElement[bool], ...]:
    return (StoredStripeEvent.outcome == "MISMATCH", StoredStripeEvent.resolved_at.is_(None))


def _midnight(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day), time(), JST)
