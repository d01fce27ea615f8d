"""Which LINE user is asking? The session says; the header may only agree."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header, Request

from tsudoi.access.cookies import cookie_name
from tsudoi.access.guard import DatabaseDep, RuntimeDep, SettingsDep, require_json, require_same_origin
from tsudoi.core import sessions
from tsudoi.core.errors import Forbidden, Unauthenticated
from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.line import LineClient

LIFF_COOKIE = "tsudoi_liff"


class IdentityMismatch(Forbidden):
    """The `x-line-user-id` header names somebody else than the session: the header proves nothing by itself."""

    code = "IDENTITY_MISMATCH"
    default_message = "ログインしているLINEアカウントと一致しません。"


class NoLiffSession(Unauthenticated):
    default_message = "LINEからもう一度開いてください。"


@dataclass(frozen=True, slots=True)
class Visitor:
    user_id: str
    display_name: str | None
    picture_url: str | None


async def line_client_of(runtime: RuntimeDep) -> LineClient:
    return runtime.part(LineClient)


LineClientDep = Annotated[LineClient, Depends(line_client_of)]


async def liff_token(request: Request, settings: Settings) -> str:
    """The session that the request claims to have, before anybody asked the database about it."""
    await require_same_origin(request, settings)
    await require_json(request)
    token = request.cookies.get(cookie_name(settings, LIFF_COOKIE), "")
    if not token:
        raise NoLiffSession
    return token


async def current_visitor(
    request: Request,
    settings: SettingsDep,
    db: DatabaseDep,
    x_line_user_id: Annotated[
        str | None,
        Header(description="The caller's LINE user id. It must agree with the session and proves nothing alone."),
    ] = None,
) -> Visitor:
    found = await db.read(sessions.find_session, "liff", await liff_token(request, settings))
    if found is None:
        raise NoLiffSession
    if x_line_user_id is not None and x_line_user_id != found.subject:
        raise IdentityMismatch
    return Visitor(found.subject, found.data.get("display_name"), found.data.get("picture_url"))


VisitorDep = Annotated[Visitor, Depends(current_visitor)]
