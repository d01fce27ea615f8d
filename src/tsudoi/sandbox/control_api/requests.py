"""What every call of the control API shares: who may call, how the body is read, how a mistake is reported."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tsudoi.sandbox.answering import Answering
from tsudoi.sandbox.errors import Refusal, not_found
from tsudoi.sandbox.state import World
from tsudoi.sandbox.stripe_api.webhooks import StripeWebhooks
from tsudoi.sandbox.users import User
from tsudoi.sandbox.webhooks import WebhookSender
from tsudoi.sandbox.wire import OrjsonResponse, base_url, is_whole, parse_json, read_body, world_of

_MISSING = object()


class Fields:
    """A JSON object whose fields are read by type. Zero, empty and absent are different values."""

    def __init__(self, values: Any) -> None:
        if not isinstance(values, dict):
            raise Refusal(400, "The body must be a JSON object")
        self.values: dict[str, Any] = values

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def _get(self, name: str, kinds: type | tuple[type, ...], default: Any) -> Any:
        value = self.values.get(name, _MISSING)
        if (value is _MISSING or value is None) and default is not _MISSING:
            return default
        wrong_bool = isinstance(value, bool) and kinds is not bool
        if wrong_bool or not isinstance(value, kinds):
            raise Refusal(400, f"'{name}' is missing or of the wrong type")
        return value

    def text(self, name: str, default: Any = _MISSING, *, most: int = 5000) -> Any:
        value = self._get(name, str, default)
        if isinstance(value, str) and not 1 <= len(value) <= most:
            raise Refusal(400, f"'{name}' must have 1 to {most} characters")
        return value

    def whole(self, name: str, default: Any = _MISSING, *, least: int = -(2**53), most: int = 2**53) -> Any:
        value = self._get(name, int, default)
        if isinstance(value, int) and not least <= value <= most:
            raise Refusal(400, f"'{name}' must be between {least} and {most}")
        return value

    def number(self, name: str, default: Any = _MISSING, *, least: float = -1e12, most: float = 1e12) -> Any:
        value = self._get(name, (int, float), default)
        if isinstance(value, int | float) and not least <= value <= most:
            raise Refusal(400, f"'{name}' must be between {least} and {most}")
        return value

    def flag(self, name: str) -> bool:
        return bool(self._get(name, bool, default=False))

    def fields(self, name: str) -> "Fields":
        return Fields(self._get(name, dict, {}))

    def entries(self, name: str) -> list[Any]:
        return list(self._get(name, list, _MISSING))


@dataclass(frozen=True)
class ControlRequest:
    """One call of the control API: the HTTP request, the state of the sandbox, and the body."""

    http: Request
    world: World
    body: Fields

    @property
    def base_url(self) -> str:
        return base_url(self.http)

    @property
    def webhook_sender(self) -> WebhookSender:
        webhook_sender: WebhookSender = self.http.app.state.webhook_sender
        return webhook_sender

    @property
    def stripe_webhooks(self) -> StripeWebhooks:
        stripe_webhooks: StripeWebhooks = self.http.app.state.stripe_webhooks
        return stripe_webhooks

    @property
    def answering(self) -> Answering:
        answering: Answering = self.http.app.state.answering
        return answering

    def path(self, name: str) -> str:
        return str(self.http.path_params[name])

    def user(self) -> User:
        user = self.world.users.get(self.path("user_id"))
        if user is None:
            raise not_found("No such user")
        return user

    def query_number(self, name: str, default: int | None) -> int | None:
        text = self.http.query_params.get(name)
        if text is None:
            return default
        if not is_whole(text):
            raise Refusal(400, f"'{name}' must be a whole number")
        return int(text)


def control(method: str, path: str, handler: Callable[[ControlRequest], Awaitable[Response]]) -> Route:
    async def serve(request: Request) -> Response:
        try:
            return await handler(await _receive(request))
        except Refusal as refusal:
            return OrjsonResponse(refusal.body(), refusal.status)

    return Route(f"/_sandbox{path}", serve, methods=[method], name=f"{method} {path}")


async def _receive(request: Request) -> ControlRequest:
    world = world_of(request)
    if request.method not in ("GET", "HEAD"):
        refuse_other_origins(request, world)
    raw = await read_body(request)
    return ControlRequest(request, world, Fields(parse_json(raw) if raw else {}))


def refuse_other_origins(request: Request, world: World) -> None:
    """The sandbox has no log-in, so a page of another origin in the same browser must not be able to steer it."""
    origin = request.headers.get("origin")
    if origin is None or origin in world.config.allow_origins:
        return
    if urlsplit(origin).netloc != request.headers.get("host"):
        raise Refusal(403, "This origin may not write here")
