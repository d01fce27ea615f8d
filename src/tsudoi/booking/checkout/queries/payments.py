"""Payments as the verbs read them."""

from dataclasses import dataclass
from itertools import starmap
from typing import Any

from tsudoi.booking.checkout.rules.events import EventFacts
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql

_COLUMNS = """id, reservation_id, sequence, amount_jpy, status, session_id, payment_intent_id, session_expires_at,
    idempotency_key"""
_OF_RESERVATION = RawSql(f"SELECT {_COLUMNS} FROM payments WHERE reservation_id = :id ORDER BY sequence")  # noqa: S608 (names of ours)
_ONE = RawSql(f"SELECT {_COLUMNS} FROM payments WHERE id = :id")  # noqa: S608 (names of ours)
_RESERVATION = RawSql(
    """SELECT reservation_id FROM payments WHERE session_id = :session_id
    UNION ALL SELECT reservation_id FROM payments WHERE payment_intent_id = :intent_id LIMIT 1"""
)
_BY_KEY = RawSql("SELECT reservation_id FROM payments WHERE idempotency_key = :key")
_EXISTS = RawSql("SELECT id FROM reservations WHERE id = :id")


@dataclass(frozen=True, slots=True)
class StoredPayment:
    """A payment as it is stored."""

    id: int
    reservation_id: int
    sequence: int
    amount_jpy: int
    status: str
    session_id: str | None
    payment_intent_id: str | None
    session_expires_at: str
    idempotency_key: str


def payments_of_reservation(tx: ReadTx, reservation_id: int) -> list[StoredPayment]:
    """The first page first."""
    return list(starmap(StoredPayment, _OF_RESERVATION.all(tx, {"id": reservation_id})))


def stored_payment(tx: ReadTx, payment_id: int) -> StoredPayment | None:
    found = _ONE.first(tx, {"id": payment_id})
    return None if found is None else StoredPayment(*found)


def reservation_of_event(tx: ReadTx, facts: EventFacts) -> int | None:
    """The reservation that the event names, or else the one of its page or its payment.

    The number of a reservation alone could be that of another installation with the same account of Stripe.
    """
    if facts.payment_key is not None:
        named = _BY_KEY.first(tx, {"key": facts.payment_key})
        return None if named is None else int(named[0])
    if facts.reservation_id is not None and _EXISTS.first(tx, {"id": facts.reservation_id}) is not None:
        return facts.reservation_id
    given: dict[str, Any] = {"session_id": facts.session_id, "intent_id": facts.payment_intent_id}
    found = _RESERVATION.first(tx, given)
    return None if found is None else int(found[0])


def payment_of_event(payments: list[StoredPayment], facts: EventFacts) -> StoredPayment | None:
    """Which of the payments an event is about. The event of a payment does not name its page."""
    for one in payments:
        if one.idempotency_key == facts.payment_key:
            return one
    for one in payments:
        if facts.session_id is not None and one.session_id == facts.session_id:
            return one
    for one in payments:
        if facts.payment_intent_id is not None and one.payment_intent_id == facts.payment_intent_id:
            return one
    for one in payments:
        # It was paid by an event that did not name both; this is the other event of the same payment.
        if one.status == "PAID" and None in (one.session_id, one.payment_intent_id) and _may_be(one, facts):
            return one
    open_ones = [one for one in payments if one.status != "PAID" and _may_be(one, facts)]
    return open_ones[-1] if open_ones else None


def _may_be(payment: StoredPayment, facts: EventFacts) -> bool:
    """Not if page or payment are known to be others."""
    other_page = None not in (facts.session_id, payment.session_id)
    other_intent = None not in (facts.payment_intent_id, payment.payment_intent_id)
    return not other_page and not other_intent
