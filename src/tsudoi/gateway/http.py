"""The only way out of this program: time-outs, retries by policy, and a masked row in `api_call_logs` per try."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Literal, assert_never

import httpx2
import stamina
import structlog

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.gateway.masking import masked_body, masked_url

_log = structlog.stdlib.get_logger(__name__)

DEFAULT_TIMEOUT = timedelta(seconds=10)
_CONNECT_TIMEOUT = timedelta(seconds=5)


class NoAnswer(Exception):
    """`not_sent`: it surely never reached the other side. `unknown`: it may have been done."""

    def __init__(self, kind: Literal["not_sent", "unknown"], reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind = kind
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Retries:
    """How often to try again inside one call. Only for what is safe to repeat; sending has its outbox instead."""

    attempts: int = 1
    first_wait: timedelta = timedelta(milliseconds=200)
    statuses: frozenset[int] = frozenset({429, 500, 502, 503, 504})


NO_RETRIES = Retries()
SAFE_READ = Retries(attempts=3)


@dataclass(frozen=True, slots=True)
class Call:
    target: str
    operation: str
    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    timeout: timedelta = DEFAULT_TIMEOUT
    retries: Retries = NO_RETRIES
    # Whether the caller goes on before its row is on disk. For thousands of calls whose outcome is kept elsewhere.
    log_soon: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: httpx2.Headers
    body: bytes


class _WorthRetrying(Exception):
    def __init__(self, outcome: Answer | NoAnswer) -> None:
        super().__init__()
        self.outcome = outcome


class Outlet:
    """Redirects are not followed: a configured base must not lead us somewhere else."""

    def __init__(self, db: Database, connections: int = 20) -> None:
        self._db = db
        self._client = httpx2.Client(
            follow_redirects=False,
            trust_env=False,
            # Calls of different people share this client; a cookie set for one must not travel with the next.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
            limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
        )

    def send(self, call: Call) -> Answer:
        """The last answer, whatever its status; `NoAnswer` when there was none."""
        if call.retries.attempts == 1:
            return self._try(call, 1)
        waits = stamina.retry_context(
            on=_WorthRetrying,
            attempts=call.retries.attempts,
            timeout=None,
            wait_initial=call.retries.first_wait,
            wait_max=timedelta(seconds=5),
        )
        try:
            for attempt in waits:
                with attempt:
                    return self._try(call, attempt.num)
        except _WorthRetrying as given_up:
            match given_up.outcome:
                case Answer() as answer:
                    return answer
                case NoAnswer() as silence:
                    raise silence from given_up
                case never:
                    assert_never(never)
        raise AssertionError("the loop above returns or raises")

    def close(self) -> None:
        self._client.close()

    def _try(self, call: Call, attempt: int) -> Answer:
        started = time.perf_counter()
        outcome = self._exchange(call)
        self._write_down(call, attempt, outcome, started)
        if call.retries.attempts > 1 and (isinstance(outcome, NoAnswer) or outcome.status in call.retries.statuses):
            raise _WorthRetrying(outcome)
        if isinstance(outcome, NoAnswer):
            raise outcome
        return outcome

    def _exchange(self, call: Call) -> Answer | NoAnswer:
        connect = min(call.timeout, _CONNECT_TIMEOUT)
        timeout = httpx2.Timeout(call.timeout.total_seconds(), connect=connect.total_seconds())
        try:
            response = self._client.request(
                call.method, call.url, headers=dict(call.headers), content=call.content, timeout=timeout
            )
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol) as error:
            return NoAnswer("not_sent", type(error).__name__)
        except httpx2.HTTPError as error:
            return NoAnswer("unknown", type(error).__name__)
        return Answer(response.status_code, response.headers, response.content)

    def _write_down(self, call: Call, attempt: int, outcome: Answer | NoAnswer, started: float) -> None:
        latency_ms = round((time.perf_counter() - started) * 1000)
        try:
            write = self._db.write_soon if call.log_soon else self._db.write_now
            write(_record, _row(call, attempt, outcome, latency_ms), self._db.clock.now())
        except Exception:  # noqa: BLE001 (what was sent was sent; a log that cannot be written must not change that)
            _log.exception("api_call_not_logged", target=call.target, operation=call.operation)


def _row(call: Call, attempt: int, outcome: Answer | NoAnswer, latency_ms: int) -> dict[str, Any]:
    return {
        "request_id": structlog.contextvars.get_contextvars().get("request_id"),
        "target": call.target,
        "operation": call.operation,
        "method": call.method,
        "url": masked_url(call.url),
        "attempt": attempt,
        "latency_ms": latency_ms,
        "request_body": masked_body(call.content),
        **_outcome_columns(outcome),
    }


def _outcome_columns(outcome: Answer | NoAnswer) -> dict[str, Any]:
    if isinstance(outcome, NoAnswer):
        return {"error": str(outcome)}
    return {
        "status_code": outcome.status,
        "external_request_id": outcome.headers.get("x-line-request-id"),
        "response_body": masked_body(outcome.body),
    }


_COLUMNS = (
    *("request_id", "target", "operation", "method", "url", "attempt", "status_code", "error", "latency_ms"),
    *("external_request_id", "request_body", "response_body", "created_at_utc"),
)
_RECORD = RawSql(
    f"INSERT INTO api_call_logs ({', '.join(_COLUMNS)}) VALUES ({', '.join(f':{name}' for name in _COLUMNS)})"  # noqa: S608 (names of ours)
)
_NOTHING: dict[str, Any] = dict.fromkeys(("status_code", "external_request_id", "response_body", "error"))


def _record(tx: Tx, row: dict[str, Any], at: datetime) -> None:
    _RECORD.first(tx, {**_NOTHING, **row, "created_at_utc": utc_text(at)})
