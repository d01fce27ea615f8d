"""Server-sent events about any subject that a context wants to be followed live.

A stream begins with how long a browser waits before it reconnects, then sends a `snapshot`, and an update whenever
something changes. It ends after some minutes, when the principal may no longer see the subject, and when the server
stops. A browser reconnects by itself with `Last-Event-ID` and receives what it missed.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Annotated, Generic, cast

import orjson
from fastapi import Header
from starlette.responses import JSONResponse, StreamingResponse
from starlette.types import Send

from tsudoi.core.feed import Feeds, I, Reader, S, Subject, Update

# The browser reconnects by itself, so that a proxy or a forgotten tab holds a connection no longer than this.
LIFETIME = 300.0
HEARTBEAT = 15.0
# How soon a stream ends after a log-out, or after somebody ended the session or disabled the account.
CHECKED_EVERY = 3.0
# A client that missed more items than this loads the whole list again.
MOST_MISSED = 500
_RETRY_MS = 2_000
# A client that has stopped reading, but holds its connection, is cut off this long after the lifetime.
_GRACE = 30.0
_MOST_DIGITS = 18
# `X-Accel-Buffering` asks a proxy to pass every message on at once.
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

LastEventId = Annotated[str | None, Header(description="Sent by browsers that reconnect: where to resume.")]


@dataclass(frozen=True, slots=True)
class LiveSource(Generic[S, I]):
    """What the stream has to know about one subject.

    `items_after(mark, limit)` reads what a client missed; `render` makes the JSON of a state and its new items;
    `update_name` is the name of the server-sent event that carries an update.
    """

    subject: Subject
    make_reader: Callable[[], Reader[S, I]]
    items_after: Callable[[int, int], Awaitable[Sequence[I]]]
    render: Callable[[S, Sequence[I]], Mapping[str, object]]
    update_name: str = "update"

    def snapshot(self, state: S, mark: int | None, *, reload: bool) -> bytes:
        """`reload`: the client loads the list again. Otherwise the missed items follow, and the mark with them."""
        return _message("snapshot", {"reload": reload, **self.render(state, ())}, mark)

    def update(self, state: S, items: Sequence[I], mark: int) -> bytes:
        return _message(self.update_name, self.render(state, items), mark)


class EventStream(StreamingResponse):
    """A response of server-sent events that unsubscribes as soon as the client is gone."""

    media_type = "text/event-stream"

    async def stream_response(self, send: Send) -> None:
        async with aclosing(cast("AsyncGenerator[bytes, None]", self.body_iterator)):
            with suppress(TimeoutError):
                async with asyncio.timeout(LIFETIME + _GRACE):
                    await super().stream_response(send)


class DescribedStream(JSONResponse):
    """The `response_class` of an endpoint that streams: the API description then shows the JSON inside the stream."""

    media_type = EventStream.media_type


def event_stream(
    feeds: Feeds, source: LiveSource[S, I], last_event_id: str | None, still_allowed: Callable[[], Awaitable[bool]]
) -> EventStream:
    """The response of an endpoint that lets a principal follow a subject, for as long as it is `still_allowed`."""
    # The mark that the browser received last. Anything that we cannot have sent is ignored.
    text = (last_event_id or "").strip()
    mark = int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None
    return EventStream(_messages(feeds, source, mark, still_allowed), headers=_HEADERS)


async def _messages(
    feeds: Feeds, source: LiveSource[S, I], resume_from: int | None, still_allowed: Callable[[], Awaitable[bool]]
) -> AsyncIterator[bytes]:
    checked = spoken = time.monotonic()
    ends = checked + LIFETIME
    mark: int | None = None
    async with feeds.subscribe(source.subject, source.make_reader) as subscriber:
        yield f"retry: {_RETRY_MS}\n\n".encode()
        while time.monotonic() < ends:
            update = await subscriber.next_update(within=min(HEARTBEAT, CHECKED_EVERY))
            if subscriber.closed:
                return
            if time.monotonic() - checked >= CHECKED_EVERY:
                checked = time.monotonic()
                if not await still_allowed():
                    return
            if update is None:
                if time.monotonic() - spoken >= HEARTBEAT:
                    spoken = time.monotonic()
                    # A comment keeps the connection open; the id lets the browser remember how far it has come.
                    yield b": still here\n\n" if mark is None else f": still here\nid: {mark}\n\n".encode()
                continue
            yield await _first(source, resume_from, update) if mark is None else _next(source, update)
            mark = update.mark


async def _first(source: LiveSource[S, I], resume_from: int | None, update: Update[S, I]) -> bytes:
    if resume_from is not None and resume_from <= update.mark:
        missed = await source.items_after(resume_from, MOST_MISSED + 1)
        if len(missed) <= MOST_MISSED:
            snapshot = source.snapshot(update.state, None, reload=False)
            return snapshot + source.update(update.state, missed, update.mark)
    return source.snapshot(update.state, update.mark, reload=True)


def _next(source: LiveSource[S, I], update: Update[S, I]) -> bytes:
    if update.incomplete:
        return source.snapshot(update.state, update.mark, reload=True)
    return source.update(update.state, update.items, update.mark)


def _message(name: str, body: Mapping[str, object], mark: int | None) -> bytes:
    """JSON from orjson has no line breaks, so that it fits into one `data` line."""
    number = b"" if mark is None else f"id: {mark}\n".encode()
    return b"event: %s\n%sdata: %s\n\n" % (name.encode(), number, orjson.dumps(body))
