"""Stripe's webhook. A signature of Stripe is the only way in; there is no session and no CSRF token."""

from typing import Annotated, Any

import structlog
from fastapi import APIRouter, Header, Request

from tsudoi.access.api_description import raises
from tsudoi.access.guard import RuntimeDep
from tsudoi.booking.checkout.errors import BadSignature, NoStripeEvent, PaymentsOff
from tsudoi.booking.checkout.rules.events import facts_of
from tsudoi.booking.checkout.schemas import StripeWebhookReceived
from tsudoi.booking.checkout.service.receiving import live_mode, receive
from tsudoi.gateway.clients import stripe_objects
from tsudoi.gateway.clients.stripe_signatures import verify_signature
from tsudoi.notifications.notices.jobs import initial_attempt, job_ids

_log = structlog.stdlib.get_logger(__name__)

router = APIRouter(prefix="/api/stripe", tags=["booking"])

PATH = "/api/stripe/webhook"
LARGEST_BODY = 1024 * 1024
_EXAMPLE: dict[str, Any] = {
    "id": "evt_1",
    "object": "event",
    "type": "checkout.session.completed",
    "created": 1759280400,
    "livemode": False,
    "data": {"object": {"id": "cs_test_a1", "object": "checkout.session", "payment_status": "paid"}},
}


@router.post(
    "/webhook",
    summary="Stripe's webhook",
    responses=raises(BadSignature, PaymentsOff),
    openapi_extra={
        "requestBody": {"content": {"application/json": {"schema": {"type": "object"}, "example": _EXAMPLE}}}
    },
)
async def webhook(
    request: Request,
    runtime: RuntimeDep,
    stripe_signature: Annotated[
        str | None, Header(description="`t=<unix>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>` with the signing secret.")
    ] = None,
) -> StripeWebhookReceived:
    """Stores the event once and applies it, in one transaction; then tries the new notices for at most a second.

    400 if the signature is wrong or more than five minutes old or ahead; then nothing is stored. Events in any order
    and any number have one effect. 404 while this server takes no payments.
    """
    secret = runtime.settings.stripe_webhook_secret
    if secret is None or not runtime.settings.payments_on:
        raise PaymentsOff
    body = await request.body()
    if not verify_signature(secret.get_secret_value(), stripe_signature, body, runtime.db.clock.now()):
        if runtime.lines.admit("stripe_signature_invalid"):
            _log.warning("stripe_signature_invalid")
        raise BadSignature
    parsed = stripe_objects.json_object(body)
    event = None if parsed is None else stripe_objects.event(parsed)
    facts = None if event is None else facts_of(event)
    if facts is None:
        raise NoStripeEvent
    found = await runtime.db.write(receive, facts, live=live_mode(runtime.settings))
    outcome, enqueued = found or ("KNOWN", [])
    _log.info("stripe_event", event_id=facts.event_id, type=facts.type, outcome=outcome)
    runtime.work.send()
    await initial_attempt(runtime, job_ids(enqueued))
    return StripeWebhookReceived(received=True)
