"""`TransactionRoute`: the declared function runs inside one transaction, for one principal, once per `Idempotency-Key`.

    writes = APIRouter(prefix="/api/liff/events", route_class=TransactionRoute)

    @writes.post("/{event_id}/respond", status_code=201)
    def respond(tx: Tx, visitor: Visitor, event_id: EventId, body: Answer) -> AnswerRecorded: ...

The first parameter is the transaction: `Tx` for a write, `ReadTx` for a query. The others are found by their types: a
subclass of `Principal`, `Runtime`, one body model; all others are path, query and header parameters, declared as for
FastAPI. They are analysed once when the program starts, because FastAPI's analysis at each request costs more than a
small request itself. A function without a transaction is an ordinary FastAPI route.

Within the one transaction: look up the principal, claim the key (or replay the stored reply), run the function, keep
its reply with the key. A function that raises rolls all of it back, and the key stays unused (see `kept_refusals`).
"""

from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from inspect import Parameter, Signature, isclass, signature
from typing import Annotated, Any, ClassVar, get_type_hints
from urllib.parse import urlencode

import orjson
import structlog
from fastapi import Header
from fastapi._compat import ModelField
from fastapi.dependencies.models import Dependant
from fastapi.dependencies.utils import request_params_to_args
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, TypeAdapter
from sqlalchemy.exc import IntegrityError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import request_response

from tsudoi.access.guard import client_key, header_parameters, note_use
from tsudoi.access.principals import AdminSession, Credentials, Principal, require_json
from tsudoi.access.rendering import ApiRoute
from tsudoi.core import idempotency
from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.errors import Detail, InvalidInput, Problem
from tsudoi.core.idempotency import KeyTaken, Reply
from tsudoi.core.rate_limit import WRITES, Limit, count_requests
from tsudoi.core.runtime import Runtime

KeyHeader = Annotated[
    str | None, Header(description="The same key again has no second effect and gets the same bytes back.")
]

# Query parameters that say how to respond and change nothing of what is done.
WITHOUT_EFFECT = frozenset({"wait"})
_NO_BODY = {"type": "missing", "loc": ("body",)}


@dataclass(slots=True)
class _Call:
    """One request to a declared function, on its way into the transaction."""

    arguments: dict[str, Any]
    credentials: Credentials | None
    # The caller's address, where the route limits the requests of one address.
    client: str
    # Route, key and content, if the request has a key.
    scoped: tuple[str, str, bytes] | None = None
    # Known as soon as the transaction has looked it up. It runs in another thread, with a log context of its own.
    principal: Principal | None = None
    # Rows of work that the transaction wrote (`Tx.enqueued`).
    enqueued: list[tuple[str, int]] = field(default_factory=list)


def _has_body(request: Request) -> bool:
    return request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers


class _Declared:
    """A declared function and the roles of its parameters, analysed once."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        hints = get_type_hints(function, include_extras=True)
        parameters = list(signature(function).parameters.values())
        self.writes = hints[parameters[0].name] is Tx
        self.principal: type[Principal] | None = None
        self.principal_name = self.runtime_name = self.body_name = ""
        self.body_required = True
        shown: list[Parameter] = []
        for parameter in parameters[1:]:
            kind = hints[parameter.name]
            if isclass(kind) and issubclass(kind, Principal):
                self.principal, self.principal_name = kind, parameter.name
            elif kind is Runtime:
                self.runtime_name = parameter.name
            else:
                if isclass(kind) and issubclass(kind, BaseModel):
                    self.body_name = parameter.name
                    self.body_required = parameter.default is Parameter.empty
                shown.append(parameter.replace(annotation=kind, kind=Parameter.KEYWORD_ONLY))
        self.takes_key = self.writes and self.principal is not None
        returned = None if hints["return"] is type(None) else hints["return"]
        self.dump = None if returned is None else TypeAdapter(returned).dump_json
        self.description = self._described(shown, returned)

    @staticmethod
    def of(function: Callable[..., Any]) -> "_Declared | None":
        """None for an ordinary route, whose first parameter is not a transaction."""
        first = next(iter(signature(function).parameters.values()), None)
        is_ours = first is not None and get_type_hints(function).get(first.name) in (Tx, ReadTx)
        return _Declared(function) if is_ours else None

    def _described(self, shown: list[Parameter], returned: Any) -> Callable[..., Any]:
        """A function with the HTTP parameters only, from which FastAPI makes the API description."""
        if self.takes_key:
            keyword = Parameter.KEYWORD_ONLY
            shown = [*shown, Parameter("idempotency_key", keyword, annotation=KeyHeader, default=None)]
        if self.principal is not None:
            shown = [*shown, *header_parameters(self.principal)]

        def described() -> None:
            """Replaced by the docstring of the declared function."""

        described.__name__, described.__doc__ = self.function.__name__, self.function.__doc__
        described.__signature__ = Signature(shown, return_annotation=returned)  # type: ignore[attr-defined]
        return described


class TransactionRoute(ApiRoute):
    """A route whose function is a transaction. The docstring of this module shows how to declare one."""

    # Refusals with these statuses are replies like any other: they are kept with the key and replayed. A subclass names
    # them, such as `{409}`. Other errors roll everything back, and the key stays unused.
    kept_refusals: ClassVar[frozenset[int]] = frozenset()
    # Requests per time window, counted in the transaction of each reply that is kept. The office has no limits.
    limits_per_principal: ClassVar[tuple[Limit, ...]] = WRITES
    limits_per_client: ClassVar[tuple[Limit, ...]] = ()

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        declared = _Declared.of(endpoint)
        super().__init__(path, declared.description if declared else endpoint, **options)
        if declared is None:
            return
        self._declared = declared
        ours = {"idempotency_key", *(declared.principal.headers if declared.principal else ())}
        self._header_params = [field for field in self.dependant.header_params if field.name not in ours]
        self.app = request_response(self._respond)

    async def _respond(self, request: Request) -> Response:
        runtime: Runtime = request.app.state.runtime
        declared = self._declared
        credentials = declared.principal.read_credentials(request, runtime.settings) if declared.principal else None
        if declared.body_name and (declared.body_required or _has_body(request)):
            self.require_type(request)
        client = client_key(request) if self.limits_per_client else ""
        content, call = await request.body(), _Call({}, credentials, client)
        try:
            call.arguments = self._arguments(request, content)
            if declared.runtime_name:
                call.arguments[declared.runtime_name] = runtime
            key = request.headers.get("idempotency-key") if declared.takes_key else None
            if key is not None and self.has_effect(call.arguments):
                call.scoped = (route_of(request), key, content)
            reply = await self.finish(runtime, await self._reply(runtime.db, call), call.enqueued)
            if isinstance(call.principal, AdminSession):
                await note_use(request, runtime, call.principal)
            return self.as_response(request, reply)
        except (InvalidInput, RequestValidationError):
            # Only an authenticated caller may see what is wrong with the input.
            if declared.principal is not None and credentials is not None and call.principal is None:
                call.principal = await runtime.db.read(declared.principal.authenticate, credentials)
            raise
        finally:
            if call.principal is not None:
                structlog.contextvars.bind_contextvars(**call.principal.log_fields)

    def require_type(self, request: Request) -> None:
        """Refuse a body of another type. A subclass may allow a further one, which it then parses itself."""
        require_json(request)

    def parse(self, _request: Request, content: bytes) -> Any:
        """The body as the model reads it."""
        try:
            return orjson.loads(content)
        except orjson.JSONDecodeError as error:
            raise InvalidInput(details=[Detail("body", "INVALID_JSON")]) from error

    def as_response(self, _request: Request, reply: Reply) -> Response:
        """The response of a success. A subclass may send a browser on to a page."""
        return as_response(reply)

    async def finish(self, _runtime: Runtime, reply: Reply, _enqueued: list[tuple[str, int]]) -> Reply:
        """What happens between the commit and the response; also for a replayed reply, then without enqueued rows."""
        return reply

    async def _reply(self, db: Database, call: _Call) -> Reply:
        if not self._declared.writes:
            return await db.read(self._run, call)
        # What may be said the second time as well: the key is known, or a parallel request was quicker.
        expected = (
            (KeyTaken, IntegrityError, Problem) if call.scoped else (IntegrityError,) if self.kept_refusals else ()
        )
        with suppress(*expected):
            return await db.write(self._run, call)
        return await db.write(self._run if call.scoped is None else self._run_once, call)

    def _arguments(self, request: Request, content: bytes) -> dict[str, Any]:
        """Check the HTTP parameters with FastAPI's own fields, so that the errors are the same as elsewhere."""
        fields, path_values = self.dependant, request.path_params
        arguments: dict[str, Any] = {}
        faults: list[Any] = []
        for one in fields.path_params:  # A part of the path is never missing and never a list.
            arguments[one.name], wrong = one.validate(path_values[one.alias], loc=("path", one.alias))
            faults += wrong
        if fields.query_params:
            found, wrong = request_params_to_args(fields.query_params, request.query_params)
            arguments, faults = {**arguments, **found}, [*faults, *wrong]
        if self._header_params:
            found, wrong = request_params_to_args(self._header_params, request.headers)
            arguments, faults = {**arguments, **found}, [*faults, *wrong]
        if self.body_field is not None:
            # An empty body is not bad JSON. It is reported together with the other errors, unless the function has a
            # default for its body.
            parsed = self.parse(request, content) if content else None
            if content or self._declared.body_required:
                body, wrong = self.body_field.validate(parsed, loc=("body",)) if content else (None, [_NO_BODY])
                arguments[self._declared.body_name] = body
                faults = [*faults, *wrong]
        if faults:
            raise RequestValidationError(faults)
        return arguments

    def _run(self, tx: ReadTx, call: _Call) -> Reply:
        """The whole transaction. Most keys are new, so the key is written at the end, together with the reply."""
        declared = self._declared
        if declared.principal is not None and call.credentials is not None:
            call.principal = declared.principal.authenticate(tx, call.credentials)
            call.arguments[declared.principal_name] = call.principal
        reply = self._call(tx, call)
        if call.scoped is not None and call.principal is not None and isinstance(tx, Tx):
            idempotency.keep_new(tx, idempotency.scope(call.principal.rate_key, *call.scoped), reply)
        return reply

    def _run_once(self, tx: Tx, call: _Call) -> Reply:
        """The same for a key that may be known already."""
        declared = self._declared
        assert declared.principal and call.credentials and call.scoped  # noqa: S101, PT018 (`takes_key`)
        call.principal = principal = declared.principal.authenticate(tx, call.credentials)
        call.arguments[declared.principal_name] = principal
        scope = idempotency.scope(principal.rate_key, *call.scoped)
        return idempotency.once(tx, scope, lambda tx: self._call(tx, call))

    def _call(self, tx: ReadTx, call: _Call) -> Reply:
        declared = self._declared
        try:
            with tx.part() if self.kept_refusals and isinstance(tx, Tx) else nullcontext():
                returned = declared.function(tx, **call.arguments)
            if isinstance(tx, Tx):
                call.enqueued = tx.enqueued
            reply = Reply(self.status_of(returned), b"" if declared.dump is None else declared.dump(returned))
        except Problem as problem:
            if problem.status not in self.kept_refusals:
                raise
            reply = Reply(problem.status, self.error_shape.render(problem))
        if isinstance(tx, Tx) and call.principal is not None:
            # Counted last, because on PostgreSQL everybody behind one address waits for this row until the commit.
            is_office = isinstance(call.principal, AdminSession)
            limits = () if is_office else self.limits_per_principal
            counted = [(limit, call.principal.rate_key) for limit in limits]
            counted += [(limit, call.client) for limit in self.limits_per_client]
            for result in count_requests(tx, counted) if counted else ():
                result.raise_if_refused()
        return reply

    def has_effect(self, _arguments: dict[str, Any]) -> bool:
        """Whether the request may change anything. A dry run does not, and leaves its key to the real request."""
        return True

    def status_of(self, _returned: Any) -> int:
        """The status of a success. A subclass may choose it by the result, such as 200 for a dry run."""
        return self.status_code or 200


def route_of(request: Request) -> str:
    """What the request asks for, in one spelling, so that a repeated request is recognised however it is written.

    The query parameters that the route declares belong to it, such as a dry run: it and the real request with the same
    key are two requests. `wait` does not belong to it, because it only says how long the response may take, and neither
    do parameters that the route does not know, because they have no effect.
    """
    path_fields, query_fields = _declared_parameters(request.scope["route"].dependant)
    spelled = {request.path_params[one.alias]: _spelled(one, request.path_params[one.alias]) for one in path_fields}
    path = "/".join(spelled.get(part, part) for part in request.scope["path"].split("/"))
    given = request.query_params
    known = (one for one in query_fields if one.alias in given and one.alias not in WITHOUT_EFFECT)
    query = urlencode(sorted((one.alias, _spelled(one, given[one.alias])) for one in known))
    return f"{request.method} {path}?{query}" if query else f"{request.method} {path}"


def _declared_parameters(dependant: Dependant) -> tuple[list[ModelField], list[ModelField]]:
    """The path and query parameters of a route and of everything that it depends on."""
    path, query = list(dependant.path_params), list(dependant.query_params)
    for one in dependant.dependencies:
        more_path, more_query = _declared_parameters(one)
        path, query = [*path, *more_path], [*query, *more_query]
    return path, query


def _spelled(field: ModelField, text: str) -> str:
    """`007` and `7` are the same number. What the parameter does not allow stays as it is, and is refused elsewhere."""
    value, wrong = field.validate(text)
    return text if wrong else str(value)


def as_response(reply: Reply) -> Response:
    """A replayed reply has the same bytes, and a header that marks it."""
    headers = {"Idempotent-Replayed": "true"} if reply.replayed else None
    media_type = "application/json" if reply.body else None
    return Response(reply.body, reply.status, headers, media_type=media_type)
