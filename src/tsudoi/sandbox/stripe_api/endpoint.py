"""What every call to Stripe shares: the key, the version, idempotency, faults, and the form of errors."""

import asyncio
import base64
import binascii
import contextlib
import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.fault_places import FaultKind
from tsudoi.sandbox.faults import Fault
from tsudoi.sandbox.state import World
from tsudoi.sandbox.stripe import refusals
from tsudoi.sandbox.stripe.account import StripeAccount
from tsudoi.sandbox.stripe.events import API_VERSION, Cause
from tsudoi.sandbox.stripe.idempotency import StoredAnswer
from tsudoi.sandbox.stripe.ids import new_request_id
from tsudoi.sandbox.stripe.refusals import StripeRefusal
from tsudoi.sandbox.stripe_api.forms import Pairs, Parameters, nested, pairs_of
from tsudoi.sandbox.wire import NoResponse, OrjsonResponse, base_url, note, read_body, world_of

_VERSION = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}(\.[a-z]+)?")
_LONGEST_KEY = 255
_HTTP_OK = 200


@dataclass(frozen=True)
class StripeRequest:
    """One call to Stripe, after authentication."""

    http: Request
    world: World
    id: str
    version: str
    key: str | None
    pairs: Pairs
    fault: Fault | None

    @property
    def account(self) -> StripeAccount:
        return self.world.stripe

    @property
    def base_url(self) -> str:
        return base_url(self.http)

    @property
    def now(self) -> int:
        return self.world.clock.now_seconds()

    @property
    def livemode(self) -> bool:
        return self.world.config.stripe_secret_key.startswith("sk_live_")

    @property
    def cause(self) -> Cause:
        return Cause(self.id, self.key)

    def path(self, name: str) -> str:
        return str(self.http.path_params[name])

    def parameters(self) -> Parameters:
        return Parameters(nested(self.pairs))

    def suffers(self, kind: FaultKind) -> bool:
        return self.fault is not None and self.fault.kind is kind


@dataclass(frozen=True)
class StripeAnswer:
    """What Stripe answers, before it is rendered or lost."""

    status: int
    body: dict[str, Any]
    headers: dict[str, str]


Handler = Callable[[StripeRequest], dict[str, Any]]


@dataclass(frozen=True)
class StripeEndpoint:
    """A path of Stripe's. The name is the one that fault rules use."""

    method: str
    path: str
    name: str
    handler: Handler

    def route(self) -> Route:
        return Route(self.path, self._serve, methods=[self.method])

    async def _serve(self, http: Request) -> Response:
        request_id = new_request_id()
        headers = {"Request-Id": request_id, "Stripe-Version": http.headers.get("stripe-version", API_VERSION)}
        try:
            response = await self._respond(await self._receive(http, request_id))
        except (StripeRefusal, Refusal) as error:
            refusal = error if isinstance(error, StripeRefusal) else StripeRefusal(error.status, error.message)
            note(http, refusal.message)
            response = OrjsonResponse(refusal.body(), refusal.status, refusal.headers)
        if not isinstance(response, NoResponse):
            response.headers.update(headers)
        if self.method != "GET":
            http.app.state.stripe_webhooks.wake()
        return response

    async def _receive(self, http: Request, request_id: str) -> StripeRequest:
        world = world_of(http)
        _authenticate(http, world)
        version = http.headers.get("stripe-version", API_VERSION)
        if not _VERSION.fullmatch(version):
            raise refusals.invalid(f"Invalid Stripe API version: {version}", "Stripe-Version")
        key = http.headers.get("idempotency-key") if self.method == "POST" else None
        if key is not None and not 1 <= len(key) <= _LONGEST_KEY:
            raise refusals.invalid("The idempotency key must be between 1 and 255 characters", "Idempotency-Key")
        raw = await read_body(http)
        pairs = pairs_of(http.url.query if self.method == "GET" else raw.decode("latin-1"))
        world.stripe.let_time_pass(world.clock.now_seconds())
        fault = world.faults.decide(self.name, has_retry_key=key is not None, path=http.url.path)
        return StripeRequest(http, world, request_id, version, key, pairs, fault)

    async def _respond(self, request: StripeRequest) -> Response:
        if request.fault is not None:
            note(request.http, f"fault: {request.fault.kind}")
            early = _fail_before(request, request.fault)
            if early is not None:
                return early
        answer = await (self._execute(request) if request.key is None else self._execute_once(request, request.key))
        if request.fault is not None and request.suffers(FaultKind.TIMEOUT_AFTER_ACCEPT):
            return NoResponse(request.world, request.fault.seconds)
        return OrjsonResponse(answer.body, answer.status, answer.headers)

    async def _execute_once(self, request: StripeRequest, key: str) -> StripeAnswer:
        """A request that fails its validation is not executed, and its key stays free."""
        keys, path, parameters = request.account.keys, request.http.url.path, sorted(request.pairs)
        stored = keys.begin(key, path, parameters, request.world.clock.now_ms())
        if stored is not None:
            headers = {"Idempotency-Key": key, "Idempotent-Replayed": "true", "Original-Request": stored.request_id}
            return StripeAnswer(stored.status, stored.body, headers)
        to_store: StoredAnswer | None = None
        try:
            answer = await self._execute(request)
            now = request.world.clock.now_ms()
            to_store = StoredAnswer(path, parameters, answer.status, answer.body, request.id, now)
        finally:
            keys.end(key, to_store)
        return StripeAnswer(answer.status, answer.body, {**answer.headers, "Idempotency-Key": key})

    async def _execute(self, request: StripeRequest) -> StripeAnswer:
        """With the fault `error_500_after` the work is done and Stripe fails then, so the failure is what it stores."""
        await _be_slow(request)
        try:
            body = self.handler(request)
            if request.suffers(FaultKind.ERROR_500_AFTER):
                raise refusals.server_error()
        except StripeRefusal as refusal:
            if not refusal.executed:
                raise
            note(request.http, refusal.message)
            return StripeAnswer(refusal.status, refusal.body(), refusal.headers)
        return StripeAnswer(_HTTP_OK, body, {})


def _authenticate(http: Request, world: World) -> None:
    """Bearer, or Basic with the key as the user's name and without a password."""
    scheme, _, given = http.headers.get("authorization", "").partition(" ")
    key = given.strip()
    if scheme.lower() == "basic":
        with contextlib.suppress(binascii.Error, UnicodeDecodeError):
            key = base64.b64decode(key).decode().partition(":")[0]
    if not key or scheme.lower() not in ("bearer", "basic"):
        raise refusals.no_key()
    if not hmac.compare_digest(key.encode(), world.config.stripe_secret_key.encode()):
        raise refusals.wrong_key(key)


def _fail_before(request: StripeRequest, fault: Fault) -> Response | None:
    """The failure of a request that Stripe did not begin to execute, so that nothing is stored with its key."""
    match fault.kind:
        case FaultKind.TIMEOUT_BEFORE_ACCEPT | FaultKind.DROP_CONNECTION:
            return NoResponse(request.world, fault.seconds)
        case FaultKind.ERROR_500_BEFORE:
            raise refusals.server_error(executed=False)
        case FaultKind.RATE_LIMITED:
            raise refusals.rate_limited()
        case FaultKind.CONFLICT:
            raise refusals.key_in_use(request.key or "")
    return None


async def _be_slow(request: StripeRequest) -> None:
    if request.fault is not None and request.suffers(FaultKind.SLOW):
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(request.world.stream.closing.wait(), request.fault.seconds)
