"""`TransactionRoute`: the declared function runs inside one transaction, for one principal, once per `Idempotency-Key`.

    writes = APIRouter(prefix="/api/liff/events", route_class=TransactionRoute)

    @writes.post("/{event_id}/respond", status_code=201)
    def respond(tx: Tx, visitor: Visitor, event_id: EventId, body: Answer) -> AnswerRecorded: ...

The first parameter is the transaction: `Tx` for a write, `ReadTx` for a query. The others are found by their types: a
subclass of `Principal`, `Runtime`, one body model; all others are path, query and header parameters, declared as for
FastAPI. They are analysed once when the program starts, because FastAPI's analysis at each request costs more than a
small request itself. A function without a transaction is an ordinary FastAPI route.

Within the one transaction: look up the principal, claim the key (or replay the stored reply), run the function, keep
its reply with the key. A function that raises rolls all of it back, and the key stays unused.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from inspect import Parameter, Signature, isclass, signature
from typing import Annotated, Any, ClassVar, get_type_hints

import orjson
from fastapi import Header
from fastapi.dependencies.utils import request_params_to_args
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, TypeAdapter
from sqlalchemy.exc import IntegrityError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import request_response

from tsudoi.access.guard import header_parameters
from tsudoi.access.principals import Credentials, Principal, require_json
from tsudoi.access.rendering import ApiRoute, as_response
from tsudoi.core import idempotency
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.errors import Detail, InvalidInput, Problem
from tsudoi.core.idempotency import KeyTaken, Reply
from tsudoi.core.runtime import Runtime

KeyHeader = Annotated[
    str | None, Header(description="The same key again has no second effect and gets the same bytes back.")
]

_NO_BODY = {"type": "missing", "loc": ("body",)}


class _Refused(Exception):
    """Carries a refusal of the declared function out of the transaction, which rolls back."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


class _Declared:
    """A declared function and the roles of its parameters, analysed once."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        hints = get_type_hints(function, include_extras=True)
        parameters = list(signature(function).parameters.values())
        self.writes = hints[parameters[0].name] is Tx
        self.principal: type[Principal] | None = None
        self.principal_name = self.runtime_name = self.body_name = ""
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

    # Refusals by the declared function with these statuses are kept with the key and replayed too. A subclass names
    # them, such as `{409}`. Otherwise a refused request leaves its key unused.
    replayed_refusals: ClassVar[frozenset[int]] = frozenset()

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
        declared, db = self._declared, runtime.db
        credentials = declared.principal.read_credentials(request, runtime.settings) if declared.principal else None
        if declared.body_name:
            require_json(request)
        content = await request.body()
        try:
            arguments = self._arguments(request, content)
        except (InvalidInput, RequestValidationError):
            # Only an authenticated caller may see what is wrong with the input.
            if declared.principal is not None and credentials is not None:
                await db.read(declared.principal.authenticate, credentials)
            raise
        if declared.runtime_name:
            arguments[declared.runtime_name] = runtime
        if not declared.writes:
            return as_response(await db.read(self._read, credentials, arguments))
        key = request.headers.get("idempotency-key") if declared.takes_key else None
        scoped = None if key is None else (route_of(request), key, content)
        if scoped is not None and not self.replayed_refusals:
            with suppress(KeyTaken, IntegrityError, Problem):
                return as_response(await db.write(self._write_with_new_key, credentials, arguments, scoped))
            # The key may be known. Then its reply counts, whatever the function says now; otherwise it says it again.
        try:
            return as_response(await db.write(self._write, credentials, arguments, scoped))
        except _Refused as refused:
            refusal = Reply(refused.problem.status, self.error_shape.render(refused.problem))
            # This needs a second transaction, because the first one was rolled back.
            return as_response(await db.write(self._write, credentials, arguments, scoped, refusal))

    def _arguments(self, request: Request, content: bytes) -> dict[str, Any]:
        """Check the HTTP parameters with FastAPI's own fields, so that the errors are the same as elsewhere."""
        fields = self.dependant
        arguments, faults = request_params_to_args(fields.path_params, request.path_params)
        if fields.query_params:
            found, wrong = request_params_to_args(fields.query_params, request.query_params)
            arguments, faults = {**arguments, **found}, [*faults, *wrong]
        if self._header_params:
            found, wrong = request_params_to_args(self._header_params, request.headers)
            arguments, faults = {**arguments, **found}, [*faults, *wrong]
        if self.body_field is not None:
            # An empty body is not bad JSON. It is reported together with the other errors.
            body, wrong = self.body_field.validate(_json(content), loc=("body",)) if content else (None, [_NO_BODY])
            arguments[self._declared.body_name] = body
            faults = [*faults, *wrong]
        if faults:
            raise RequestValidationError(faults)
        return arguments

    def _read(self, tx: ReadTx, credentials: Credentials | None, arguments: dict[str, Any]) -> Reply:
        declared = self._declared
        if declared.principal is not None and credentials is not None:
            arguments = {**arguments, declared.principal_name: declared.principal.authenticate(tx, credentials)}
        return self._call(tx, arguments)

    def _write(
        self,
        tx: Tx,
        credentials: Credentials | None,
        arguments: dict[str, Any],
        scoped: tuple[str, str, bytes] | None,
        refusal: Reply | None = None,
    ) -> Reply:
        """`scoped`: route, key and content. `refusal`: the reply of the first transaction, which was rolled back."""
        declared = self._declared
        if declared.principal is None or credentials is None:
            return self._call(tx, arguments)
        principal = declared.principal.authenticate(tx, credentials)
        arguments = {**arguments, declared.principal_name: principal}
        if scoped is None:
            return self._call(tx, arguments)
        scope = idempotency.scope(principal.rate_key, *scoped)
        if refusal is not None:
            return idempotency.once(tx, scope, lambda _tx: refusal)
        call = self._call_or_refuse if self.replayed_refusals else self._call
        return idempotency.once(tx, scope, partial(call, arguments=arguments))

    def _write_with_new_key(
        self, tx: Tx, credentials: Credentials | None, arguments: dict[str, Any], scoped: tuple[str, str, bytes]
    ) -> Reply:
        """The quick way: most keys are new, so the key is written at the end, together with the reply."""
        assert self._declared.principal is not None and credentials is not None  # noqa: S101, PT018 (`takes_key`)
        principal = self._declared.principal.authenticate(tx, credentials)
        reply = self._call(tx, {**arguments, self._declared.principal_name: principal})
        idempotency.keep_new(tx, idempotency.scope(principal.rate_key, *scoped), reply)
        return reply

    def _call(self, tx: ReadTx, arguments: dict[str, Any]) -> Reply:
        returned = self._declared.function(tx, **arguments)
        dump = self._declared.dump
        return Reply(self.status_code or 200, b"" if dump is None else dump(returned))

    def _call_or_refuse(self, tx: ReadTx, arguments: dict[str, Any]) -> Reply:
        try:
            return self._call(tx, arguments)
        except Problem as problem:
            if problem.status in self.replayed_refusals:
                raise _Refused(problem) from problem
            raise


def route_of(request: Request) -> str:
    """Include the query string, so that a dry run and the real request with the same key are two requests."""
    route = f"{request.method} {request.scope['path']}"
    query: bytes = request.scope["query_string"]
    return f"{route}?{query.decode('latin-1')}" if query else route


def _json(content: bytes) -> Any:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(details=[Detail("body", "INVALID_JSON")]) from error
