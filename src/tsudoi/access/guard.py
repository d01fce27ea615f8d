"""Who is asking? The questions that every endpoint asks before it does anything."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header, Request

from tsudoi.access.cookies import cookie_name
from tsudoi.core import sessions
from tsudoi.core.db.interface import Database
from tsudoi.core.errors import Forbidden, Unauthenticated, UnsupportedMediaType
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings
from tsudoi.core.tokens import same

ADMIN_COOKIE = "tsudoi_admin"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True, slots=True)
class Admin:
    admin_id: int
    username: str
    session_token: str
    csrf_token: str | None

    @property
    def actor(self) -> str:
        return f"admin:{self.username}"


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


RuntimeDep = Annotated[Runtime, Depends(runtime_of)]
SettingsDep = Annotated[Settings, Depends(settings_of)]
DatabaseDep = Annotated[Database, Depends(database_of)]


async def require_same_origin(request: Request, settings: SettingsDep) -> None:
    """A browser tells where a request comes from; a page of somebody else may not write here."""
    if request.method in SAFE_METHODS:
        return
    origin = request.headers.get("origin")
    if request.headers.get("sec-fetch-site") == "cross-site":
        raise Forbidden("別のサイトからの操作は受け付けません。")
    if origin is not None and origin not in _own_origins(settings, request.headers.get("host", "")):
        raise Forbidden("別のサイトからの操作は受け付けません。")


def _own_origins(settings: Settings, host: str) -> tuple[str, ...]:
    """The configured one, and the name by which the browser reached us; never plain http once we are on https."""
    plain = () if settings.https else (f"http://{host}",)
    return (settings.origin, f"https://{host}", *plain)


async def require_json(request: Request) -> None:
    """A form of another site can post text and forms without asking first, but not JSON."""
    if request.method in SAFE_METHODS:
        return
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise UnsupportedMediaType("JSON（application/json）で送ってください。")


async def current_admin(
    request: Request,
    settings: SettingsDep,
    db: DatabaseDep,
    authorization: Annotated[str | None, Header(include_in_schema=False)] = None,
    x_csrf_token: Annotated[
        str | None, Header(description="The token given at log-in; needed for every write.")
    ] = None,
) -> Admin:
    """The administrator behind the cookie session (writes need its CSRF token) or behind a bearer token."""
    scheme, _, bearer = (authorization or "").partition(" ")
    if scheme.lower() == "bearer":
        found = await db.read(sessions.find_session, "token", bearer.strip())
        if found is None:
            raise Unauthenticated
        return Admin(int(found.subject), str(found.data["username"]), bearer.strip(), None)
    await require_same_origin(request, settings)
    token = request.cookies.get(cookie_name(settings, ADMIN_COOKIE), "")
    found = await db.read(sessions.find_session, "admin", token) if token else None
    if found is None:
        raise Unauthenticated
    csrf = sessions.csrf_token(token)
    if request.method not in SAFE_METHODS and not same(x_csrf_token or "", csrf):
        raise Forbidden("画面の有効期限が切れました。読み込み直してからもう一度お試しください。")
    return Admin(int(found.subject), str(found.data["username"]), token, csrf)


AdminDep = Annotated[Admin, Depends(current_admin)]
