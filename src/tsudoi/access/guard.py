"""FastAPI dependencies of endpoints: the runtime, its parts, and the principal who sends the request."""

from collections.abc import Awaitable, Callable
from inspect import Parameter, Signature
from typing import Annotated, Any, TypeVar

import structlog
from fastapi import Depends, Request

from tsudoi.access import principals
from tsudoi.access.principals import Admin, Principal, Visitor
from tsudoi.core.client_addresses import rate_key
from tsudoi.core.db.interface import Database
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings

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


def guard_of(kind: type[P]) -> Callable[..., Awaitable[P]]:
    """The dependency that lets only this kind of principal in."""

    async def guard(request: Request, runtime: Runtime, **_headers: Any) -> P:
        credentials = kind.read_credentials(request, runtime.settings)
        principal = await runtime.db.read(kind.authenticate, credentials)
        structlog.contextvars.bind_contextvars(**principal.log_fields)
        return principal

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
VisitorDep = Annotated[Visitor, Depends(current_visitor)]
