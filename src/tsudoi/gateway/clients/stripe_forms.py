"""The bodies of our requests to Stripe: encoded once, stored with their key, and sent unchanged at every attempt."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import urlencode

# Stripe's limits. The yen has no minor unit: 3000 means 3,000 yen.
LEAST_YEN, MOST_YEN = 50, 99_999_999
KONBINI_YEN = (120, 300_000)
KONBINI_DAYS = (1, 60)
# Stripe takes 30 minutes to 24 hours, by its own clock and when the request arrives, so a margin is left on both sides.
SHORTEST_LIFE, LONGEST_LIFE = timedelta(minutes=31), timedelta(hours=23, minutes=55)
# Stripe puts the id of the session in its place. It only works in a query that is otherwise complete.
SESSION_ID_MARK = "{CHECKOUT_SESSION_ID}"

Pairs = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class CheckoutOrder:
    """What one Checkout Session asks a person to pay, and where it leads afterwards.

    `reference` and `metadata` come back with the session; the metadata also comes back with the payment, to which
    Stripe does not copy it. With `konbini_days` the person may pay at a convenience store until the end of that day;
    without, konbini is not offered, because the seat would be held for days.
    """

    amount_jpy: int
    product_name: str
    reference: str
    success_url: str
    cancel_url: str
    expires_at: datetime
    metadata: Mapping[str, str] = field(default_factory=dict)
    customer_email: str | None = None
    konbini_days: int | None = None


def session_form(order: CheckoutOrder) -> str:
    """The body that creates a Checkout Session. The payment method types are not listed: Stripe refuses that."""
    item = "line_items[0]"
    pairs: Pairs = [
        ("mode", "payment"),
        (f"{item}[price_data][currency]", "jpy"),
        (f"{item}[price_data][unit_amount]", str(order.amount_jpy)),
        (f"{item}[price_data][product_data][name]", order.product_name),
        (f"{item}[quantity]", "1"),
        ("client_reference_id", order.reference),
        *_metadata("metadata", order.metadata),
        *_metadata("payment_intent_data[metadata]", order.metadata),
        ("success_url", order.success_url),
        ("cancel_url", order.cancel_url),
        ("expires_at", str(int(order.expires_at.timestamp()))),
        ("locale", "ja"),
        ("submit_type", "book"),
    ]
    if order.konbini_days is None:
        pairs.append(("excluded_payment_method_types[0]", "konbini"))
    else:
        pairs.append(("payment_method_options[konbini][expires_after_days]", str(order.konbini_days)))
    if order.customer_email is not None:
        pairs.append(("customer_email", order.customer_email))
    return _encoded(pairs)


def refund_form(
    payment_intent: str,
    *,
    amount_jpy: int | None = None,
    reason: str | None = "requested_by_customer",
    metadata: Mapping[str, str] | None = None,
) -> str:
    """Without an amount everything that is left is refunded. Stripe knows three reasons; None gives none."""
    pairs: Pairs = [("payment_intent", payment_intent)]
    if amount_jpy is not None:
        pairs.append(("amount", str(amount_jpy)))
    if reason is not None:
        pairs.append(("reason", reason))
    return _encoded([*pairs, *_metadata("metadata", metadata or {})])


def _metadata(name: str, values: Mapping[str, str]) -> Pairs:
    return [(f"{name}[{key}]", value) for key, value in values.items()]


def _encoded(pairs: Pairs) -> str:
    return urlencode(pairs)
