"""All outbound HTTP calls: pools, time-outs, a deadline, retries, and a masked row in `api_call_logs`."""

import asyncio
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal, TypeVar

import httpcore2
import httpx2

from tsudoi import __version__
from tsudoi.core.db.interface import Database
from tsudoi.core.installation import SendingHold
from tsudoi.gateway.call_log import write_call
from tsudoi.gateway.call_reports import CallReports, report_of_answer, report_of_silence
from tsudoi.gateway.deadlines import DeadlineBackend, ending_at
from tsudoi.gateway.masking import length_of, masked_body, masked_url

T = TypeVar("T")
D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class Pool:
    """Calls of one purpose: at most `size` connections to each target, and at most `size` threads for requests."""

    name: str
    size: int
    # How long an HTTP request of ours waits for a free thread and for the result together.
    longest_wait: timedelta = timedelta(seconds=10)


class ThreadPools:
    """One bounded executor per `Pool`, created by the first request that needs it.

    Calls to the outside do not run in the default executor of asyncio: it has few threads, and everything else that
    blocks for a moment shares them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._executors: dict[str, ThreadPoolExecutor] = {}

    async def run(self, pool: Pool, function: Callable[..., T], *args: Any, if_busy: D) -> T | D:
        """The function's result, or `if_busy` when it is not there within the pool's longest wait.

        A function that has not begun by then is never run. One that has begun ends at the deadline of its own call.
        """
        with self._lock:
            if pool.name not in self._executors:
                self._executors[pool.name] = ThreadPoolExecutor(pool.size, thread_name_prefix=pool.name)
            executor = self._executors[pool.name]
        future = executor.submit(copy_context().run, function, *args)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), pool.longest_wait.total_seconds())
        except TimeoutError:
            return if_busy

    def close(self) -> None:
        """Waits for the calls that have begun, so that their outcome is written before the database is closed."""
        with self._lock:
            for executor in self._executors.values():
                executor.shutdown(wait=True, cancel_futures=True)


SERVER_TROUBLE = frozenset({500, 502, 503, 504})
RETRIED_STATUSES = SERVER_TROUBLE | {429}
_CONNECT_SECONDS = 5.0
_KEEP_ALIVE_SECONDS = 5.0
_FIRST_PAUSE = timedelta(milliseconds=200)
_WITH_BODY = ("POST", "PUT", "PATCH")
_HEADERS = (("Accept", "*/*"), ("Accept-Encoding", "gzip"), ("User-Agent", f"tsudoi/{__version__}"))
_NEVER_SENT = (
    httpcore2.ConnectError,
    httpcore2.ConnectTimeout,
    httpcore2.PoolTimeout,
    httpcore2.UnsupportedProtocol,
    httpcore2.LocalProtocolError,
)
_FAILED = (httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.UnsupportedProtocol)


# Why a restored copy made no request: see `core.installation`.
SEND_NOTHING = "SEND_NOTHING"
# Requests with a body that only ask, and those of `tsudoi doctor` to ourselves.
_ASKING = frozenset({("line", "verify"), ("line", "webhook_test"), ("sheets", "token"), ("tsudoi", "webhook_control")})


class NoResponse(Exception):
    """No response came. `not_sent`: the request never reached the other side. `unknown`: it may have had an effect."""

    def __init__(self, kind: Literal["not_sent", "unknown"], reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind = kind
        self.reason = reason


@dataclass(frozen=True, slots=True)
class CallPolicy:
    """The connections, time limits and attempts of one kind of call.

    `timeout` is the longest silence of the peer. `deadline` covers everything: all attempts, the pauses between them,
    and each response to its last byte. More than one attempt is only for what is safe to repeat; sending has its
    outbox instead.
    """

    pool: Pool
    timeout: timedelta
    deadline: timedelta
    attempts: int = 1
    largest_response: int = 1024 * 1024
    retried_statuses: frozenset[int] = RETRIED_STATUSES
    # False: a request that may have reached the other side is not repeated, because it sends something.
    retries_unknown: bool = True
    # The longest time for one attempt, however slowly the peer answers. None: only the deadline counts.
    longest_attempt: timedelta | None = None


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request to an outside system. `target` and `operation` name it in `api_call_logs`."""

    target: str
    operation: str
    method: str
    url: str
    policy: CallPolicy
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    # True: the caller does not wait for the log row. For thousands of calls whose outcome is stored elsewhere.
    log_soon: bool = False
    # False: the bodies are personal data throughout, and the log keeps nothing but their length.
    log_bodies: bool = True
    # What the log keeps of the bodies instead of `masked_body`, for a system whose fields need a list of their own.
    body_mask: Callable[[bytes | None], str | None] | None = None


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """What the outside system answered, read to its end."""

    status: int
    headers: httpx2.Headers
    body: bytes

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300  # noqa: PLR2004 (the range of success)


class HttpGateway:
    """Sends requests over connections that are kept apart by pool and target, so that no system waits for another.

    It follows no redirects, because a configured address must not lead us somewhere else. It keeps no cookies, because
    calls of different people share its connections. It uses no proxy of the environment.
    """

    def __init__(self, db: Database | None) -> None:
        """Without a database no rows are written. `tsudoi doctor` needs this when the database is broken."""
        self._db = db
        self._hold = SendingHold(db)
        self._lock = threading.Lock()
        self._tls: ssl.SSLContext | None = None
        self._connections: dict[tuple[str, str, bytes], httpcore2.ConnectionPool] = {}
        self.threads = ThreadPools()
        # How the watched systems do; the mail client reports here too.
        self.reports = CallReports()

    def send(self, request: HttpRequest) -> HttpResponse:
        """The last response, whatever its status. Raises `NoResponse` when there was none."""
        policy = request.policy
        deadline = time.monotonic() + policy.deadline.total_seconds()
        for attempt in range(1, policy.attempts + 1):
            started = time.perf_counter()
            end = deadline
            if policy.longest_attempt is not None:
                end = min(deadline, time.monotonic() + policy.longest_attempt.total_seconds())
            with ending_at(end):
                outcome = self._exchange(request, end)
            self._record(request, attempt, outcome, started)
            if not _is_repeatable(policy, outcome):
                break
            pause = _FIRST_PAUSE.total_seconds() * 2 ** (attempt - 1)
            if attempt == policy.attempts or time.monotonic() + pause >= deadline:
                break
            time.sleep(pause)
        if isinstance(outcome, NoResponse):
            self.reports.tell(report_of_silence(request.target, outcome.reason, policy.deadline))
            raise outcome
        self.reports.tell(report_of_answer(request.target, request.operation, outcome.status, outcome.body))
        return outcome

    def close(self) -> None:
        self.threads.close()
        with self._lock:
            for connections in self._connections.values():
                connections.close()

    def _exchange(self, request: HttpRequest, deadline: float) -> HttpResponse | NoResponse:
        asks = request.method in ("GET", "HEAD") or (request.target, request.operation) in _ASKING
        if not asks and self._hold.is_on():
            return NoResponse("not_sent", SEND_NOTHING)
        url = httpx2.URL(request.url)
        # Without a length of 0 some servers refuse a request that should have a body and has none.
        content = b"" if request.content is None and request.method in _WITH_BODY else request.content
        silence = request.policy.timeout.total_seconds()
        connect, pool = min(silence, _CONNECT_SECONDS), min(silence, max(0.0, deadline - time.monotonic()))
        timeouts = {"connect": connect, "read": silence, "write": silence, "pool": pool}
        try:
            with self._connections_of(request, url.raw_scheme).stream(
                request.method,
                httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                headers=[("Host", url.netloc), *_HEADERS, *request.headers.items()],
                content=content,
                extensions={"timeout": timeouts},
            ) as response:
                return _read(response, request.policy.largest_response)
        except _NEVER_SENT as error:
            return NoResponse("not_sent", type(error).__name__)
        except _FAILED as error:
            return NoResponse("unknown", type(error).__name__)

    def _connections_of(self, request: HttpRequest, scheme: bytes) -> httpcore2.ConnectionPool:
        pool = request.policy.pool
        key = (pool.name, request.target, scheme)
        with self._lock:
            if key not in self._connections:
                if scheme == b"https" and self._tls is None:
                    # It reads all certificates of the system, so it is made once, and only when it is needed.
                    self._tls = httpx2.create_ssl_context(trust_env=False)
                self._connections[key] = httpcore2.ConnectionPool(
                    ssl_context=self._tls,
                    max_connections=pool.size,
                    max_keepalive_connections=pool.size,
                    keepalive_expiry=_KEEP_ALIVE_SECONDS,
                    network_backend=DeadlineBackend(),
                )
            return self._connections[key]

    def _record(self, request: HttpRequest, attempt: int, outcome: HttpResponse | NoResponse, started: float) -> None:
        if self._db is None:
            return
        latency_ms = round((time.perf_counter() - started) * 1000)
        write_call(self._db, _row(request, attempt, outcome, latency_ms), soon=request.log_soon)


def _is_repeatable(policy: CallPolicy, outcome: HttpResponse | NoResponse) -> bool:
    if isinstance(outcome, HttpResponse):
        return outcome.status in policy.retried_statuses
    return policy.retries_unknown or outcome.kind == "not_sent"


def _read(response: httpcore2.Response, largest: int) -> HttpResponse | NoResponse:
    """Read and decompress the body. A too large one is refused, so that a peer cannot fill our memory."""
    headers, body = httpx2.Headers(response.headers), bytearray()
    for chunk in response.iter_stream():
        body += chunk
        if len(body) > largest:
            return NoResponse("unknown", "ResponseTooLarge")
    encoding = headers.get("content-encoding", "identity").lower()
    if encoding == "identity":
        return HttpResponse(response.status, headers, bytes(body))
    if encoding not in ("gzip", "x-gzip"):
        return NoResponse("unknown", "UnknownEncoding")
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        plain = unpacking.decompress(body, largest)
    except zlib.error:
        return NoResponse("unknown", "UnreadableEncoding")
    if body and not unpacking.eof:
        return NoResponse("unknown", "ResponseTooLarge" if unpacking.unconsumed_tail else "UnreadableEncoding")
    return HttpResponse(response.status, headers, plain)


def _row(request: HttpRequest, attempt: int, outcome: HttpResponse | NoResponse, latency_ms: int) -> dict[str, Any]:
    response = None if isinstance(outcome, NoResponse) else outcome
    kept = request.body_mask or (masked_body if request.log_bodies else length_of)
    return {
        "target": request.target,
        "operation": request.operation,
        "method": request.method,
        "url": masked_url(request.url),
        "attempt": attempt,
        "latency_ms": latency_ms,
        "request_body": kept(request.content),
        "error": str(outcome) if response is None else None,
        "status_code": response and response.status,
        "external_request_id": response and _external_request_id(response.headers),
        "response_body": response and kept(response.body),
    }


def _external_request_id(headers: httpx2.Headers) -> str | None:
    """What LINE and Stripe call the request in their own logs."""
    return headers.get("x-line-request-id") or headers.get("request-id")
