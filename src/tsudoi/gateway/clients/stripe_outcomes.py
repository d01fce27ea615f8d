"""The outcomes of calls to Stripe as values, so that pure code can decide what to do next."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

# In these cases Stripe was not called.
NO_KEY = "Stripe のシークレットキーが空です / the secret key is empty"
ODD_KEY = "the secret key has letters that no key has"


@dataclass(frozen=True, slots=True)
class StripeSession:
    """A Checkout Session: one page on which one person can pay once.

    `complete` does not mean paid: a session of a konbini payment is complete and unpaid until the person has been to
    the shop. `payment_intent` is None until the person pays, and `url` is None when the session is no longer open.
    """

    id: str
    status: str  # open, complete or expired
    payment_status: str  # paid, unpaid or no_payment_required
    payment_intent: str | None
    url: str | None
    amount_total: int | None
    currency: str | None
    metadata: Mapping[str, str]
    client_reference_id: str | None
    expires_at: datetime
    livemode: bool


@dataclass(frozen=True, slots=True)
class StripePaymentIntent:
    """The payment itself. It is paid when its status is `succeeded`."""

    id: str
    status: str
    amount: int
    amount_received: int
    currency: str
    metadata: Mapping[str, str]
    livemode: bool


@dataclass(frozen=True, slots=True)
class StripeRefund:
    """A refund. `pending` and `requires_action` may still fail; the refund of a konbini payment begins so."""

    id: str
    status: str  # pending, requires_action, succeeded, failed or canceled
    amount: int
    payment_intent: str | None
    metadata: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StripeEvent:
    """Something that happened at Stripe, as a webhook carries it and as the list of events repeats it for 30 days.

    `object` is the object as it was at that moment, not as it is now.
    """

    id: str
    type: str
    created: datetime
    livemode: bool
    object: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StripeEventPage:
    """A part of the list of events, newest first. `next_page` is None at the end."""

    events: tuple[StripeEvent, ...]
    next_page: str | None


@dataclass(frozen=True, slots=True)
class StripeRefused:
    """Stripe refused the call, nothing happened, and the same call would be refused again."""

    status: int
    type: str
    code: str | None
    message: str
    param: str | None = None
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class StripeUnknown:
    """There is no final answer, and the same body may be sent again with the same key.

    `maybe_done` is False when Stripe certainly did nothing: there was no connection, or too many calls at once.
    `replayed`: Stripe repeated a failure that it has stored with the key. For a day this key gives no other answer, so
    the caller looks what Stripe has, and then uses a new key.
    """

    reason: str
    maybe_done: bool
    request_id: str | None = None
    replayed: bool = False


StripeFailure = StripeRefused | StripeUnknown

# For a request of ours that waited too long. The call may have begun, so it may have been done.
STRIPE_BUSY = StripeUnknown("too many calls to Stripe are waiting", maybe_done=True)
