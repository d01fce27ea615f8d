"""The Stripe client: Checkout Sessions, refunds, and what reconciliation reads.

The caller stores the encoded body together with its idempotency key and passes both, so that a retry sends the same
bytes: Stripe refuses a key that comes back with other parameters, such as an `expires_at` that was computed again.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from http.client import responses
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from tsudoi.core.settings import Settings
from tsudoi.gateway.clients import stripe_objects as objects
from tsudoi.gateway.clients.stripe_outcomes import (
    NO_KEY,
    ODD_KEY,
    StripeEventPage,
    StripeFailure,
    StripePaymentIntent,
    StripeRefund,
    StripeRefused,
    StripeSession,
    StripeUnknown,
)
from tsudoi.gateway.http import CallPolicy, HttpGateway, HttpRequest, HttpResponse, NoResponse, Pool

# The account's own version would decide otherwise, and a change in Stripe's dashboard would change our requests.
STRIPE_VERSION = "2026-10-28.endive"
_HTTP_UNAUTHORIZED, _HTTP_CONFLICT, _HTTP_TOO_MANY, _HTTP_SERVER_ERROR = 401, 409, 429, 500
_SECRET_KEY = re.compile(r"[A-Za-z0-9_]+")
_PAGE_SIZE = 100

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StripePolicies:
    """The time limits and connections of each kind of call to Stripe."""

    write: CallPolicy
    read: CallPolicy


POLICIES = StripePolicies(
    # A person waits for the payment page, and a stopping server gives its last requests eight seconds. There is one
    # attempt, because only the caller knows how old the key is.
    write=CallPolicy(
        Pool("stripe-write", 8, longest_wait=timedelta(seconds=6.5)),
        timeout=timedelta(seconds=6),
        deadline=timedelta(seconds=6),
    ),
    read=CallPolicy(
        Pool("stripe-read", 4, longest_wait=timedelta(seconds=7.5)),
        timeout=timedelta(seconds=4),
        deadline=timedelta(seconds=7),
        attempts=2,
    ),
)


@dataclass(frozen=True, slots=True)
class StripeConfig:
    """The address of Stripe, and our key."""

    secret_key: str
    api_base: str

    @staticmethod
    def of(settings: Settings) -> "StripeConfig":
        key = settings.stripe_secret_key
        return StripeConfig(key.get_secret_value() if key else "", settings.stripe_api_base.rstrip("/"))


class StripeClient:
    """Calls Stripe. No method raises: a failure is a value too."""

    def __init__(self, config: StripeConfig, gateway: HttpGateway, policies: StripePolicies | None = None) -> None:
        self.config = config
        self.gateway = gateway
        self.policies = policies or POLICIES

    def create_session(self, body: str, key: str) -> StripeSession | StripeFailure:
        return self._post("create_session", "/v1/checkout/sessions", body, key, objects.session)

    def session(self, session_id: str) -> StripeSession | StripeFailure:
        return self._get("session", f"/v1/checkout/sessions/{_quoted(session_id)}", {}, objects.session)

    def expire_session(self, session_id: str, key: str) -> StripeSession | StripeFailure:
        """A refusal with status 400 means that the session is no longer open: the caller reads it again."""
        path = f"/v1/checkout/sessions/{_quoted(session_id)}/expire"
        return self._post("expire_session", path, "", key, objects.session)

    def sessions_of(self, payment_intent_id: str) -> tuple[StripeSession, ...] | StripeFailure:
        query = {"payment_intent": payment_intent_id, "limit": _PAGE_SIZE}
        return self._get("list_sessions", "/v1/checkout/sessions", query, lambda found: _each(found, objects.session))

    def refund(self, body: str, key: str) -> StripeRefund | StripeFailure:
        return self._post("refund", "/v1/refunds", body, key, objects.refund)

    def refunds_of(self, payment_intent_id: str) -> tuple[StripeRefund, ...] | StripeFailure:
        query = {"payment_intent": payment_intent_id, "limit": _PAGE_SIZE}
        return self._get("list_refunds", "/v1/refunds", query, lambda found: _each(found, objects.refund))

    def payment_intent(self, payment_intent_id: str) -> StripePaymentIntent | StripeFailure:
        path = f"/v1/payment_intents/{_quoted(payment_intent_id)}"
        return self._get("payment_intent", path, {}, objects.payment_intent)

    def events(
        self, types: Sequence[str], created_after: datetime, page: str | None = None
    ) -> StripeEventPage | StripeFailure:
        """The events of these types, newest first. `page` is the `next_page` of the part before."""
        query = {"types[]": types, "created[gte]": int(created_after.timestamp()), "limit": _PAGE_SIZE}
        more = {} if page is None else {"starting_after": page}
        return self._get("events", "/v1/events", {**query, **more}, _event_page)

    def _get(
        self, operation: str, path: str, query: Mapping[str, Any], read: Callable[[objects.Parsed], T | None]
    ) -> T | StripeFailure:
        url = f"{self.config.api_base}{path}" + (f"?{urlencode(query, doseq=True)}" if query else "")
        return self._send(HttpRequest("stripe", operation, "GET", url, self.policies.read), read)

    def _post(
        self, operation: str, path: str, body: str, key: str, read: Callable[[objects.Parsed], T | None]
    ) -> T | StripeFailure:
        url = f"{self.config.api_base}{path}"
        headers = {"Idempotency-Key": key, "Content-Type": "application/x-www-form-urlencoded"}
        return self._send(
            HttpRequest("stripe", operation, "POST", url, self.policies.write, headers, body.encode()), read
        )

    def _send(self, request: HttpRequest, read: Callable[[objects.Parsed], T | None]) -> T | StripeFailure:
        """A secret key that cannot work is refused here, as Stripe would refuse it."""
        key = self.config.secret_key
        if not _SECRET_KEY.fullmatch(key):
            return StripeRefused(_HTTP_UNAUTHORIZED, "invalid_request_error", None, ODD_KEY if key.strip() else NO_KEY)
        headers = {"Authorization": f"Bearer {key}", "Stripe-Version": STRIPE_VERSION, **request.headers}
        try:
            response = self.gateway.send(replace(request, headers=headers))
        except NoResponse as silence:
            return StripeUnknown(silence.reason, maybe_done=silence.kind == "unknown")
        return outcome(response, read)


def outcome(response: HttpResponse, read: Callable[[objects.Parsed], T | None]) -> T | StripeFailure:
    """`read` converts the JSON object of a success."""
    body, request_id = objects.json_object(response.body), response.headers.get("request-id")
    if response.is_success:
        found = None if body is None else read(body)
        if found is not None:
            return found
        # A proxy may have sent this response, so it is not known what Stripe did.
        return StripeUnknown(f"unreadable answer: {response.status}", maybe_done=True, request_id=request_id)
    error = None if body is None else body.get("error")
    if not isinstance(error, dict):
        return _unknown(response, responses.get(response.status, "unreadable answer"))
    message = objects.text(error.get("message")) or responses.get(response.status, "")
    if _is_open(response):
        return _unknown(response, message)
    return StripeRefused(
        response.status,
        objects.text(error.get("type")) or "",
        objects.text(error.get("code")),
        message,
        objects.text(error.get("param")),
        request_id,
    )


def _is_open(response: HttpResponse) -> bool:
    """Whether the same call may succeed later. Stripe's own header overrides what the status suggests."""
    if response.status >= _HTTP_SERVER_ERROR or response.status in (_HTTP_CONFLICT, _HTTP_TOO_MANY):
        return True
    return response.headers.get("stripe-should-retry") == "true"


def _unknown(response: HttpResponse, message: str) -> StripeUnknown:
    return StripeUnknown(
        f"{response.status}: {message}",
        maybe_done=response.status != _HTTP_TOO_MANY,
        request_id=response.headers.get("request-id"),
        replayed=response.headers.get("idempotent-replayed") == "true",
    )


def _each(found: objects.Parsed, read: Callable[[objects.Parsed], T | None]) -> tuple[T, ...] | None:
    """None when one of the entries is unreadable: a list with a gap would look like a list that is complete."""
    data = found.get("data")
    if found.get("object") != "list" or not isinstance(data, list):
        return None
    entries = [read(entry) if isinstance(entry, dict) else None for entry in data]
    readable = tuple(entry for entry in entries if entry is not None)
    return readable if len(readable) == len(entries) else None


def _event_page(found: objects.Parsed) -> StripeEventPage | None:
    events = _each(found, objects.event)
    if events is None:
        return None
    return StripeEventPage(events, events[-1].id if events and found.get("has_more") is True else None)


def _quoted(object_id: str) -> str:
    return quote(object_id, safe="")
