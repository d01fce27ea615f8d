"""The help pages: templates, the answer of a route that fails, and the files that the pages load."""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import structlog
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tsudoi.access.rendering import ApiRoute
from tsudoi.core.errors import Problem
from tsudoi.core.runtime import Runtime
from tsudoi.core.settings import Settings
from tsudoi.gateway.api_comm.matching import phone_digits
from tsudoi.shops.identity.rules.contacts import LONGEST_EMAIL, LONGEST_NAME, LONGEST_PHONE
from tsudoi.shops.storefront.queries import find_shop
from tsudoi.shops.storefront.rules import KEY_IS_STUB, VisitedShop, moment, period, status_words

_HERE = Path(__file__).parent
_log = structlog.stdlib.get_logger(__name__)
ASSETS = {"page.css": "text/css", "press.js": "text/javascript", "icon.svg": "image/svg+xml"}
_HEADINGS = {
    "SHOP_NOT_FOUND": "リンクをご確認ください",
    "NOT_FOUND": "このページはありません",
    "SHOP_CLOSED": "閉店のお知らせ",
    "LINK_SPENT": "このリンクは使えません",
    "RATE_LIMITED": "少し時間をおいてください",
    "MAIL_UNAVAILABLE": "確認メールを送れません",
    "UNAVAILABLE": "ただいま混み合っています",
}
_EXAMPLE = '<!doctype html>\n<html lang="ja">\n<title>ヘルプ｜名古屋駅前ルーム</title>\n…'
_HTML = {"text/html": {"schema": {"type": "string"}, "example": _EXAMPLE}}
_TEXTS = {
    200: "The page.",
    202: "The mail is on its way.",
    404: "There is no such shop.",
}


def html_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For a route's `responses`: statuses that are answered with a page."""
    return {
        status: {"description": _TEXTS.get(status, "A page that says why."), "content": _HTML} for status in statuses
    }


@cache
def asset(name: str) -> bytes:
    return (_HERE / "assets" / name).read_bytes()


def _asset_url(name: str) -> str:
    """With a hash of the content, so that browsers may keep the file and still load a new one."""
    return f"/help/assets/{name}?v={hashlib.sha256(asset(name)).hexdigest()[:12]}"


def _web_address(url: str | None) -> str | None:
    """An address that is no web address does not become a link."""
    return url if url and url.startswith(("https://", "http://")) else None


@cache
def _templates() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"digits": phone_digits, "web_address": _web_address, "moment": moment, "status": status_words}
    made.globals |= {"asset": _asset_url, "period": period, "KEY_IS_STUB": KEY_IS_STUB}
    made.globals |= {"LONGEST_EMAIL": LONGEST_EMAIL, "LONGEST_PHONE": LONGEST_PHONE, "LONGEST_NAME": LONGEST_NAME}
    return made


def page_of(shop: VisitedShop) -> str:
    return f"/help/{quote(shop.code, safe='')}"


def _page_in_line(settings: Settings, shop: VisitedShop) -> str | None:
    """The shop inside LINE, where somebody who is linked there reads the reservations without a mail."""
    address = f"{settings.liff_base}/{settings.liff_id}/shops/{quote(shop.code, safe='')}"
    return address if settings.liff_id else None


def page(
    settings: Settings,
    template: str,
    shop: VisitedShop | None,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> Response:
    """Every page ends with the ways to a person. Without a shop, or where it has no telephone, that is the office."""
    common = {
        "shop": shop,
        "path": None if shop is None else page_of(shop),
        "in_line": None if shop is None else _page_in_line(settings, shop),
        "organisation": settings.organisation_name,
        "office_phone": settings.organisation_phone,
    }
    return HTMLResponse(_templates().get_template(template).render(**common, **values), status, headers)


async def problem_page(request: Request, problem: Problem) -> Response:
    """A dead end with the ways on: the shop's telephone, its mail, and its page at STORES."""
    runtime: Runtime = request.app.state.runtime
    # Without a route there are no parameters, and the shop's code is what follows `/help`.
    below = request.scope["path"].removeprefix(HelpPageRoute.answers_below).strip("/").partition("/")[0]
    store_code = str(request.path_params.get("store_code", below))
    try:
        shop = await runtime.db.read(find_shop, store_code)
    except Exception:  # noqa: BLE001 (the page must appear without the database, too)
        _log.exception("help_page_without_shop")
        shop = None
    return page(
        runtime.settings,
        "problem.html",
        shop,
        problem.status,
        problem.headers,
        heading=_HEADINGS.get(problem.code, "うまくいきませんでした"),
        message=problem.message,
        again=shop is not None and shop.status == "open",
    )


class HelpPageRoute(ApiRoute):
    """A route that people open in a browser: what it refuses is a page too, and so is an address beside it."""

    answers_below = "/help"

    async def error_response(self, request: Request, problem: Problem) -> Response:
        return await problem_page(request, problem)
