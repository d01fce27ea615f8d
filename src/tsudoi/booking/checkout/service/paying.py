"""A person pays for a held seat: on the page that is open, or on a further one."""

from dataclasses import dataclass

from tsudoi.booking.checkout.queries.payments import StoredPayment, payments_of_reservation
from tsudoi.booking.payments.errors import AlreadyPaid, HoldExpired, NothingToPay, PaymentUnavailable, TooManyPages
from tsudoi.booking.payments.rules.terms import MOST_PAGES, MOST_TRIES, PaymentOrder, hold_times, offers_konbini
from tsudoi.booking.payments.service.opening import create_payment
from tsudoi.booking.reservations.errors import Canceled, NoSuchReservation
from tsudoi.booking.reservations.queries.reservations import StoredReservation, reservation_of
from tsudoi.booking.reservations.service import seats
from tsudoi.booking.reservations.service.locking import lock_reservation
from tsudoi.core.clock import parse_utc, utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql

_TYPE = RawSql("SELECT name, hold_minutes, konbini FROM reservation_types WHERE id = :id")
_CLOSE = RawSql(
    "UPDATE payments SET status = 'EXPIRED', updated_at = :now WHERE id = :id AND status IN ('CREATING', 'OPEN')"
)


@dataclass(frozen=True, slots=True)
class PayingPerson:
    """Who pays for which reservation, and this server's address; None: it takes no payments."""

    staff_uid: str
    reservation_id: int
    pay_at: str | None


def pay(tx: Tx, person: PayingPerson) -> int:
    """The number of the page on which the person can pay. A further one is decided when the last one is over."""
    found = _held(tx, person)
    payments = payments_of_reservation(tx, found.id)
    if payments and _is_open(tx, payments[-1]):
        return payments[-1].sequence
    opened = [one for one in payments if one.session_id is not None]
    if len(opened) >= MOST_PAGES or len(payments) >= MOST_TRIES:
        raise TooManyPages
    for one in payments:
        _CLOSE.changed(tx, {"id": one.id, "now": utc_text(tx.now)})
    return _further_page(tx, found, len(payments) + 1, person.pay_at or "")


def _held(tx: Tx, person: PayingPerson) -> StoredReservation:
    before = reservation_of(tx, person.reservation_id)
    if before is None or before.staff_uid != person.staff_uid:
        raise NoSuchReservation
    found = lock_reservation(tx, person.reservation_id) or before
    if found.price_jpy is None:
        raise NothingToPay
    if found.ran_out(tx.now):
        raise HoldExpired
    if found.canceled_at is not None:
        raise Canceled
    if found.is_confirmed:
        raise AlreadyPaid
    if person.pay_at is None:
        raise PaymentUnavailable
    return found


def _is_open(tx: Tx, payment: StoredPayment) -> bool:
    """Also a page that Stripe has not opened yet: the same request is sent again. A konbini slip has no page."""
    if payment.status == "CREATING":
        return True
    is_page = payment.status == "OPEN" and payment.payment_intent_id is None
    return is_page and parse_utc(payment.session_expires_at) > tx.now


def _further_page(tx: Tx, found: StoredReservation, sequence: int, pay_at: str) -> int:
    """The hold grows with the new page, so that there is time to pay on it."""
    type_row = _TYPE.first(tx, {"id": found.type_id})
    assert type_row is not None  # noqa: S101 (a reservation has a type)
    name, hold_minutes, konbini = type_row
    times = hold_times(tx.now, hold_minutes, found.begins_at)
    price = found.price_jpy or 0
    slip = offers_konbini(konbini=bool(konbini), price_jpy=price, begins_at=found.begins_at, now=tx.now)
    create_payment(tx, PaymentOrder(found.id, sequence, price, name, times.page_expires_at, slip, pay_at))
    seats.hold_until(tx, found.id, max(times.hold_expires_at, parse_utc(found.hold_expires_at or "")))
    return sequence
