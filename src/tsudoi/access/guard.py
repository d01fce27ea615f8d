"""FastAPI dependencies of endpoints: the runtime, its parts, and the principal who sends the request."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from inspect import Parameter, Signature
from typing import Annotated, Any, TypeVar

import structlog
from fastapi import Depends, Request

from tsudoi.access import principals
from tsudoi.access.devices import device_in_words
from tsudoi.access.principals import AccountManager, AccountOwner, Admin, AdminSession, Principal, Visitor
from tsudoi.core import sessions
from tsudoi.core.client_addresses import rate_key
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.errors import DatabaseUnavailable
from tsudoi.core.rate_limit import Limit, count_requests
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings, lifetime

P = TypeVar("P", bound=Principal)


async def runtime_of(request: Request) -> Runtime:
    runtime: Runtime = request.app.state.runtime
    return runtime


async def settings_of(request: Request) -> Settings:
    return (await runtime_of(request)).settings


async def database_of(request: Request) -> Database:
    return (await runtime_of(request)).db


def client_of(request: Request) -> str:
    """The caller's address; behind trusted proxies the one that they report."""
    return request.client.host if request.client else "unknown"


def client_key(request: Request) -> str:
    """The name under which rate limits count the caller's address."""
    return rate_key(client_of(request))


RuntimeDep = Annotated[Runtime, Depends(runtime_of)]
SettingsDep = Annotated[Settings, Depends(settings_of)]
DatabaseDep = Annotated[Database, Depends(database_of)]


async def require_same_origin(request: Request, settings: SettingsDep) -> None:
    principals.require_same_origin(request, settings)


async def require_json(request: Request) -> None:
    principals.require_json(request)


def is_background(request: Request) -> bool:
    """An open page that follows something, or asks by itself while nobody touches it (`x-background`)."""
    return "x-background" in request.headers or "text/event-stream" in request.headers.get("accept", "")


async def note_use(request: Request, runtime: Runtime, principal: AdminSession) -> None:
    """Write down, at most once a minute, that an administrator uses the session, and let it live on.

    What a forgotten page asks for by itself is no use: such a session ends when nobody has touched it for long enough.
    """
    if not principal.use_due or is_background(request):
        return
    seen: dict[str, str | None] = {"address": client_of(request), "device": device_of(request)}
    settings = runtime.settings

    def note(tx: Tx) -> None:
        sessions.note_use(tx, principal.credentials.token, seen)
        if principal.by_cookie:
            idle, longest = lifetime(settings.admin_session_idle), lifetime(settings.admin_session_longest)
            sessions.extend_session(tx, principal.credentials.token, idle, longest)

    # What was asked for is answered even while the database takes no writes.
    with suppress(DatabaseUnavailable):
        await runtime.db.write(note)


def device_of(request: Request) -> str:
    return device_in_words(request.headers.get("user-agent", ""))


def guard_of(kind: type[P], *limits: Limit) -> Callable[..., Awaitable[P]]:
    """The dependency that lets only this kind of principal in. `limits`: requests of one of them per time window.

    An ordinary route that writes names its limits here; a `TransactionRoute` has them in its class.
    """

    async def guard(request: Request, runtime: Runtime, **_headers: Any) -> P:
        credentials = kind.read_credentials(request, runtime.settings)
        principal = await runtime.db.read(kind.authenticate, credentials)
        structlog.contextvars.bind_contextvars(**principal.log_fields)
        if isinstance(principal, AdminSession):
            await note_use(request, runtime, principal)
        if limits:
            counted = await runtime.db.write(count_requests, [(limit, principal.rate_key) for limit in limits])
            for result in counted:
                result.raise_if_refused()
        return principal

    # For the test that each write of a person has a limit.
    guard.kind, guard.limits = kind, limits  # type: ignore[attr-defined]

    guard.__signature__ = Signature(  # type: ignore[attr-defined]  # FastAPI reads it, for the API description.
        [_parameter("request", Request), _parameter("runtime", RuntimeDep), *header_parameters(kind)]
    )
    return guard


def header_parameters(kind: type[Principal]) -> list[Parameter]:
    return [_parameter(name, annotation, default=None) for name, annotation in kind.headers.items()]


def _parameter(name: str, annotation: Any, **options: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, annotation=annotation, **options)


current_visitor = guard_of(Visitor)
AdminDep = Annotated[Admin, Depends(guard_of(Admin))]
AdminSessionDep = Annotated[AdminSession, Depends(guard_of(AdminSession))]
AccountOwnerDep = Annotated[AccountOwner, Depends(guard_of(AccountOwner))]
AccountManagerDep = Annotated[AccountManager, Depends(guard_of(AccountManager))]
VisitorDep = Annotated[Visitor, Depends(current_visitor)]
