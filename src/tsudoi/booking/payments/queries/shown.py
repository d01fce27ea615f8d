"""The payment of a reservation as its owner sees it."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, and_, select

from tsudoi.booking.payments.models import Payment, PaymentTask
from tsudoi.booking.payments.schemas import PaymentItem, PaymentStatus, RefundItem, RefundState
from tsudoi.core.db.interface import ReadTx


def with_refund(*more: Any) -> Select[*tuple[Any, ...]]:
    """Every payment with its refund, if there is one, and further columns."""
    is_refund = and_(PaymentTask.payment_id == Payment.id, PaymentTask.kind == "REFUND")
    refund = (
        PaymentTask.id.label("refund_task_id"),
        PaymentTask.status.label("refund_task_status"),
        PaymentTask.amount_jpy.label("refund_amount_jpy"),
        PaymentTask.refund_status,
    )
    return select(*Payment.__table__.c, *refund, *more).outerjoin(PaymentTask, is_refund)


def payments_of(tx: ReadTx, reservation_ids: Iterable[int]) -> dict[int, PaymentItem]:
    """For each reservation with payments the one that counts: the one that was paid and kept, else the newest."""
    ids = list(reservation_ids)
    if not ids:
        return {}
    statement = with_refund().where(Payment.reservation_id.in_(ids)).order_by(Payment.id)
    counted: dict[int, Row[Any]] = {}
    for row in tx.execute(statement):
        before = counted.get(row.reservation_id)
        if before is None or _rank(row) >= _rank(before):
            counted[row.reservation_id] = row
    return {reservation_id: payment_item(row, tx.now) for reservation_id, row in counted.items()}


def payment_of(tx: ReadTx, reservation_id: int) -> PaymentItem:
    """Of a reservation that has one."""
    return payments_of(tx, [reservation_id])[reservation_id]


def payment_item(row: Row[Any], now: datetime) -> PaymentItem:
    status = shown_status(row.status, row.payment_intent_id)
    payable = status == "OPEN" and row.session_expires_at > now
    return PaymentItem.model_construct(
        checkout_url=row.checkout_url if payable else None,
        expires_at=row.session_expires_at,
        amount_jpy=row.amount_jpy,
        status=status,
        refund=_refund(row),
    )


def shown_status(status: Any, payment_intent_id: str | None) -> PaymentStatus:
    """A page that is complete but unpaid has a payment already: the person got a konbini slip."""
    known: PaymentStatus = status
    return "WAITING" if known == "OPEN" and payment_intent_id is not None else known


def refund_state(task_status: str, refund_status: str | None) -> RefundState:
    """Stripe may have taken the refund and still wait for the bank, or for the person's bank account."""
    if task_status == "DONE":
        if refund_status in (None, "succeeded"):
            return "DONE"
        return "FAILED" if refund_status in ("failed", "canceled") else "PENDING"
    return "PENDING" if task_status == "PENDING" else "FAILED"


def _refund(row: Row[Any]) -> RefundItem | None:
    if row.refund_task_id is None:
        return None
    status = refund_state(row.refund_task_status, row.refund_status)
    return RefundItem.model_construct(status=status, amount_jpy=row.refund_amount_jpy)


def _rank(row: Row[Any]) -> int:
    if row.status != "PAID":
        return 0
    return 1 if row.refund_task_id is not None else 2
