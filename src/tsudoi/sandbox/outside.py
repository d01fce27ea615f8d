"""What every call to STORES, ChatWork and the SMS providers shares: faults, credentials, and the form of refusals."""

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.fault_effects import apply_after, apply_before
from tsudoi.sandbox.faults import Fault
from tsudoi.sandbox.state import World
from tsudoi.sandbox.wire import NoResponse, note, read_body, world_of

_FORM = "application/x-www-form-urlencoded"
_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]


@dataclass(frozen=True)
class OutsideRequest:
    """One call to an outside system."""

    http: Request
    world: World
    token: str
    raw: bytes = b""

    @property
    def now(self) -> int:
        return self.world.clock.now_ms()

    def path(self, name: str) -> str:
        return str(self.http.path_params[name])

    def query(self, name: str) -> str | None:
        """A parameter without a value counts as absent."""
        return self.http.query_params.get(name) or None

    def form(self) -> list[tuple[str, str]]:
        """The fields of a form. A body of another content type has none, as these systems see it."""
        if self.http.headers.get("content-type", "").split(";")[0].strip().lower() != _FORM:
            return []
        return parse_qsl(self.raw.decode("latin-1"), keep_blank_values=True, encoding="utf-8", errors="replace")


Handler = Callable[[OutsideRequest], Response]


def _nothing(_request: OutsideRequest) -> None:
    pass


def _unchanged(_request: OutsideRequest, response: Response) -> Response:
    return response


@dataclass(frozen=True)
class OutsideSystem:
    """One system: where it is, how it knows its callers, and how it refuses."""

    prefix: str
    token_of: Callable[[Request], str]
    # Raises a refusal for a caller whom the system does not know, or not at this moment.
    authorize: Callable[[OutsideRequest], None]
    refuse: Callable[[Refusal], Response]
    # What stands in front of the system and may refuse a caller before the system sees the call.
    guard: Callable[[OutsideRequest], None] = _nothing
    finish: Callable[[OutsideRequest, Response], Response] = _unchanged

    def routes(self, endpoints: list["OutsideEndpoint"]) -> list[Route]:
        """The endpoints, and a refusal in the system's own words for every other path."""
        unknown = OutsideEndpoint("", "/{rest:path}", "", _no_such_path)
        return [*(one.route(self) for one in endpoints), unknown.route(self)]


def _no_such_path(_request: OutsideRequest) -> Response:
    raise Refusal(404, "Not Found")


@dataclass(frozen=True)
class OutsideEndpoint:
    """A path of an outside system. The name is the one that fault rules use."""

    method: str
    path: str
    name: str
    handler: Handler

    def route(self, system: OutsideSystem) -> Route:
        async def serve(http: Request) -> Response:
            request = OutsideRequest(http, world_of(http), system.token_of(http))
            try:
                response = await self._respond(system, request)
            except Refusal as refusal:
                note(http, refusal.message)
                response = system.refuse(refusal)
                response.headers.update(refusal.headers)
            return response if isinstance(response, NoResponse) else system.finish(request, response)

        return Route(system.prefix + self.path, serve, methods=[self.method] if self.method else _METHODS)

    async def _respond(self, system: OutsideSystem, request: OutsideRequest) -> Response:
        """An outage strikes everybody, so a fault comes before the question who is calling."""
        system.guard(request)
        raw = await read_body(request.http)
        fault = self._fault(request)
        early = None if fault is None else await apply_before(fault, request.world)
        if early is not None:
            return early
        system.authorize(request)
        response = self.handler(OutsideRequest(request.http, request.world, request.token, raw))
        late = None if fault is None else apply_after(fault, request.world)
        if late is not None and late.status_code == 500:  # noqa: PLR2004 (the fault is told in the system's own words)
            raise Refusal(500, "Internal Server Error")
        return late or response

    def _fault(self, request: OutsideRequest) -> Fault | None:
        fault = request.world.faults.decide(self.name, path=request.http.url.path, token=request.token)
        if fault is not None:
            note(request.http, f"fault: {fault.kind}")
        return fault


def is_right(given: str, expected: str) -> bool:
    """An empty credential is never right, even where the sandbox was started with an empty one."""
    return bool(given) and hmac.compare_digest(given.encode(), expected.encode())


def bearer_of(http: Request) -> str:
    scheme, _, token = http.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
