"""What an event of Stripe says about a payment. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from tsudoi.gateway.clients import stripe_objects as objects
from tsudoi.gateway.clients.stripe_outcomes import StripeEvent, StripeSession

# PAID: the money is there. SLIP: the person got a konbini slip and has not paid. FAILED: the slip was not paid in time.
# EXPIRED: the page was closed unpaid. REFUND: money went back, or that failed.
Meaning = Literal["PAID", "SLIP", "FAILED", "EXPIRED", "REFUND"]

_ALWAYS: dict[str, Meaning] = {
    "checkout.session.async_payment_succeeded": "PAID",
    "checkout.session.async_payment_failed": "FAILED",
    "checkout.session.expired": "EXPIRED",
    "payment_intent.succeeded": "PAID",
    "charge.refunded": "REFUND",
    "refund.created": "REFUND",
    "refund.updated": "REFUND",
    "refund.failed": "REFUND",
}
COMPLETED = "checkout.session.completed"
# What we learned from Stripe by asking, because no webhook came.
ASKED = "tsudoi.session_read"
# Those that the reconciliation asks for.
TYPES = (COMPLETED, *_ALWAYS)
_PAID = ("paid", "no_payment_required")
_ID = re.compile(r"[1-9][0-9]{0,14}")
_LONGEST_TEXT = 255
_LARGEST_AMOUNT = 2**31 - 1


@dataclass(frozen=True, slots=True)
class EventFacts:
    """The parts of an event that we keep. None of them is personal."""

    event_id: str
    type: str
    created_at: datetime | None
    livemode: bool
    session_id: str | None = None
    payment_intent_id: str | None = None
    reservation_id: int | None = None
    # The random key of the payment, by which an event of ours is known.
    payment_key: str | None = None
    amount: int | None = None
    currency: str | None = None
    payment_status: str | None = None
    refund_id: str | None = None
    refund_status: str | None = None

    @property
    def meaning(self) -> Meaning | None:
        """None: it changes nothing here. A completed page is not paid for if the person got a konbini slip."""
        if self.type == ASKED and self.payment_status == "expired":
            return "EXPIRED"
        if self.type in (COMPLETED, ASKED):
            return "PAID" if self.payment_status in _PAID else "SLIP"
        return _ALWAYS.get(self.type)


def facts_of(event: StripeEvent) -> EventFacts | None:
    """None if it is no event that Stripe could have made."""
    if not _is_text(event.id) or not _is_text(event.type):
        return None
    found = event.object
    kind = found.get("object")
    if kind == "checkout.session":
        special = {"session_id": found.get("id"), "payment_intent_id": objects.id_of(found.get("payment_intent"))}
        amount, status = found.get("amount_total"), found.get("payment_status")
    elif kind == "payment_intent":
        special = {"payment_intent_id": found.get("id")}
        amount, status = found.get("amount_received", found.get("amount")), found.get("status")
    else:
        special = {"payment_intent_id": objects.id_of(found.get("payment_intent"))}
        amount, status = found.get("amount_refunded", found.get("amount")), found.get("status")
        if kind == "refund":
            special |= {"refund_id": found.get("id"), "refund_status": status}
    return EventFacts(
        event_id=event.id,
        type=event.type,
        created_at=event.created,
        livemode=event.livemode,
        reservation_id=_number(_metadata(found, "reservation_id") or found.get("client_reference_id")),
        payment_key=_text(_metadata(found, "payment_key")),
        amount=_amount(amount),
        currency=_text(found.get("currency")),
        payment_status=_text(status),
        **{name: _text(value) for name, value in special.items()},
    )


def facts_of_session(session: StripeSession) -> EventFacts | None:
    """The same for a session that we read. None while it is open: then nothing has happened."""
    if session.status == "open":
        return None
    status = "expired" if session.status == "expired" else session.payment_status
    return EventFacts(
        event_id=f"read:{session.id}:{status}",
        type=ASKED,
        created_at=None,
        livemode=session.livemode,
        session_id=session.id,
        payment_intent_id=session.payment_intent,
        reservation_id=_number(session.metadata.get("reservation_id") or session.client_reference_id),
        payment_key=session.metadata.get("payment_key"),
        amount=_amount(session.amount_total),
        currency=session.currency,
        payment_status=status,
    )


def mismatch(facts: EventFacts, amount_jpy: int | None, *, live: bool) -> str | None:
    """Why this money is not the price of the reservation; None if it is. A person looks at a mismatch."""
    if facts.livemode != live:
        return f"livemode: Stripe {facts.livemode}, ours {live}"
    if facts.meaning != "PAID":
        return None
    if amount_jpy is None:
        return "this reservation has no price"
    if facts.amount != amount_jpy or facts.currency != "jpy":
        return f"Stripe {facts.amount} {facts.currency}, ours {amount_jpy} jpy"
    return None


def later_refund_status(before: str | None, after: str | None) -> str | None:
    """Events come in any order. A refund that failed stays so, and one that succeeded can only fail afterwards."""
    ended = ("succeeded", "failed", "canceled")
    if after is None or before in ended[1:] or (before in ended and after not in ended):
        return before
    return after


def is_live(secret_key: str) -> bool:
    """Whether a key of ours moves real money: `sk_live_…` or `rk_live_…`."""
    return secret_key.startswith(("sk_live_", "rk_live_"))


def _metadata(found: Mapping[str, Any], name: str) -> Any:
    given = found.get("metadata")
    return given.get(name) if isinstance(given, Mapping) else None


def _number(value: Any) -> int | None:
    return int(value) if isinstance(value, str | int) and _ID.fullmatch(str(value)) else None


def _amount(value: Any) -> int | None:
    """A larger number than our columns hold is no price of ours either."""
    amount = objects.whole(value)
    return amount if amount is not None and 0 <= amount <= _LARGEST_AMOUNT else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and _is_text(value) else None


def _is_text(value: str) -> bool:
    """Stripe's ids and words are ASCII; something else must not reach the database."""
    return 0 < len(value) <= _LONGEST_TEXT and value.isascii() and value.isprintable()
