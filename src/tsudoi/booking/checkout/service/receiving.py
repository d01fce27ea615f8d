"""Stores an event of Stripe once, and applies what it says. Any order and any number of events gives one result."""

from tsudoi.booking.checkout.queries.payments import (
    StoredPayment,
    payment_of_event,
    payments_of_reservation,
    reservation_of_event,
)
from tsudoi.booking.checkout.rules.events import EventFacts, is_live, mismatch
from tsudoi.booking.checkout.service import paid, refunds
from tsudoi.booking.payments.rules.terms import konbini_hold_until
from tsudoi.booking.reservations.queries.reservations import StoredReservation
from tsudoi.booking.reservations.service import seats
from tsudoi.booking.reservations.service.holds import give_back
from tsudoi.booking.reservations.service.locking import lock_reservation
from tsudoi.core.clock import parse_utc, utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.settings import Settings

_STORE = RawSql(
    """INSERT INTO stripe_events (event_id, type, livemode, session_id, payment_intent_id, reservation_id, amount,
        currency, payment_status, created_at, received_at, outcome)
    VALUES (:event_id, :type, :livemode, :session_id, :payment_intent_id, :reservation_id, :amount, :currency,
        :payment_status, :created_at, :now, 'IGNORED')
    ON CONFLICT DO NOTHING RETURNING event_id"""
)
_OUTCOME = RawSql(
    """UPDATE stripe_events SET outcome = :outcome, detail = :detail, reservation_id = COALESCE(:reservation_id,
        reservation_id) WHERE event_id = :event_id"""
)
_SLIP = RawSql(
    """UPDATE payments SET payment_intent_id = :intent_id, session_id = COALESCE(session_id, :session_id),
        updated_at = :now
    WHERE id = :id AND status IN ('CREATING', 'OPEN')"""
)
_END = RawSql(
    """UPDATE payments SET status = :status, session_id = COALESCE(session_id, :session_id), updated_at = :now
    WHERE id = :id AND status IN ('CREATING', 'OPEN')"""
)

Applied = tuple[str, str | None]


def live_mode(settings: Settings) -> bool:
    """Whether our own key moves real money."""
    key = settings.stripe_secret_key
    return key is not None and is_live(key.get_secret_value())


def receive(tx: Tx, facts: EventFacts, *, live: bool) -> tuple[str, list[tuple[str, int]]] | None:
    """Returns what became of the event, and the notices to try after the commit. None: it was stored before.

    `live`: see `live_mode`.
    """
    if _STORE.first(tx, {**_stored(facts), "now": utc_text(tx.now)}) is None:
        return None
    reservation_id = reservation_of_event(tx, facts) if facts.meaning is not None else None
    outcome, detail = _apply(tx, facts, reservation_id, live=live)
    _OUTCOME.changed(
        tx, {"event_id": facts.event_id, "outcome": outcome, "detail": detail, "reservation_id": reservation_id}
    )
    return f"{outcome} {detail}", tx.enqueued


def _apply(tx: Tx, facts: EventFacts, reservation_id: int | None, *, live: bool) -> Applied:
    if facts.meaning is None or reservation_id is None:
        return "IGNORED", "OTHER_TYPE" if facts.meaning is None else "UNKNOWN_RESERVATION"
    found = lock_reservation(tx, reservation_id)
    assert found is not None  # noqa: S101 (it was found before, and reservations are never deleted)
    payments = payments_of_reservation(tx, reservation_id)
    payment = payment_of_event(payments, facts)
    wrong = mismatch(facts, found.price_jpy if payment is None else payment.amount_jpy, live=live)
    if wrong is not None:
        return "MISMATCH", wrong
    if facts.meaning == "PAID":
        return "APPLIED", paid.apply_paid(tx, found, payment, facts)
    if payment is None:
        return "IGNORED", "UNKNOWN_PAYMENT"
    if facts.meaning == "REFUND":
        return "APPLIED", refunds.note(tx, payment, facts)
    end = _extend_hold if facts.meaning == "SLIP" else _end
    return "APPLIED", end(tx, found, payment, facts)


def _extend_hold(tx: Tx, found: StoredReservation, payment: StoredPayment, facts: EventFacts) -> str:
    """The person got a konbini slip: the seat is held until its last day is over."""
    ids = {"intent_id": facts.payment_intent_id, "session_id": facts.session_id}
    _SLIP.changed(tx, {"id": payment.id, "now": utc_text(tx.now), **ids})
    if found.canceled_at is not None or found.is_confirmed or found.hold_expires_at is None:
        return "SLIP_NOT_NEEDED"
    until = min(konbini_hold_until(facts.created_at or tx.now), found.begins_at)
    seats.hold_until(tx, found.id, max(until, parse_utc(found.hold_expires_at)))
    return "SLIP"


def _end(tx: Tx, found: StoredReservation, payment: StoredPayment, facts: EventFacts) -> str:
    """The page was closed unpaid, or its slip was never paid. The seat is given back unless another page is open."""
    status = "EXPIRED" if facts.meaning == "EXPIRED" else "FAILED"
    ids = {"id": payment.id, "session_id": facts.session_id}
    if not _END.changed(tx, {"status": status, "now": utc_text(tx.now), **ids}):
        return "ENDED_BEFORE"
    others = [one for one in payments_of_reservation(tx, found.id) if one.status in ("CREATING", "OPEN", "PAID")]
    if others or found.canceled_at is not None or found.is_confirmed:
        return status
    give_back(tx, found)
    return f"{status}_SEAT_GIVEN_BACK"


def _stored(facts: EventFacts) -> dict[str, str | int | None]:
    return {
        "event_id": facts.event_id,
        "type": facts.type,
        "livemode": int(facts.livemode),
        "session_id": facts.session_id,
        "payment_intent_id": facts.payment_intent_id,
        "reservation_id": facts.reservation_id,
        "amount": facts.amount,
        "currency": facts.currency,
        "payment_status": facts.payment_status,
        "created_at": None if facts.created_at is None else utc_text(facts.created_at),
    }
