"""What happens to every request before and after its endpoint, in one ASGI layer, because each layer costs time."""

import asyncio
import ipaddress
import logging
import random
import re
import time
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tsudoi.access.headers import security_headers
from tsudoi.access.rendering import STANDARD_ERRORS, ErrorShape
from tsudoi.core.client_addresses import rate_key
from tsudoi.core.errors import Problem, TooLarge, Unavailable
from tsudoi.core.runtime import Runtime

Header = tuple[bytes, bytes]

_log = structlog.stdlib.get_logger("tsudoi.http")
# Used to check the level first, because building a log line costs more than most requests.
_stdlib_log = logging.getLogger("tsudoi.http")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
# The token in the link of an invitation or of a proof is a password, so that no log may contain it.
_TOKEN_IN_PATH = re.compile(r"^(/i/|/help/[^/]*/verify/)[^/]+")


class _BodyTooLarge(HTTPException):
    """Raised out of `receive` when a body without a length grows past the limit.

    It is an HTTPException, because FastAPI reports any other error during reading as bad JSON.
    """

    def __init__(self) -> None:
        super().__init__(TooLarge.status)


class EdgeMiddleware:
    """The outermost ASGI layer: request ids, body limits, security headers, metrics, and unexpected errors."""

    def __init__(
        self,
        app: ASGIApp,
        runtime: Runtime,
        registry: CollectorRegistry,
        longer_bodies: Mapping[str, int] = MappingProxyType({}),
        shape_of: Callable[[str], ErrorShape] = lambda _path: STANDARD_ERRORS,
    ) -> None:
        """`longer_bodies`: larger body limits by path. `shape_of`: how errors at a path are written."""
        self._shape_of = shape_of
        self._app = app
        self._settings = settings = runtime.settings
        self._lines = runtime.lines
        self._longer_bodies = longer_bodies
        self._trusted = [ipaddress.ip_network(part, strict=False) for part in settings.trusted_proxies]
        self._requests = Counter(
            "tsudoi_http_requests", "Requests by route and status.", ["method", "route", "status"], registry=registry
        )
        self._known: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self._seconds = Histogram(
            "tsudoi_http_seconds",
            "Time to the end of the answer.",
            ["route"],
            registry=registry,
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name: value for name, value in scope["headers"] if name in _HEADERS_OF_INTEREST}
        self._believe_proxy(scope, headers)
        # Each request runs in its own context, so nothing has to be unbound afterwards.
        request_id = _bind_request_id(headers)
        await self._serve(scope, receive, send, headers, request_id)

    async def _serve(
        self, scope: Scope, receive: Receive, send: Send, headers: dict[bytes, bytes], request_id: str
    ) -> None:
        started = time.perf_counter()
        status = 500
        answered = False

        async def decorated(message: Message) -> None:
            nonlocal status, answered
            if message["type"] == "http.response.start":
                status, answered = message["status"], True
                message["headers"] = self._with_ours(message.get("headers", ()), scope["path"], request_id)
            await send(message)

        try:
            limit = max(self._settings.body_limit_bytes, self._longer_bodies.get(scope["path"], 0))
            _refuse_long(_declared_length(headers), limit)
            await self._app(scope, _counted(receive, limit), decorated)
        except _BodyTooLarge:
            if not answered:
                await self._answer(decorated, scope, TooLarge())
        except ClientDisconnect:
            status = _CLIENT_GONE
        except asyncio.CancelledError:
            # The server stops and has waited for this request as long as it may. Something of it may have been done.
            if answered:
                raise
            await self._answer(decorated, scope, Unavailable(_STOPPED))
        except Exception:  # noqa: BLE001 (no error may reach the server)
            self._log_unexpected(scope)
            if not answered:
                await self._answer(decorated, scope, Problem())
        finally:
            self._account(scope, status, time.perf_counter() - started)

    def _log_unexpected(self, scope: Scope) -> None:
        """The details go to the log under the request id; the caller gets the id and nothing else."""
        if self._lines.admit("unexpected"):
            _log.exception("unexpected", method=scope["method"], path=_loggable(scope["path"]))

    async def _answer(self, send: Send, scope: Scope, problem: Problem) -> None:
        body = self._shape_of(scope["path"]).render(problem)
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        headers += [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
        await send({"type": "http.response.start", "status": problem.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _with_ours(self, headers: Iterable[Header], path: str, request_id: str) -> list[Header]:
        """Add our headers. A header that the endpoint has set, such as a cache rule, is kept."""
        present = list(headers)
        names = {name for name, _ in present}
        ours = ((b"x-request-id", request_id.encode()), *security_headers(self._settings, path))
        return present + [(name, value) for name, value in ours if name not in names]

    def _believe_proxy(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        """Use the last address in X-Forwarded-For that is not one of our proxies, as clients can forge the rest."""
        client = scope.get("client")
        if not self._trusted or client is None or not self._is_trusted(client[0]):
            return
        for part in reversed(headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",")):
            address = part.strip()
            if not _is_address(address):
                return
            scope["client"] = (address, 0)
            if not self._is_trusted(address):
                return

    def _is_trusted(self, address: str) -> bool:
        return _is_address(address) and any(ipaddress.ip_address(address) in network for network in self._trusted)

    def _counters(self, method: str, route: str, status: int) -> tuple[Counter, Histogram]:
        """The counters are cached, because the library checks the labels at each call."""
        known = self._known.get((method, route, status))
        if known is None:
            known = self._known[method, route, status] = (
                self._requests.labels(method, route, str(status)),
                self._seconds.labels(route),
            )
        return known

    def _account(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "(none)")
        requests, durations = self._counters(scope["method"] if scope["method"] in _METHODS else "other", route, status)
        requests.inc()
        durations.observe(seconds)
        if status in _REFUSALS:
            self._trace_refusal(scope, route, status)
        elif status >= 500:  # noqa: PLR2004 (server errors)
            if self._lines.admit("server_error"):
                _log.error("request", method=scope["method"], route=route, status=status, ms=round(seconds * 1000))
        elif _stdlib_log.isEnabledFor(logging.DEBUG):
            _log.debug("request", method=scope["method"], route=route, status=status, ms=round(seconds * 1000))

    def _trace_refusal(self, scope: Scope, route: str, status: int) -> None:
        """Who was refused where. The principal, if there is one, is in the context of the log."""
        address = scope["client"][0] if scope.get("client") else "unknown"
        if self._lines.admit(str(status), rate_key(address)):
            _log.warning("request_refused", method=scope["method"], route=route, status=status, client=address)


_HEADERS_OF_INTEREST = frozenset({b"content-length", b"x-forwarded-for", b"x-request-id"})
# Only for logs and metrics, where it separates lost clients from our own failures. Other servers use it too.
_CLIENT_GONE = 499
_STOPPED = "サーバーを再起動しているため、処理が終わったかどうかを確認できません。少し待ってから確認してください。"
# Not logged in, not allowed, locked, too often: what leaves a trace.
_REFUSALS = frozenset({401, 403, 423, 429})
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _bind_request_id(headers: dict[bytes, bytes]) -> str:
    """Give the request an id of ours, for the logs and the audit trail. Returns the id for the response.

    A well-formed id from outside goes back to its sender and stands beside ours in the logs. It does not enter the
    audit trail, because there it could pretend to be another request.
    """
    # The id is no secret, so it does not use the system's random source: that call releases the interpreter lock, and
    # under load it takes longer to get the lock back than to run the rest of this layer.
    ours = f"{random.getrandbits(128):032x}"
    given = headers.get(b"x-request-id", b"").decode("latin-1")
    if _REQUEST_ID.fullmatch(given):
        structlog.contextvars.bind_contextvars(request_id=ours, outside_request_id=given)
        return given
    structlog.contextvars.bind_contextvars(request_id=ours)
    return ours


def _loggable(path: str) -> str:
    return _TOKEN_IN_PATH.sub(r"\1***", path)


def _declared_length(headers: dict[bytes, bytes]) -> int:
    declared = headers.get(b"content-length", b"0")
    return int(declared) if declared.isdigit() and len(declared) < 20 else 0  # noqa: PLR2004 (no real length has more digits)


def _refuse_long(length: int, limit: int) -> None:
    if length > limit:
        raise _BodyTooLarge


def _counted(receive: Receive, limit: int) -> Receive:
    seen = 0

    async def counting() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        _refuse_long(seen, limit)
        return message

    return counting


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
