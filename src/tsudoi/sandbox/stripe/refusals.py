"""The errors with which Stripe refuses a request, in Stripe's own words."""

from dataclasses import dataclass, field
from typing import Any

INVALID = "invalid_request_error"


@dataclass
class StripeRefusal(Exception):
    """A response that is not 2xx. `executed`: it came while the request ran, so it is stored with its key."""

    status: int
    message: str
    code: str | None = None
    param: str | None = None
    type: str = INVALID
    executed: bool = False
    headers: dict[str, str] = field(default_factory=dict)

    def body(self) -> dict[str, Any]:
        """Stripe leaves out what it does not know."""
        error = {"code": self.code, "message": self.message, "param": self.param, "type": self.type}
        if self.code is not None:
            error["doc_url"] = f"https://stripe.com/docs/error-codes/{self.code.replace('_', '-')}"
        return {"error": {name: value for name, value in error.items() if value is not None}}


def invalid(message: str, param: str, code: str | None = None) -> StripeRefusal:
    return StripeRefusal(400, message, code, param)


def missing(param: str) -> StripeRefusal:
    return invalid(f"Missing required param: {param}.", param, "parameter_missing")


def empty(param: str) -> StripeRefusal:
    message = (
        f"You passed an empty string for '{param}'. We assume empty values are an attempt to unset a parameter; "
        f"however '{param}' cannot be unset. You should remove '{param}' from your request or supply a non-empty value."
    )
    return invalid(message, param, "parameter_invalid_empty")


def unknown_parameter(param: str) -> StripeRefusal:
    return invalid(f"Received unknown parameter: {param}", param, "parameter_unknown")


def no_such(kind: str, object_id: str, param: str, status: int = 404) -> StripeRefusal:
    return StripeRefusal(status, f"No such {kind}: '{object_id}'", "resource_missing", param)


def no_key() -> StripeRefusal:
    return StripeRefusal(
        401,
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer "
        "auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for "
        "details, or we can help at https://support.stripe.com/.",
    )


def wrong_key(key: str) -> StripeRefusal:
    shown = f"{key[:8]}{'*' * 12}{key[-4:]}" if len(key) > 12 else "*" * len(key)  # noqa: PLR2004
    return StripeRefusal(401, f"Invalid API Key provided: {shown}")


def unknown_url(method: str, path: str) -> StripeRefusal:
    return StripeRefusal(
        404,
        f"Unrecognized request URL ({method}: {path}). Please see https://stripe.com/docs or we can help at "
        "https://support.stripe.com/.",
    )


def rate_limited() -> StripeRefusal:
    return StripeRefusal(
        429,
        "Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.",
        "rate_limit",
        headers={"Stripe-Should-Retry": "false", "Stripe-Rate-Limited-Reason": "global-rate"},
    )


def server_error(*, executed: bool = True) -> StripeRefusal:
    return StripeRefusal(
        500,
        "Sorry! There was an error while talking to Stripe. We have been notified of the problem.",
        type="api_error",
        executed=executed,
        headers={"Stripe-Should-Retry": "true"},
    )


def key_in_use(key: str) -> StripeRefusal:
    return StripeRefusal(
        409,
        "There is currently another in-progress request using this Idempotent Key (that probably means you submitted "
        f"twice, and the other request is still going through): {key}. Please try again later.",
        "idempotency_key_in_use",
        type="idempotency_error",
        headers={"Stripe-Should-Retry": "true"},
    )


def other_parameters(key: str) -> StripeRefusal:
    return StripeRefusal(
        400,
        "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using "
        f"a key other than '{key}' if you meant to execute a different request.",
        type="idempotency_error",
    )


def other_endpoint(key: str, first: str, now: str) -> StripeRefusal:
    return StripeRefusal(
        400,
        f"Keys for idempotent requests can only be used for the same endpoint they were first used for ('{first}' vs "
        f"'{now}'). Try using a key other than '{key}' if you meant to execute a different request.",
        type="idempotency_error",
    )


def not_open(status: str) -> StripeRefusal:
    return StripeRefusal(
        400,
        'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of '
        f"`{status}`.",
        executed=True,
    )


def already_refunded(charge_id: str) -> StripeRefusal:
    message = f"Charge {charge_id} has already been refunded."
    return StripeRefusal(400, message, "charge_already_refunded", executed=True)


def refund_too_large(amount: int, left: int) -> StripeRefusal:
    message = f"Refund amount (¥{amount:,}) is greater than unrefunded amount on charge (¥{left:,})"
    return StripeRefusal(400, message, param="amount", executed=True)


def nothing_to_refund(payment_intent_id: str) -> StripeRefusal:
    message = f"This PaymentIntent ({payment_intent_id}) does not have a successful charge to refund."
    return StripeRefusal(400, message, "payment_intent_unexpected_state", "payment_intent", executed=True)
