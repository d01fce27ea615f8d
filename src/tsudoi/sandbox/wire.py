"""What all endpoints use: reading a body, writing JSON, and giving no response at all."""

import asyncio
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.state import World

BODY_BYTES = 2 * 1024 * 1024
# A client reads the 413 only after it has sent its whole body. This much of it is read at most.
_DRAINED_BYTES = 32 * 1024 * 1024
_COUNTER_DIGITS = 15

REQUEST_ID = "sandbox.request_id"
NOTE = "sandbox.note"
TRANSPORT = "sandbox.transport"
RECEIVED = "sandbox.received"


class OrjsonResponse(Response):
    """A JSON response, written by orjson."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return orjson.dumps(content)


def world_of(request: Request) -> World:
    world: World = request.app.state.world
    return world


def base_url(request: Request) -> str:
    """The address under which the caller reached the sandbox; with port 0 it is not known beforehand."""
    return f"{request.url.scheme}://{request.url.netloc}"


def note(request: Request, text: str) -> None:
    """A note for the list of calls. The first one is kept: a fault says more than the response that follows from it."""
    request.scope.setdefault(NOTE, text)


async def read_body(request: Request, most: int = BODY_BYTES) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= most:
            chunks.append(chunk)
        elif size > max(most, _DRAINED_BYTES):
            break
    if size > most:
        raise Refusal(413, "Request exceeds the max size of 2MB. Make the request smaller than 2MB and try again.")
    raw = b"".join(chunks)
    received = request.scope.get(RECEIVED)
    if received is not None:
        received.take_body(raw)
    return raw


def parse_json(raw: bytes) -> Any:
    """The parsed body. It is refused if it is nested too deeply to be written as JSON inside another object."""
    try:
        value = orjson.loads(raw)
        orjson.dumps([[[[[[value]]]]]])
    except orjson.JSONDecodeError as error:
        raise Refusal(400, "The request body could not be parsed as JSON") from error
    except orjson.JSONEncodeError as error:
        raise Refusal(400, "The JSON in the request body is nested too deeply") from error
    return value


def is_whole(text: str) -> bool:
    """Whether the text is a whole number that is not too large for a counter."""
    return text.isascii() and text.isdigit() and len(text) <= _COUNTER_DIGITS


class NoResponse(Response):
    """Gives no response: the caller waits for a while, then the connection is closed."""

    def __init__(self, world: World, seconds: float) -> None:
        super().__init__()
        self._world = world
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - nothing is sent.
        # Until the caller disconnects, the sandbox stops, or the time is over.
        closing = self._world.stream.closing.wait()
        waits = [asyncio.ensure_future(wait_for_disconnect(receive)), asyncio.ensure_future(closing)]
        await asyncio.wait(waits, timeout=self._seconds, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
        transport = scope.get(TRANSPORT)
        if transport is None:
            raise RuntimeError(
                "NoResponse needs a server that gives access to its connection: run the sandbox under uvicorn."
            )
        transport.abort()
        # The server notices the closed connection in the next turn of its loop. From then on it expects no response.
        await wait_for_disconnect(receive)


async def wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
