"""Between Starlette and the world: the body that comes in, the JSON that goes out, the answer that never comes."""

import asyncio
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tsudoi.sandbox.errors import Refusal, too_large
from tsudoi.sandbox.state import World

BODY_BYTES = 2 * 1024 * 1024
# A sender that is still talking hears its 413 only when it has finished. This much is listened to at most.
_DRAINED_BYTES = 32 * 1024 * 1024
_COUNTER_DIGITS = 15

REQUEST_ID = "sandbox.request_id"
NOTE = "sandbox.note"
TRANSPORT = "sandbox.transport"


class JSONAnswer(Response):
    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return orjson.dumps(content)


def world_of(request: Request) -> World:
    world: World = request.app.state.world
    return world


def base_url(request: Request) -> str:
    """The address under which the caller knows the box: with port 0 nobody could say it beforehand."""
    return f"{request.url.scheme}://{request.url.netloc}"


def note(request: Request, text: str) -> None:
    """A word for the list of calls. The first one counts: that a fault was thrown says more than what it then said."""
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
        raise too_large()
    return b"".join(chunks)


def parse_json(raw: bytes) -> Any:
    """What comes in must be able to go out again, wrapped a few times, so its depth has an end here."""
    try:
        value = orjson.loads(raw)
        orjson.dumps([[[[[[value]]]]]])
    except orjson.JSONDecodeError as error:
        raise Refusal(400, "The request body could not be parsed as JSON") from error
    except orjson.JSONEncodeError as error:
        raise Refusal(400, "The JSON in the request body is nested too deeply") from error
    return value


def is_whole(text: str) -> bool:
    """A number of digits that fits into any counter."""
    return text.isascii() and text.isdigit() and len(text) <= _COUNTER_DIGITS


class Silence(Response):
    """No answer: the caller is kept waiting for a while, then the connection is closed."""

    def __init__(self, world: World, seconds: float) -> None:
        super().__init__()
        self._world = world
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - nothing is sent.
        await _wait_until_gone(receive, self._world.stream.closing, self._seconds)
        transport = scope.get(TRANSPORT)
        if transport is None:
            raise RuntimeError("Silence needs a server that lets go of its connection: run the box under uvicorn.")
        transport.abort()
        # The server learns of the closed connection in the next turn of its loop and only then expects no answer.
        while (await receive())["type"] != "http.disconnect":
            continue


async def _wait_until_gone(receive: Receive, closing: asyncio.Event, seconds: float) -> None:
    """Until the caller hangs up, the box closes, or the time is over."""
    waits = [asyncio.ensure_future(_hung_up(receive)), asyncio.ensure_future(closing.wait())]
    await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()
    await asyncio.gather(*waits, return_exceptions=True)


async def _hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
