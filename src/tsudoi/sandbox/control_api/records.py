"""What has happened: calls, deliveries, webhooks, and the stream of all of it as it happens."""

import asyncio
from collections.abc import AsyncIterator

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tsudoi.sandbox.control_api.hands import Hand, control
from tsudoi.sandbox.control_api.people import manner_of
from tsudoi.sandbox.errors import Refusal, not_found
from tsudoi.sandbox.wire import JSONAnswer

EVENTS = 100


async def calls(hand: Hand) -> Response:
    return JSONAnswer({"calls": hand.world.calls.after(hand.query_number("after", 0) or 0)})


async def deliveries(hand: Hand) -> Response:
    rows = hand.world.deliveries.after(hand.query_number("after", 0) or 0, hand.query_number("limit", None))
    return JSONAnswer({"deliveries": [row.as_json() for row in rows]})


async def summary(hand: Hand) -> Response:
    by_user = hand.request.query_params.get("by_user", "") not in ("", "0")
    return JSONAnswer(hand.world.deliveries.summary(by_user=by_user))


async def webhooks(hand: Hand) -> Response:
    return JSONAnswer({"webhooks": hand.world.webhook_log.as_json()})


async def redeliver(hand: Hand) -> Response:
    sent = hand.world.webhook_log.get(hand.path("event_id"))
    if sent is None:
        raise not_found("No such webhook event")
    return JSONAnswer({"webhook": await hand.postman.redeliver(sent, manner_of(hand.body))})


async def post_events(hand: Hand) -> Response:
    """Any events at all in one signed body: several at once, or of a kind that LINE may invent tomorrow."""
    entries, manner = hand.body.entries("events"), manner_of(hand.body)
    if len(entries) > EVENTS or not all(isinstance(entry, dict) for entry in entries):
        raise Refusal(400, f"'events' must be at most {EVENTS} objects")
    body = hand.postman.envelope(entries)
    attempt = await hand.postman.post(body, note="custom", bad_signature=manner.bad_signature)
    return JSONAnswer({"webhook": {"event_id": None, "status": attempt.status, "error": attempt.error}})


async def stream(hand: Hand) -> Response:
    return EventStream(hand.world.stream.listen())


class EventStream(Response):
    """Server-sent events that end when the listener leaves: its place in the world must not outlive it."""

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        super().__init__(headers={"content-type": "text/event-stream", "cache-control": "no-store"})
        del self.headers["content-length"]
        self._chunks = chunks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI's own shape.
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        leaving = asyncio.ensure_future(_left(receive))
        telling = asyncio.ensure_future(self._tell(send))
        await asyncio.wait({leaving, telling}, return_when=asyncio.FIRST_COMPLETED)
        for task in (leaving, telling):
            task.cancel()
        await asyncio.gather(leaving, telling, return_exceptions=True)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _tell(self, send: Send) -> None:
        async for chunk in self._chunks:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue


ROUTES = [
    control("GET", "/calls", calls),
    control("GET", "/deliveries", deliveries),
    control("GET", "/deliveries/summary", summary),
    control("GET", "/webhooks", webhooks),
    control("POST", "/webhooks", post_events),
    control("POST", "/webhooks/{event_id}/redeliver", redeliver),
    control("GET", "/stream", stream),
]
