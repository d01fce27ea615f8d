"""The pages of an invitation: templates, the answer of a route that fails, and the files that the pages load."""

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tsudoi.core.errors import Problem
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings
from tsudoi.scheduling.invitations.rules import wording
from tsudoi.scheduling.invitations.rules.forms import FormState
from tsudoi.scheduling.invitations.schemas import OwnInvitation
from tsudoi.scheduling.principals import Invitee
from tsudoi.scheduling.thread.errors import NoSuchInvitation
from tsudoi.scheduling.thread.rules.texts import LONGEST_COMMENT
from tsudoi.scheduling.wire import ThreadRoute

_HERE = Path(__file__).parent
ASSETS = {"page.css": "text/css", "zone.js": "text/javascript", "icon.svg": "image/svg+xml"}
# What a person reads who opens a link that does not work, by the code of the problem.
_HEADINGS = {
    "INVITE_NOT_FOUND": "リンクをご確認ください",
    "NOT_DECIDED": "日程はまだ決まっていません",
    "THREAD_CANCELLED": "中止になりました",
    "RATE_LIMITED": "少し時間をおいてください",
    "UNAVAILABLE": "ただいま混み合っています",
}
_EXAMPLE = '<!doctype html>\n<html lang="ja">\n<title>臨時理事会｜日程のお伺い</title>\n…'
_HTML = {"text/html": {"schema": {"type": "string"}, "example": _EXAMPLE}}


def html_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For a route's `responses`: statuses that are answered with a page."""
    texts = {200: "The page.", 404: "There is no such invitation.", 410: "It is over; the page says why."}
    return {
        status: {"description": texts.get(status, "A page that says why."), "content": _HTML} for status in statuses
    }


@cache
def asset(name: str) -> bytes:
    return (_HERE / "assets" / name).read_bytes()


def _asset_url(name: str) -> str:
    """With a hash of the content, so that browsers may keep the file and still load a new one."""
    return f"/i/assets/{name}?v={hashlib.sha256(asset(name)).hexdigest()[:12]}"


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {name: getattr(wording, name) for name in ("day", "long_day", "hours", "moment", "zone_name")}
    made.filters["digits"] = lambda phone: re.sub(r"[^0-9+]", "", phone)
    made.globals |= {"asset": _asset_url, "differs": wording.differs, "ZONES": wording.ZONES, "JAPAN": wording.JAPAN}
    made.globals["LONGEST_COMMENT"] = LONGEST_COMMENT
    return made


def page(template: str, status: int = 200, headers: dict[str, str] | None = None, **values: Any) -> Response:
    return HTMLResponse(_templates().get_template(template).render(values), status, headers)


def invitation_page(
    settings: Settings,
    invitee: Invitee,
    seen: OwnInvitation,
    form: FormState,
    *,
    status: int,
    zone: str = "",
    **more: Any,
) -> Response:
    """The page of one invitation in whatever state it is."""
    shown = {"saved": False, "notice": None, **more}
    zone = wording.known_zone(zone)
    path = f"/i/{invitee.credentials.token}"
    common: dict[str, Any] = {"it": seen, "name": invitee.name, "phone": settings.organisation_phone}
    return page("invitation.html", status, form=form, zone=zone, path=path, **common, **shown)


def problem_page(request: Request, problem: Problem) -> Response:
    """For a link that leads nowhere, and for failures. It reads nothing, so that it works without the database."""
    runtime: Runtime = request.app.state.runtime
    token = quote(str(request.path_params.get("token", "")), safe="")
    known = token and problem.code != NoSuchInvitation.code
    return page(
        "problem.html",
        problem.status,
        problem.headers,
        heading=_HEADINGS.get(problem.code, "うまくいきませんでした"),
        message=problem.message,
        organisation=runtime.settings.organisation_name,
        phone=runtime.settings.organisation_phone,
        path=f"/i/{token}" if known else None,
    )


class PageRoute(ThreadRoute):
    """A route that people open in a browser: what it refuses is a page too."""

    async def error_response(self, request: Request, problem: Problem) -> Response:
        return problem_page(request, problem)
