"""Refunds: what Stripe reports about them, and what the office asks for."""

from sqlalchemy import select, update

from tsudoi.booking.checkout.queries.payments import StoredPayment, stored_payment
from tsudoi.booking.checkout.rules.events import EventFacts, later_refund_status
from tsudoi.booking.payments.errors import AlreadyRefunded, NoSuchPayment, NoSuchStripeEvent, NotPaid
from tsudoi.booking.payments.models import PaymentTask, StoredStripeEvent
from tsudoi.booking.payments.service.tasks import refund_one
from tsudoi.core import audit
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql

# Somebody paid it back in Stripe's own dashboard. The row keeps a second refund away.
_PAID_BACK_ELSEWHERE = RawSql(
    """INSERT INTO payment_tasks (payment_id, kind, amount_jpy, reason, requested_by, idempotency_key, refund_status,
        status, due_at, created_at, updated_at)
    SELECT p.id, 'REFUND', p.amount_jpy, 'Stripe の管理画面での返金', 'stripe', p.idempotency_key || '-refund',
        'succeeded', 'DONE', :now, :now, :now
    FROM payments p WHERE p.id = :id
    ON CONFLICT (payment_id, kind) DO NOTHING"""
)
# After a refusal or an unknown outcome nothing more happens with the old key, so the next attempt has a new one.
_AGAIN = RawSql(
    """UPDATE payment_tasks SET status = 'PENDING', due_at = :now, updated_at = :now, requested_by = :by,
        reason = :reason, idempotency_key = idempotency_key || '+', attempt_count = 0, first_attempt_at = NULL,
        uncertain = FALSE, refund_id = NULL, refund_status = NULL
    WHERE payment_id = :id AND kind = 'REFUND'
        AND (status IN ('FAILED', 'UNKNOWN') OR (status = 'DONE' AND refund_status IN ('failed', 'canceled')))"""
)


def note(tx: Tx, payment: StoredPayment, facts: EventFacts) -> str:
    """Keep what Stripe says about a refund."""
    of_payment = (PaymentTask.payment_id == payment.id, PaymentTask.kind == "REFUND")
    task = tx.execute(select(PaymentTask.__table__).where(*of_payment).with_for_update()).one_or_none()
    if task is None:
        whole = facts.refund_id is None and facts.amount == payment.amount_jpy and payment.status == "PAID"
        if whole:
            _PAID_BACK_ELSEWHERE.changed(tx, {"id": payment.id, "now": utc_text(tx.now)})
        return "REFUNDED_ELSEWHERE" if whole else "REFUND_NOTED"
    # An older refund that failed says nothing about the one that is under way now.
    is_older = task.status != "DONE" and facts.refund_status in ("failed", "canceled")
    if facts.refund_id is not None and task.refund_id in (None, facts.refund_id) and not is_older:
        status = later_refund_status(task.refund_status, facts.refund_status)
        known = {"refund_id": facts.refund_id, "refund_status": status, "updated_at": tx.now}
        if facts.amount == task.amount_jpy:
            # Our own call may have ended in silence, and need not be repeated.
            known |= {"status": "DONE", "last_error": None, "lease_token": None, "lease_until": None}
        tx.execute(update(PaymentTask).where(*of_payment).values(**known))
    return "REFUND_NOTED"


def refund(tx: Tx, payment_id: int, reason: str, actor: str) -> None:
    """The office pays a payment back, also where the rule of the type would not. A failed refund is tried again."""
    payment = stored_payment(tx, payment_id)
    if payment is None:
        raise NoSuchPayment
    if payment.status != "PAID":
        raise NotPaid
    given = {"id": payment_id, "now": utc_text(tx.now), "by": actor, "reason": reason}
    if not refund_one(tx, payment_id, actor, reason) and not _AGAIN.changed(tx, given):
        raise AlreadyRefunded
    new = {"payment_id": payment_id, "amount_jpy": payment.amount_jpy}
    audit.record(tx, actor, "PAYMENT_REFUND", f"reservation:{payment.reservation_id}", reason=reason, new=new)


def resolve(tx: Tx, event_id: str, note_text: str, actor: str) -> None:
    """The office has looked at a mismatch. A second time changes nothing."""
    mismatch = (StoredStripeEvent.event_id == event_id, StoredStripeEvent.outcome == "MISMATCH")
    columns = (StoredStripeEvent.resolved_at, StoredStripeEvent.reservation_id)
    found = tx.execute(select(*columns).where(*mismatch).with_for_update()).one_or_none()
    if found is None:
        raise NoSuchStripeEvent
    if found.resolved_at is not None:
        return
    done = {"resolved_at": tx.now, "resolved_by": actor, "resolved_note": note_text}
    tx.execute(update(StoredStripeEvent).where(*mismatch).values(**done))
    subject = f"reservation:{found.reservation_id}"
    audit.record(tx, actor, "STRIPE_RESOLVE", subject, reason=note_text, new={"event_id": event_id})
