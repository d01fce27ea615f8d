"""What every call to LINE shares: authentication, the retry key, faults, and the form of the response."""

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
from tsudoi.sandbox.fault_effects import apply_after, apply_before
from tsudoi.sandbox.fault_places import FaultKind
from tsudoi.sandbox.faults import Fault
from tsudoi.sandbox.ids import RETRY_KEY
from tsudoi.sandbox.state import World
from tsudoi.sandbox.wire import REQUEST_ID, OrjsonResponse, base_url, note, parse_json, read_body, world_of


@dataclass(frozen=True)
class LineRequest:
    """One call to LINE, after authentication."""

    http: Request
    world: World
    raw: bytes
    request_id: str
    retry_key: str | None

    @property
    def base_url(self) -> str:
        return base_url(self.http)

    def path(self, name: str) -> str:
        return str(self.http.path_params[name])

    def json(self) -> dict[str, Any]:
        """The body as an object. LINE accepts it only with the content type of JSON."""
        content_type = self.http.headers.get("content-type", "")
        if content_type.split(";")[0].strip().lower() != "application/json":
            raise errors.unsupported_type(content_type)
        body = parse_json(self.raw)
        if not isinstance(body, dict):
            raise Refusal(400, "The request body must be a JSON object")
        return body


@dataclass(frozen=True)
class LineResponse:
    """What LINE responds: a JSON body, or a response that is already rendered, such as a picture."""

    body: Any = field(default_factory=dict)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    def render(self) -> Response:
        if isinstance(self.body, Response):
            return self.body
        return OrjsonResponse(self.body, self.status, self.headers)


Handler = Callable[[LineRequest], LineResponse | Awaitable[LineResponse]]


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

    async def _serve(self, http: Request) -> Response:
        try:
            return await self._respond(await self._receive(http))
        except (Refusal, OAuthRefusal) as refusal:
            body = refusal.body()
            note(http, body["error_description"] if isinstance(refusal, OAuthRefusal) else refusal.message)
            headers = {} if isinstance(refusal, OAuthRefusal) else refusal.headers
            return OrjsonResponse(body, refusal.status, headers)

    async def _receive(self, http: Request) -> LineRequest:
        world = world_of(http)
        if not self.open_to_all:
            scheme, _, token = http.headers.get("authorization", "").partition(" ")
            given, expected = token.strip().encode(), world.config.channel_access_token.encode()
            if scheme.lower() != "bearer" or not hmac.compare_digest(given, expected):
                raise errors.unauthenticated()
        raw = await read_body(http)
        return LineRequest(http, world, raw, http.scope[REQUEST_ID], self._retry_key(http))

    def _retry_key(self, http: Request) -> str | None:
        key = http.headers.get("x-line-retry-key")
        if key is None:
            return None
        if not self.retry_keys:
            raise Refusal(400, "The retry key can't be specified for this API")
        if not RETRY_KEY.fullmatch(key):
            raise Refusal(400, "The retry key is invalid. Specify a UUID in hexadecimal notation.")
        return key.lower()

    async def _respond(self, request: LineRequest) -> Response:
        fault = request.world.faults.decide(
            self.name, has_retry_key=request.retry_key is not None, path=request.http.url.path
        )
        if fault is None:
            return (await self._handle(request)).render()
        note(request.http, f"fault: {fault.kind}")
        early = await apply_before(fault, request.world)
        if early is not None:
            return early
        return self._apply_fault(fault, request, await self._handle(request))

    async def _handle(self, request: LineRequest) -> LineResponse:
        """Handlers that change the state do not await anything, so nothing happens between check and change."""
        response = self.handler(request)
        return await response if isawaitable(response) else response

    def _apply_fault(self, fault: Fault, request: LineRequest, response: LineResponse) -> Response:
        """Replaces the response to a call that LINE has accepted. A call that LINE refused by itself stays refused."""
        late = apply_after(fault, request.world)
        if late is not None:
            return late
        if fault.kind is FaultKind.CONFLICT and request.retry_key is not None and response.status != 409:  # noqa: PLR2004
            return already_accepted(request, request.retry_key).render()
        return response.render()


def already_accepted(request: LineRequest, key: str) -> LineResponse:
    accepted = request.world.retry_keys.accepted(key, request.world.clock.now_ms())
    if accepted is None:
        raise errors.server_error()
    body: dict[str, Any] = {"message": "The retry key is already accepted"}
    if accepted.endpoint == "push":
        body["sentMessages"] = accepted.sent_messages
    return LineResponse(body, 409, {"x-line-accepted-request-id": accepted.request_id})
