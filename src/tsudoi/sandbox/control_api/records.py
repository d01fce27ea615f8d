"""Shows what has happened: calls, deliveries, webhooks, and a live stream of all of it."""

import asyncio
from collections.abc import AsyncIterator

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tsudoi.sandbox.control_api.people import delivery_options
from tsudoi.sandbox.control_api.requests import ControlRequest, control
from tsudoi.sandbox.errors import Refusal, not_found
from tsudoi.sandbox.wire import OrjsonResponse, wait_for_disconnect

EVENTS = 100


async def calls(request: ControlRequest) -> Response:
    return OrjsonResponse({"calls": request.world.calls.after(request.query_number("after", 0) or 0)})


async def deliveries(request: ControlRequest) -> Response:
    rows = request.world.deliveries.after(request.query_number("after", 0) or 0, request.query_number("limit", None))
    return OrjsonResponse({"deliveries": [row.as_json() for row in rows]})


async def summary(request: ControlRequest) -> Response:
    by_user = request.http.query_params.get("by_user", "") not in ("", "0")
    return OrjsonResponse(request.world.deliveries.summary(by_user=by_user))


async def webhooks(request: ControlRequest) -> Response:
    return OrjsonResponse({"webhooks": request.world.webhook_log.as_json()})


async def redeliver(request: ControlRequest) -> Response:
    sent = request.world.webhook_log.get(request.path("event_id"))
    if sent is None:
        raise not_found("No such webhook event")
    return OrjsonResponse({"webhook": await request.webhook_sender.redeliver(sent, delivery_options(request.body))})


async def post_events(request: ControlRequest) -> Response:
    """Posts any events in one signed body: several at once, or of a kind that LINE does not have yet."""
    entries, options = request.body.entries("events"), delivery_options(request.body)
    if len(entries) > EVENTS or not all(isinstance(entry, dict) for entry in entries):
        raise Refusal(400, f"'events' must be at most {EVENTS} objects")
    body = request.webhook_sender.envelope(entries)
    attempt = await request.webhook_sender.post(body, note="custom", bad_signature=options.bad_signature)
    return OrjsonResponse({"webhook": {"event_id": None, "status": attempt.status, "error": attempt.error}})


async def stream(request: ControlRequest) -> Response:
    return EventStream(request.world.stream.listen())


class EventStream(Response):
    """Server-sent events that end when the listener disconnects, so that no queue is left behind."""

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        super().__init__(headers={"content-type": "text/event-stream", "cache-control": "no-store"})
        del self.headers["content-length"]
        self._chunks = chunks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI's own shape.
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        disconnected = asyncio.ensure_future(wait_for_disconnect(receive))
        sending = asyncio.ensure_future(self._send_chunks(send))
        await asyncio.wait({disconnected, sending}, return_when=asyncio.FIRST_COMPLETED)
        for task in (disconnected, sending):
            task.cancel()
        await asyncio.gather(disconnected, sending, return_exceptions=True)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_chunks(self, send: Send) -> None:
        async for chunk in self._chunks:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})


ROUTES = [
    control("GET", "/calls", calls),
    control("GET", "/deliveries", deliveries),
    control("GET", "/deliveries/summary", summary),
    control("GET", "/webhooks", webhooks),
    control("POST", "/webhooks", post_events),
    control("POST", "/webhooks/{event_id}/redeliver", redeliver),
    control("GET", "/stream", stream),
]
