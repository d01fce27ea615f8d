"""Until when a seat is held and its payment page is open, and what the page asks for. Pure."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from tsudoi.booking.types.rules import takes_konbini
from tsudoi.core.clock import JST
from tsudoi.gateway.clients.stripe_forms import LONGEST_LIFE, SHORTEST_LIFE, CheckoutOrder, session_form

# Pages that Stripe has opened for one reservation, and all that were decided.
MOST_PAGES, MOST_TRIES = 3, 10
# The page closes before the hold ends, so that a payment in its last second still finds the seat.
_MARGIN = timedelta(minutes=4)
_KONBINI_DAYS = 3
# Stripe tells about the last payments of a day after its end.
_KONBINI_GRACE = timedelta(hours=2)
_BEFORE_BEGIN = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class HoldTimes:
    """Until when a seat is held, and until when it can be paid for."""

    hold_expires_at: datetime
    page_expires_at: datetime


@dataclass(frozen=True, slots=True)
class PaymentOrder:
    """What one payment page asks for. `sequence`: a further page of the same reservation has the next number."""

    reservation_id: int
    sequence: int
    amount_jpy: int
    product_name: str
    page_expires_at: datetime
    konbini: bool
    # The address of this server, to which the page leads back.
    public_base_url: str


def hold_times(now: datetime, hold_minutes: int, begins_at: datetime) -> HoldTimes:
    """A seat is not held beyond the begin of its slot. Stripe keeps the page open for half an hour at least, so that
    it may have to be closed by a call when the hold ends.
    """
    hold = timedelta(minutes=hold_minutes)
    page = min(max(hold - _MARGIN, SHORTEST_LIFE), LONGEST_LIFE)
    return HoldTimes(min(now + hold, begins_at), now + page)


def offers_konbini(*, konbini: bool, price_jpy: int, begins_at: datetime, now: datetime) -> bool:
    """Not for a slot that is near: the seat would be held unpaid until the day before."""
    in_time = konbini_hold_until(now) + _BEFORE_BEGIN <= begins_at
    return konbini and takes_konbini(price_jpy) and in_time


def konbini_hold_until(now: datetime) -> datetime:
    """How long a seat is held for somebody who got a konbini slip now: until the end of the slip's last day."""
    last_day = now.astimezone(JST).date() + timedelta(days=_KONBINI_DAYS)
    return datetime.combine(last_day + timedelta(days=1), time(), JST) + _KONBINI_GRACE


def page_body(order: PaymentOrder, key: str) -> str:
    """The request that opens the page. It names type, reservation and payment, and nothing about the person.

    The key is random, so that an event of another installation with the same account of Stripe is not taken for ours.
    """
    back = f"{order.public_base_url}/staff/reservations/{order.reservation_id}"
    return session_form(
        CheckoutOrder(
            amount_jpy=order.amount_jpy,
            product_name=order.product_name,
            reference=str(order.reservation_id),
            success_url=f"{back}?paid=1",
            cancel_url=f"{back}?left=1",
            expires_at=order.page_expires_at,
            metadata={"reservation_id": str(order.reservation_id), "payment_key": key},
            konbini_days=_KONBINI_DAYS if order.konbini else None,
        )
    )


def is_refunded_by_rule(refund_until_hours: int | None, begins_at: datetime, now: datetime) -> bool:
    """Whether a cancellation at this time pays the price back. The office may always pay back."""
    until = refund_until(refund_until_hours, begins_at)
    return until is None or now <= until


def refund_until(refund_until_hours: int | None, begins_at: datetime) -> datetime | None:
    """None: always."""
    return None if refund_until_hours is None else begins_at - timedelta(hours=refund_until_hours)
