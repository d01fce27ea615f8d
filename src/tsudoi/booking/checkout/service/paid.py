"""The money is there: the held seat becomes certain, or the money goes back. The slot is locked."""

import uuid

from tsudoi.booking.checkout.queries.payments import StoredPayment
from tsudoi.booking.checkout.rules.events import EventFacts
from tsudoi.booking.payments.service.tasks import close_pages, refund_one
from tsudoi.booking.reservations.models import HOLD_EXPIRED
from tsudoi.booking.reservations.queries.reservations import StoredReservation
from tsudoi.booking.reservations.rules.deciding import office_refusal, too_soon
from tsudoi.booking.reservations.service import seats
from tsudoi.booking.reservations.service.locking import lock
from tsudoi.core import audit
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.notifications.notices.service import making

# How the audit trail names Stripe.
STRIPE = "stripe"

_MARK_PAID = RawSql(
    """UPDATE payments SET status = 'PAID', paid_at = :now, session_id = COALESCE(session_id, :session_id),
        payment_intent_id = COALESCE(:intent_id, payment_intent_id), last_error = NULL, updated_at = :now
    WHERE id = :id"""
)
_ADD_PAID = RawSql(
    """INSERT INTO payments (reservation_id, sequence, amount_jpy, status, session_id, payment_intent_id,
        idempotency_key, request_body, session_expires_at, paid_at, created_at, updated_at)
    SELECT :reservation_id, COALESCE(MAX(sequence), 0) + 1, :amount, 'PAID', :session_id, :intent_id, :key, '', :now,
        :now, :now, :now
    FROM payments WHERE reservation_id = :reservation_id RETURNING id"""
)
# The two events of one payment complete each other.
_COMPLETE = RawSql(
    """UPDATE payments SET session_id = COALESCE(session_id, :session_id),
        payment_intent_id = COALESCE(payment_intent_id, :intent_id)
    WHERE id = :id"""
)


def apply_paid(tx: Tx, found: StoredReservation, payment: StoredPayment | None, facts: EventFacts) -> str:
    """Returns what became of it. `payment` None: a page that we do not know was paid."""
    ids = {"session_id": facts.session_id, "intent_id": facts.payment_intent_id}
    if payment is not None and payment.status == "PAID":
        _COMPLETE.changed(tx, {"id": payment.id, **ids})
        return "ALREADY_PAID"
    payment_id = _mark_paid(tx, found.id, payment, facts)
    if found.canceled_at is None and not found.is_confirmed:
        # Also a hold that ran out a moment ago: nobody has the seat yet.
        seats.confirm(tx, found.id)
        making.confirmed(tx, found.appointment)
        _record_confirmed(tx, found)
        return "CONFIRMED"
    if found.canceled_at is None:
        refund_one(tx, payment_id, STRIPE, "二重の支払い")
        return "DOUBLE_PAYMENT"
    if found.cancel_reason == HOLD_EXPIRED and _revived(tx, found):
        _record_confirmed(tx, found)
        return "LATE_CONFIRMED"
    refund_one(tx, payment_id, STRIPE, "期限切れ・取り消しのあとの支払い")
    making.canceled(tx, found.appointment, tell=True)
    return "LATE_REFUNDED"


def _mark_paid(tx: Tx, reservation_id: int, payment: StoredPayment | None, facts: EventFacts) -> int:
    ids = {"session_id": facts.session_id, "intent_id": facts.payment_intent_id, "now": utc_text(tx.now)}
    if payment is not None:
        _MARK_PAID.changed(tx, {"id": payment.id, **ids})
        return payment.id
    new = {"reservation_id": reservation_id, "amount": facts.amount, "key": f"tsudoi-{uuid.uuid4()}"}
    made = _ADD_PAID.first(tx, {**new, **ids})
    assert made is not None  # noqa: S101 (the statement returns the id)
    return int(made[0])


def _revived(tx: Tx, found: StoredReservation) -> bool:
    """Give the person the seat after all, if the slot still has one for them and has not begun."""
    locked = lock(tx, found.slot_id, found.staff_uid)
    if locked is None or locked.staff_status != "active" or found.begins_at <= tx.now:
        return False
    if office_refusal(locked.facts) is not None or too_soon(locked.facts) is not None:
        return False
    return seats.revive(tx, locked, found.id)


def _record_confirmed(tx: Tx, found: StoredReservation) -> None:
    close_pages(tx, found.id, STRIPE, "支払い済み")
    audit.record(tx, STRIPE, "RESERVE_CONFIRM", f"reservation:{found.id}", new={"price_jpy": found.price_jpy})
