"""Writes payments: decided in the transaction of the booking, and completed with what Stripe says."""

import uuid
from dataclasses import dataclass

from tsudoi.booking.payments.rules.terms import PaymentOrder, page_body
from tsudoi.booking.payments.schemas import PaymentItem
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.log import mask_text
from tsudoi.gateway.clients.stripe_outcomes import StripeFailure, StripeRefused, StripeSession

_INSERT = RawSql(
    """INSERT INTO payments (reservation_id, sequence, amount_jpy, idempotency_key, request_body, session_expires_at,
        created_at, updated_at)
    VALUES (:reservation_id, :sequence, :amount_jpy, :key, :body, :expires_at, :now, :now) RETURNING id"""
)
_PAGE = RawSql(
    """SELECT id, status, idempotency_key, request_body, checkout_url FROM payments
    WHERE reservation_id = :reservation_id AND sequence = :sequence"""
)
# A webhook may be quicker than the answer to our own call.
_OPENED = RawSql(
    """UPDATE payments SET status = CASE WHEN status = 'CREATING' THEN 'OPEN' ELSE status END,
        session_id = :session_id, checkout_url = :url, session_expires_at = :expires_at, last_error = NULL,
        updated_at = :now
    WHERE id = :id AND (session_id IS NULL OR session_id = :session_id)"""
)
_REFUSED = RawSql(
    """UPDATE payments SET status = 'FAILED', last_error = :error, updated_at = :now
    WHERE id = :id AND status = 'CREATING'"""
)
_SILENT = RawSql("UPDATE payments SET last_error = :error, updated_at = :now WHERE id = :id AND status = 'CREATING'")
_ERROR = RawSql("UPDATE payments SET last_error = :error, updated_at = :now WHERE id = :id")
_LONGEST_ERROR = 500


@dataclass(frozen=True, slots=True)
class PaymentPage:
    """A payment, with the request that opens its page."""

    payment_id: int
    status: str
    idempotency_key: str
    request_body: str
    checkout_url: str | None


def create_payment(tx: Tx, order: PaymentOrder) -> PaymentItem:
    """Decide that a page shall be opened. The request and its key are fixed now, so that a repetition is the same."""
    times = {"expires_at": utc_text(order.page_expires_at), "now": utc_text(tx.now)}
    key = f"tsudoi-{uuid.uuid4()}"
    request = {"key": key, "body": page_body(order, key)}
    named = {"reservation_id": order.reservation_id, "sequence": order.sequence, "amount_jpy": order.amount_jpy}
    made = _INSERT.first(tx, {**named, **request, **times})
    assert made is not None  # noqa: S101 (the statement returns the id)
    return PaymentItem.model_construct(
        checkout_url=None,
        expires_at=order.page_expires_at,
        amount_jpy=order.amount_jpy,
        status="CREATING",
        refund=None,
    )


def payment_page(tx: ReadTx, reservation_id: int, sequence: int) -> PaymentPage | None:
    found = _PAGE.first(tx, {"reservation_id": reservation_id, "sequence": sequence})
    return None if found is None else PaymentPage(*found)


def record_page(tx: Tx, payment_id: int, outcome: StripeSession | StripeFailure) -> None:
    """Write what Stripe answered to the request that opens the page."""
    now = utc_text(tx.now)
    if isinstance(outcome, StripeSession):
        page = {"session_id": outcome.id, "url": outcome.url, "expires_at": utc_text(outcome.expires_at)}
        _OPENED.changed(tx, {"id": payment_id, "now": now, **page})
    elif isinstance(outcome, StripeRefused) or outcome.replayed:
        # With this key Stripe will never open a page, so the next attempt is another payment.
        _REFUSED.changed(tx, {"id": payment_id, "now": now, "error": error_text(outcome)})
    else:
        _SILENT.changed(tx, {"id": payment_id, "now": now, "error": error_text(outcome)})


def note_error(tx: Tx, payment_id: int, error: str) -> None:
    _ERROR.changed(tx, {"id": payment_id, "now": utc_text(tx.now), "error": error})


def error_text(failure: StripeFailure) -> str:
    """For the office and the engineer: what Stripe said, and under which id it knows the request."""
    if isinstance(failure, StripeRefused):
        said = f"HTTP {failure.status} {failure.code or failure.type} {failure.param or ''}: {failure.message}"
    else:
        said = f"no certain answer: {failure.reason}"
    request = f" request_id={failure.request_id}" if failure.request_id else ""
    return mask_text(said)[:_LONGEST_ERROR] + request
