"""What a lost webhook may have left open: the reconciliation asks Stripe about it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, or_, select

from tsudoi.booking.payments.models import Payment, PaymentTask, StoredStripeEvent
from tsudoi.booking.reservations.models import Reservation
from tsudoi.core.db.interface import ReadTx

# Webhooks come within seconds; what is younger needs no question.
_PATIENCE = timedelta(minutes=10)
_UNCERTAIN = ("pending", "requires_action")


def open_payments(tx: ReadTx, limit: int) -> list[Row[Any]]:
    """Pages that are not paid for, the oldest first."""
    columns = (Payment.id, Payment.reservation_id, Payment.session_id, Payment.status, Payment.session_expires_at)
    statement = select(*columns).where(
        Payment.status.in_(("CREATING", "OPEN")), Payment.created_at <= tx.now - _PATIENCE
    )
    return list(tx.execute(statement.order_by(Payment.session_expires_at, Payment.id).limit(limit)))


def open_refunds(tx: ReadTx, limit: int) -> list[Row[Any]]:
    """Refunds whose end we do not know."""
    unknown = or_(
        PaymentTask.status == "UNKNOWN", (PaymentTask.status == "DONE") & PaymentTask.refund_status.in_(_UNCERTAIN)
    )
    columns = (PaymentTask.id, PaymentTask.refund_id, PaymentTask.refund_status, PaymentTask.status)
    statement = select(*columns, Payment.payment_intent_id, Payment.reservation_id).join(
        Payment, Payment.id == PaymentTask.payment_id
    )
    statement = statement.where(PaymentTask.kind == "REFUND", unknown, Payment.payment_intent_id.is_not(None))
    return list(tx.execute(statement.order_by(PaymentTask.updated_at).limit(limit)))


def paid_but_held(tx: ReadTx) -> list[Row[Any]]:
    """Payments that are there while the seat is not certain. There should be none."""
    held = (
        Reservation.canceled_at.is_(None),
        Reservation.confirmed_at.is_(None),
        Reservation.hold_expires_at.is_not(None),
    )
    statement = select(Payment.id, Payment.reservation_id).join(Reservation, Reservation.id == Payment.reservation_id)
    return list(tx.execute(statement.where(Payment.status == "PAID", *held).order_by(Payment.id)))


def known_events(tx: ReadTx, event_ids: Sequence[str]) -> set[str]:
    statement = select(StoredStripeEvent.event_id).where(StoredStripeEvent.event_id.in_(event_ids))
    return set(tx.execute(statement).scalars())


def events_since(now: datetime) -> datetime:
    """How far the list of Stripe's events is read back. Stripe itself repeats a webhook for three days."""
    return now - timedelta(days=3)
