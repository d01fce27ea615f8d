"""Reads Stripe's JSON objects. Each function returns None for anything that is not such an object."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from tsudoi.gateway.clients.stripe_outcomes import StripeEvent, StripePaymentIntent, StripeRefund, StripeSession

Parsed = Mapping[str, Any]


def json_object(body: bytes) -> dict[str, Any] | None:
    """Uses `json`, because orjson refuses lone surrogates, which Stripe passes on in names."""
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None


def session(found: Parsed) -> StripeSession | None:
    status, payment_status, expires_at = found.get("status"), found.get("payment_status"), moment(found, "expires_at")
    if not _is_a("checkout.session", found) or expires_at is None:
        return None
    if not isinstance(status, str) or not isinstance(payment_status, str):
        return None
    return StripeSession(
        id=found["id"],
        status=status,
        payment_status=payment_status,
        payment_intent=id_of(found.get("payment_intent")),
        url=text(found.get("url")),
        amount_total=whole(found.get("amount_total")),
        currency=text(found.get("currency")),
        metadata=_metadata(found),
        client_reference_id=text(found.get("client_reference_id")),
        expires_at=expires_at,
        livemode=found.get("livemode") is True,
    )


def payment_intent(found: Parsed) -> StripePaymentIntent | None:
    status, amount, currency = found.get("status"), whole(found.get("amount")), found.get("currency")
    if not _is_a("payment_intent", found) or amount is None:
        return None
    if not isinstance(status, str) or not isinstance(currency, str):
        return None
    received = whole(found.get("amount_received")) or 0
    livemode = found.get("livemode") is True
    return StripePaymentIntent(found["id"], status, amount, received, currency, _metadata(found), livemode)


def refund(found: Parsed) -> StripeRefund | None:
    status, amount = found.get("status"), whole(found.get("amount"))
    if not _is_a("refund", found) or amount is None or not isinstance(status, str):
        return None
    return StripeRefund(found["id"], status, amount, id_of(found.get("payment_intent")), _metadata(found))


def event(found: Parsed) -> StripeEvent | None:
    """Also for the body of a webhook, after its signature has been checked."""
    kind, created, data = found.get("type"), moment(found, "created"), found.get("data")
    if not _is_a("event", found) or created is None or not isinstance(kind, str):
        return None
    if not isinstance(data, dict) or not isinstance(data.get("object"), dict):
        return None
    return StripeEvent(found["id"], kind, created, found.get("livemode") is True, data["object"])


def id_of(value: Any) -> str | None:
    """Stripe gives an id, or the whole object where somebody asked for it to be expanded."""
    return text(value.get("id")) if isinstance(value, dict) else text(value)


def text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def moment(found: Parsed, name: str) -> datetime | None:
    seconds = whole(found.get(name))
    try:
        return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def _is_a(kind: str, found: Parsed) -> bool:
    return found.get("object") == kind and text(found.get("id")) is not None


def _metadata(found: Parsed) -> dict[str, str]:
    given = found.get("metadata")
    return {str(key): str(value) for key, value in given.items()} if isinstance(given, dict) else {}
