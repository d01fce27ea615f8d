"""The sandbox as one ASGI application."""

import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from tsudoi.sandbox import ids
from tsudoi.sandbox.answering import Answering
from tsudoi.sandbox.calls import Call
from tsudoi.sandbox.chatwork_api import endpoints as chatwork_paths
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.control_api import (
    answers,
    chatwork,
    conditions,
    faults,
    language_models,
    mails,
    people,
    phones,
    received,
    records,
    sheets,
    sms,
    stores,
    stripe,
)
from tsudoi.sandbox.line_api import account, login, rich_menu, sending, webhook
from tsudoi.sandbox.model_api import gemini, openai, openai_models
from tsudoi.sandbox.pages.routes import page_routes
from tsudoi.sandbox.sheets_api import endpoints as google
from tsudoi.sandbox.sms_api import karaden, twilio
from tsudoi.sandbox.smtp import mail_server
from tsudoi.sandbox.state import World
from tsudoi.sandbox.state_file import StateFile, keeping
from tsudoi.sandbox.stores_api import endpoints as stores_paths
from tsudoi.sandbox.stripe_api import events, payments, sessions
from tsudoi.sandbox.stripe_api.webhooks import StripeWebhooks
from tsudoi.sandbox.webhooks import WebhookSender
from tsudoi.sandbox.wire import NOTE, RECEIVED, REQUEST_ID, TRANSPORT, OrjsonResponse

STATIC = Path(__file__).parent / "static"
_LINE_PATHS = ("/v2/", "/oauth2/")
_LOGGED_PATHS = (
    *(*_LINE_PATHS, "/liff/", "/v4/", "/token", "/v1/", "/v1beta/", "/openai/", "/c/pay/"),
    *("/reserve/", "/chatwork/v2/", "/twilio/", "/karaden/"),
)
_NOSNIFF = (b"x-content-type-options", b"nosniff")
_NO_REFERRER = (b"referrer-policy", b"no-referrer")


class SandboxApp(Starlette):
    """The application. It sees each request before any middleware, where `send` still has the server's connection."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        scope[REQUEST_ID] = ids.new_request_id()
        scope[TRANSPORT] = getattr(getattr(send, "__self__", None), "transport", None)
        world: World = self.state.world
        scope[RECEIVED] = world.received.add(scope, world.clock.now_ms())
        recorder = _ResponseRecorder(scope, send)
        try:
            await super().__call__(scope, receive, recorder.send)
        finally:
            if scope["path"].startswith(_LOGGED_PATHS):
                world.record_call(recorder.as_call())
            if scope["method"] not in ("GET", "HEAD"):
                world.changed.set()


class _ResponseRecorder:
    """Adds the headers that every response has, and notes how the call went."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._started = time.perf_counter()
        self._status: int | None = None
        self._headers = [_NOSNIFF, _NO_REFERRER]
        if scope["path"].startswith(_LINE_PATHS):
            self._headers.append((b"x-line-request-id", scope[REQUEST_ID].encode()))

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            if self._scope[RECEIVED] is not None:
                self._scope[RECEIVED].status = self._status
            message["headers"] = [*message.get("headers", ()), *self._headers]
        await self._send(message)

    def as_call(self) -> Call:
        ms = (time.perf_counter() - self._started) * 1000
        scope = self._scope
        return Call("in", scope["method"], scope["path"], self._status, ms, scope.get(NOTE))


async def _refuse(_request: Request, error: Exception) -> Response:
    """The response to a path or method that does not exist."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    messages = {404: "Not found", 405: "Method not allowed"}
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    return OrjsonResponse({"message": messages.get(status, "Bad request")}, status, headers)


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    app.state.webhook_sender = WebhookSender(app.state.world)
    app.state.answering = Answering(app.state.world)
    app.state.stripe_webhooks = StripeWebhooks(app.state.world)
    async with (
        keeping(app.state.state_file),
        app.state.stripe_webhooks.running(),
        mail_server(app.state.world, app.state.mail_socket),
    ):
        try:
            yield
        finally:
            app.state.world.stream.close()
            await app.state.answering.stop()
            await app.state.webhook_sender.close()


# LINE's busiest paths come first.
_OUTSIDE = (sending, account, login, rich_menu, webhook, google, sessions, payments, events, gemini, openai)
_SYSTEMS = (stores_paths, chatwork_paths, twilio, karaden, openai_models)
_CONTROL = (
    *(people, phones, conditions, faults, records, received, answers, sheets, stripe, mails, language_models),
    *(stores, chatwork, sms),
)


def _routes(static_dir: Path) -> list[Route]:
    outside = [endpoint.route() for group in _OUTSIDE for endpoint in group.ENDPOINTS]
    steered = [route for group in (*_SYSTEMS, *_CONTROL) for route in group.ROUTES]
    return [*outside, *steered, *page_routes(static_dir)]


def create_app(
    config: SandboxConfig, *, static_dir: Path = STATIC, mail_socket: socket.socket | None = None
) -> Starlette:
    """`mail_socket`: where the mail server listens; without it there is none."""
    handlers: dict[Any, Any] = {HTTPException: _refuse}
    app = SandboxApp(routes=_routes(static_dir), exception_handlers=handlers, lifespan=_lifespan)
    world = app.state.world = World(config)
    app.state.mail_socket = mail_socket
    app.state.state_file = None if config.state_file is None else StateFile(world, config.state_file)
    if app.state.state_file is not None:
        app.state.state_file.load()
    return app
