"""One call to LINE: who calls, with what, and what can go wrong on the way in and out."""

import hmac
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tsudoi.sandbox import errors
from tsudoi.sandbox.errors import OAuthRefusal, Refusal
from tsudoi.sandbox.faults import Fault, Kind
from tsudoi.sandbox.ids import RETRY_KEY
from tsudoi.sandbox.line_api.mishaps import after, before
from tsudoi.sandbox.state import World
from tsudoi.sandbox.wire import REQUEST_ID, JSONAnswer, base_url, note, parse_json, read_body, world_of


@dataclass(frozen=True)
class Exchange:
    request: Request
    world: World
    raw: bytes
    request_id: str
    retry_key: str | None

    @property
    def base_url(self) -> str:
        return base_url(self.request)

    def path(self, name: str) -> str:
        return str(self.request.path_params[name])

    def json(self) -> dict[str, Any]:
        """The body as an object. LINE takes JSON only under its own name."""
        content_type = self.request.headers.get("content-type", "")
        if content_type.split(";")[0].strip().lower() != "application/json":
            raise errors.unsupported_type(content_type)
        body = parse_json(self.raw)
        if not isinstance(body, dict):
            raise Refusal(400, "The request body must be a JSON object")
        return body


@dataclass(frozen=True)
class Answer:
    body: Any = field(default_factory=dict)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    def render(self) -> Response:
        if isinstance(self.body, Response):
            return self.body
        return JSONAnswer(self.body, self.status, self.headers)


Handler = Callable[[Exchange], Answer | Awaitable[Answer]]


@dataclass(frozen=True)
class Endpoint:
    """A path of LINE's. The name is the one that fault rules use."""

    method: str
    path: str
    name: str
    handler: Handler
    open_to_all: bool = False
    retry_keys: bool = False

    def route(self) -> Route:
        return Route(self.path, self._serve, methods=[self.method])

    async def _serve(self, request: Request) -> Response:
        try:
            exchange = await self._receive(request)
            return await self._answer(exchange)
        except (Refusal, OAuthRefusal) as refusal:
            body = refusal.body()
            note(request, body["error_description"] if isinstance(refusal, OAuthRefusal) else refusal.message)
            return JSONAnswer(body, refusal.status)

    async def _receive(self, request: Request) -> Exchange:
        world = world_of(request)
        if not self.open_to_all:
            _authenticate(request, world)
        raw = await read_body(request)
        return Exchange(request, world, raw, request.scope[REQUEST_ID], self._retry_key(request))

    def _retry_key(self, request: Request) -> str | None:
        key = request.headers.get("x-line-retry-key")
        if key is None:
            return None
        if not self.retry_keys:
            raise errors.unsupported_retry_key()
        if not RETRY_KEY.fullmatch(key):
            raise errors.malformed_retry_key()
        return key.lower()

    async def _answer(self, exchange: Exchange) -> Response:
        fault = exchange.world.faults.decide(self.name, has_retry_key=exchange.retry_key is not None)
        if fault is None:
            return (await self._handle(exchange)).render()
        note(exchange.request, f"fault: {fault.kind}")
        early = await before(fault, exchange.world)
        if early is not None:
            return early
        return self._spoil(fault, exchange, await self._handle(exchange))

    async def _handle(self, exchange: Exchange) -> Answer:
        """Handlers that change the world do not wait, so checking and changing cannot be torn apart."""
        answer = self.handler(exchange)
        return await answer if isawaitable(answer) else answer

    def _spoil(self, fault: Fault, exchange: Exchange, answer: Answer) -> Response:
        """What LINE refused by itself stays refused; a lost answer can only be that of something taken."""
        late = after(fault, exchange.world)
        if late is not None:
            return late
        if fault.kind is Kind.CONFLICT and exchange.retry_key is not None and answer.status != 409:  # noqa: PLR2004
            return already_accepted(exchange, exchange.retry_key).render()
        return answer.render()


def already_accepted(exchange: Exchange, key: str) -> Answer:
    accepted = exchange.world.retry_keys.accepted(key, exchange.world.clock.now_ms())
    if accepted is None:
        raise errors.server_error()
    body: dict[str, Any] = {"message": "The retry key is already accepted"}
    if accepted.endpoint == "push":
        body["sentMessages"] = accepted.sent_messages
    return Answer(body, 409, {"x-line-accepted-request-id": accepted.request_id})


def _authenticate(request: Request, world: World) -> None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    given, expected = token.strip().encode(), world.config.channel_access_token.encode()
    if scheme.lower() != "bearer" or not hmac.compare_digest(given, expected):
        raise errors.unauthenticated()
