"""What buyers do at Stripe, without a browser, and how Stripe's webhooks travel.

    GET  /_sandbox/stripe                        all sessions, payments, refunds and stored idempotency keys
    POST /_sandbox/stripe/sessions/{id}/pay      {"method": "card" | "konbini" | "declined"}
    POST /_sandbox/stripe/sessions/{id}/konbini  {"paid": true}: the buyer pays at the shop; false: never goes there
    POST /_sandbox/stripe/refunds/{id}           {"status": "succeeded" | "failed"}
    GET  /_sandbox/stripe/webhooks               every event that was posted with all its attempts, and what still waits
    POST /_sandbox/stripe/webhooks/flush         posts everything that waits, without waiting for its time
    PUT  /_sandbox/stripe/webhooks               {"url", "order": [types], "types": [types] | null, "retry_seconds"}
    POST /_sandbox/stripe/events                 {"type", "object"}: any event, signed and posted
    POST /_sandbox/stripe/events/{id}/resend     {"copies": 3, "bad_signature": true, "age_seconds": 600}

What posts webhooks answers `{"webhooks": [{"event_id", "type", "status", "error", "statuses"}]}` after their first
attempt. Faults are rules of `/_sandbox/faults`: the endpoints `stripe`, `stripe_create`, `stripe_session`,
`stripe_list`, `stripe_expire`, `stripe_refund`, `stripe_payment` and `stripe_events` take the same kinds as LINE's
(`conflict` is the 409 of a key in use), and `expire_loses_race` belongs to `stripe_expire`. The endpoint
`stripe_webhook` takes `webhook_repeated`, `webhook_delayed` (`seconds`), `webhook_reordered`, `webhook_bad_signature`
and `webhook_dropped`.
"""

from starlette.responses import Response

from tsudoi.sandbox.clock import iso
from tsudoi.sandbox.control_api.requests import ControlRequest, control
from tsudoi.sandbox.errors import Refusal, not_found
from tsudoi.sandbox.messages.violations import is_reachable_url
from tsudoi.sandbox.stripe.events import Event
from tsudoi.sandbox.stripe.sessions import CheckoutSession
from tsudoi.sandbox.stripe_api.webhooks import PostOptions
from tsudoi.sandbox.wire import OrjsonResponse

COPIES = 100
_URL_LENGTH = 500


async def everything(request: ControlRequest) -> Response:
    account = request.world.stripe
    account.let_time_pass(request.world.clock.now_seconds())
    return OrjsonResponse(
        {
            "sessions": [one.as_json() for one in account.sessions.values()],
            "payment_intents": [one.as_json() for one in account.payment_intents.values()],
            "refunds": [one.as_json() for one in account.refunds.values()],
            "idempotency_keys": {
                key: {"path": one.path, "status": one.status} for key, one in account.keys.answers.items()
            },
        }
    )


async def pay(request: ControlRequest) -> Response:
    session, now = _session(request), request.world.clock.now_seconds()
    account, method = request.world.stripe, request.body.text("method", "card")
    ways = {"card": account.pay_by_card, "konbini": account.choose_konbini, "declined": account.decline_card}
    if method not in ways:
        raise Refusal(400, f"'method' must be one of {', '.join(ways)}")
    if not session.is_open:
        raise Refusal(409, f"This session is {session.status}")
    if method == "konbini" and not session.offers_konbini:
        raise Refusal(409, "This session does not offer konbini")
    return await _posted(request, ways[method](session, now), session)


async def settle_konbini(request: ControlRequest) -> Response:
    session, now, account = _session(request), request.world.clock.now_seconds(), request.world.stripe
    if not account.waits_for_konbini(session):
        raise Refusal(409, "Nothing is to be paid at a konbini for this session")
    settle = account.pay_at_konbini if request.body.flag("paid") else account.miss_konbini
    return await _posted(request, settle(session, now), session)


async def settle_refund(request: ControlRequest) -> Response:
    refund, status = request.world.stripe.refunds.get(request.path("id")), request.body.text("status")
    if refund is None:
        raise not_found("No such refund")
    if status not in ("succeeded", "failed"):
        raise Refusal(400, "'status' must be succeeded or failed")
    return await _posted(request, request.world.stripe.settle_refund(refund, status, request.world.clock.now_seconds()))


async def webhooks(request: ControlRequest) -> Response:
    world, queue = request.world, request.world.stripe.queue
    pending = [
        {"event_id": each, "type": world.stripe.events[each].type, "attempts": one.attempts, "due": iso(one.due_ms)}
        for each, one in queue.pending.items()
    ]
    settings = {"order": queue.order, "types": queue.types, "retry_seconds": queue.retry_seconds}
    log = world.stripe.webhook_log.as_json()
    return OrjsonResponse({"url": world.stripe_endpoint(), **settings, "webhooks": log, "pending": pending})


async def change_webhooks(request: ControlRequest) -> Response:
    body, queue = request.body, request.world.stripe.queue
    if "url" in body:
        url = body.text("url", None)
        if url is not None and not is_reachable_url(url, _URL_LENGTH):
            raise Refusal(400, "'url' must be https, or on this machine")
        request.world.stripe_webhook_url = url
    if "order" in body:
        queue.order = [str(kind) for kind in body.entries("order")]
    if "types" in body:
        queue.types = None if body.values["types"] is None else [str(kind) for kind in body.entries("types")]
    queue.retry_seconds = body.number("retry_seconds", queue.retry_seconds, least=0, most=86400)
    return await webhooks(request)


async def flush(request: ControlRequest) -> Response:
    return OrjsonResponse({"webhooks": await request.stripe_webhooks.flush()})


async def announce(request: ControlRequest) -> Response:
    content = {"object": "unknown", **request.body.fields("object").values}
    events = request.world.stripe.announce(request.body.text("type"), content, request.world.clock.now_seconds())
    return await _posted(request, events)


async def resend(request: ControlRequest) -> Response:
    event, body = request.world.stripe.events.get(request.path("id")), request.body
    if event is None:
        raise not_found("No such event")
    options = PostOptions(
        copies=body.whole("copies", 1, least=1, most=COPIES),
        bad_signature=body.flag("bad_signature"),
        age_seconds=body.number("age_seconds", 0.0),
    )
    return OrjsonResponse({"webhooks": [await request.stripe_webhooks.resend(event, options)]})


def _session(request: ControlRequest) -> CheckoutSession:
    request.world.stripe.let_time_pass(request.world.clock.now_seconds())
    session = request.world.stripe.sessions.get(request.path("id"))
    if session is None:
        raise not_found("No such session")
    return session


async def _posted(request: ControlRequest, events: list[Event], session: CheckoutSession | None = None) -> Response:
    posted = await request.stripe_webhooks.deliver(events)
    return OrjsonResponse({"session": None if session is None else session.as_json(), "webhooks": posted})


ROUTES = [
    control("GET", "/stripe", everything),
    control("POST", "/stripe/sessions/{id}/pay", pay),
    control("POST", "/stripe/sessions/{id}/konbini", settle_konbini),
    control("POST", "/stripe/refunds/{id}", settle_refund),
    control("GET", "/stripe/webhooks", webhooks),
    control("PUT", "/stripe/webhooks", change_webhooks),
    control("POST", "/stripe/webhooks/flush", flush),
    control("POST", "/stripe/events", announce),
    control("POST", "/stripe/events/{id}/resend", resend),
]
