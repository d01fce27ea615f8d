"""What every call to Google shares: authorization, faults, and the form of errors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tsudoi.sandbox.errors import OAuthRefusal, Refusal
from tsudoi.sandbox.fault_effects import apply_after, apply_before
from tsudoi.sandbox.google_login import SCOPE
from tsudoi.sandbox.spreadsheets import Spreadsheet
from tsudoi.sandbox.state import World
from tsudoi.sandbox.wire import OrjsonResponse, note, parse_json, read_body, world_of

_BODY_BYTES = 10 * 1024 * 1024
_STATUS_NAMES = {
    400: ("INVALID_ARGUMENT", "Request contains an invalid argument."),
    401: ("UNAUTHENTICATED", "Request had invalid authentication credentials. Expected OAuth 2 access token."),
    403: ("PERMISSION_DENIED", "The caller does not have permission"),
    404: ("NOT_FOUND", "Requested entity was not found."),
    413: ("INVALID_ARGUMENT", "Request payload size exceeds the limit: 10485760 bytes."),
    429: (
        "RESOURCE_EXHAUSTED",
        "Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute'.",
    ),
    500: ("INTERNAL", "Internal error encountered."),
}


def google_error(status: int, message: str | None = None) -> OrjsonResponse:
    name, usual = _STATUS_NAMES.get(status, _STATUS_NAMES[400])
    return OrjsonResponse({"error": {"code": status, "message": message or usual, "status": name}}, status)


@dataclass
class GoogleRefusal(Exception):
    """A response of Google that is not 2xx."""

    status: int
    message: str | None = None


@dataclass(frozen=True)
class GoogleRequest:
    """One call to the Sheets API or to Google's log-in."""

    http: Request
    world: World
    raw: bytes

    def path(self, name: str) -> str:
        return str(self.http.path_params[name])

    def query(self, name: str, default: str) -> str:
        return self.http.query_params.get(name, default)

    def json(self) -> dict[str, Any]:
        body = parse_json(self.raw)
        if not isinstance(body, dict):
            raise GoogleRefusal(400)
        return body

    def spreadsheet(self) -> Spreadsheet:
        found = self.world.spreadsheets.get(self.path("id"))
        if found is None:
            raise GoogleRefusal(404)
        if not found.shared:
            raise GoogleRefusal(403)
        return found


@dataclass(frozen=True)
class GoogleEndpoint:
    """A path of Google's. `fault_name` is the name that fault rules use."""

    method: str
    path: str
    handler: Callable[[GoogleRequest], Any]
    fault_name: str = "sheets"
    open_to_all: bool = False

    def route(self) -> Route:
        return Route(self.path, self._serve, methods=[self.method])

    async def _serve(self, request: Request) -> Response:
        world = world_of(request)
        try:
            received = GoogleRequest(request, world, await read_body(request, _BODY_BYTES))
            fault = world.faults.decide(self.fault_name, path=request.url.path)
            if fault is not None:
                note(request, f"fault: {fault.kind}")
                early = await apply_before(fault, world)
                if early is not None:
                    return early
            self._authorize(request, world)
            response = OrjsonResponse(self.handler(received))
            replaced = fault and apply_after(fault, world)
            return google_error(replaced.status_code) if isinstance(replaced, OrjsonResponse) else replaced or response
        except OAuthRefusal as refusal:
            note(request, refusal.description)
            return OrjsonResponse(refusal.body(), refusal.status)
        except (Refusal, GoogleRefusal) as refusal:
            message = refusal.message if isinstance(refusal, GoogleRefusal) else None
            note(request, message or f"refused: {refusal.status}")
            return google_error(refusal.status, message)

    def _authorize(self, request: Request, world: World) -> None:
        if self.open_to_all:
            return
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        scope = world.google.scope_of(token) if kind == "Bearer" else None
        if scope is None:
            raise GoogleRefusal(401)
        if self.method != "GET" and SCOPE not in scope.split():
            raise GoogleRefusal(403, "Request had insufficient authentication scopes.")
