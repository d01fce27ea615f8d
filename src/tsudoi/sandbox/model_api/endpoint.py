"""What both APIs share: the key, faults, the held answer, and that every question is noted."""

import asyncio
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.fault_effects import apply_after, apply_before
from tsudoi.sandbox.language_models import AnswerMode, AskedQuestion
from tsudoi.sandbox.state import World
from tsudoi.sandbox.wire import (
    OrjsonResponse,
    note,
    parse_json,
    read_body,
    wait_for_disconnect,
    world_of,
)

_HTTP_SERVER_ERROR = 500


@dataclass
class ModelRefusal(Exception):
    """A response that is not 2xx, with what the API calls the mistake."""

    status: int
    message: str
    code: str | None = None


@dataclass(frozen=True)
class WrittenAnswer:
    """What the model wrote, and whether it came to its end or refused."""

    text: str
    question: AskedQuestion
    mode: AnswerMode
    number: int
    at: int

    @property
    def shown(self) -> str:
        """A model that runs out of tokens stops in the middle of its text."""
        return self.text[: len(self.text) // 2] if self.mode is AnswerMode.CUT else self.text


@dataclass(frozen=True)
class ModelEndpoint:
    """A path of one API. The name is the one that fault rules use."""

    name: str
    path: str
    key_of: Callable[[Request], str]
    expected_key: Callable[[World], str]
    wrong_key: ModelRefusal
    read: Callable[[Request, dict[str, Any]], AskedQuestion]
    answer: Callable[[WrittenAnswer], dict[str, Any]]
    error: Callable[[ModelRefusal], dict[str, Any]]

    def route(self) -> Route:
        return Route(self.path, self._serve, methods=["POST"])

    async def _serve(self, request: Request) -> Response:
        world = world_of(request)
        try:
            if not hmac.compare_digest(self.key_of(request).encode(), self.expected_key(world).encode()):
                raise self.wrong_key
            return await self._respond(request, world, await read_body(request))
        except (Refusal, ModelRefusal) as refusal:
            told = refusal if isinstance(refusal, ModelRefusal) else ModelRefusal(refusal.status, refusal.message)
            note(request, told.message)
            headers = refusal.headers if isinstance(refusal, Refusal) else {}
            return OrjsonResponse(self.error(told), told.status, headers)

    async def _respond(self, request: Request, world: World, raw: bytes) -> Response:
        body = parse_json(raw)
        if not isinstance(body, dict):
            raise ModelRefusal(400, "The request body must be a JSON object")
        question = self.read(request, body)
        models = world.models
        models.asked.append(question)
        fault = world.faults.decide(self.name, path=request.url.path)
        early = None
        if fault is not None:
            note(request, f"fault: {fault.kind}")
            early = await apply_before(fault, world)
        if early is not None:
            return early
        await _until_free(request, world)
        late = None if fault is None else apply_after(fault, world)
        if late is not None and late.status_code == _HTTP_SERVER_ERROR:
            raise ModelRefusal(_HTTP_SERVER_ERROR, "The server had an error while processing your request")
        if late is not None:
            return late
        written = WrittenAnswer(
            models.answer(question), question, models.mode, len(models.asked), world.clock.now_seconds()
        )
        return OrjsonResponse(self.answer(written))


async def _until_free(request: Request, world: World) -> None:
    """Wait while the answers are held back, until the caller leaves or the sandbox stops."""
    if world.models.free.is_set():
        return
    waits = [
        asyncio.ensure_future(one)
        for one in (
            world.models.free.wait(),
            world.stream.closing.wait(),
            wait_for_disconnect(request.receive),
        )
    ]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()
    await asyncio.gather(*waits, return_exceptions=True)


def text_of(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise ModelRefusal(400, f"Invalid value: '{where}' must be a text")
    return value


def inside(value: Any, *names: str | int) -> Any:
    """The value below these names and places; None where there is none."""
    for name in names:
        if isinstance(name, int):
            value = value[name] if isinstance(value, list) and len(value) > name else None
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value
