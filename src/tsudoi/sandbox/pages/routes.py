"""Everything that a browser asks for."""

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from tsudoi.sandbox.pages.avatar import ACCOUNT_AVATAR, avatar
from tsudoi.sandbox.pages.liff import open_liff
from tsudoi.sandbox.pages.news import list_news, show_news
from tsudoi.sandbox.pages.phones import FOR_EVER, phones_file, phones_page
from tsudoi.sandbox.pages.sheets import list_sheets, save_sheet, show_sheet
from tsudoi.sandbox.wire import world_of

_CSS = Path(__file__).parent / "page.css"
# An SVG opened by itself is a page too.
_INERT = "default-src 'none'; style-src 'unsafe-inline'"


async def picture(request: Request) -> Response:
    user = world_of(request).users.get(request.path_params["user_id"])
    if user is None:
        raise HTTPException(404)
    return _svg(avatar(user.user_id, user.display_name))


async def account_picture(_request: Request) -> Response:
    return _svg(ACCOUNT_AVATAR)


def _svg(content: str) -> Response:
    headers = {"cache-control": "no-cache", "content-security-policy": _INERT}
    return Response(content, media_type="image/svg+xml", headers=headers)


async def css(_request: Request) -> Response:
    return FileResponse(_CSS, headers={"cache-control": "no-cache"})


def page_routes(static_dir: Path) -> list[Route]:
    return [
        Route("/", phones_page(static_dir)),
        Route("/liff/{liff_id}", open_liff),
        Route("/liff/{liff_id}/{path:path}", open_liff),
        Route("/news", list_news),
        Route("/news/{key}", show_news),
        Route("/_sandbox/page.css", css),
        Route("/_sandbox/sheets", list_sheets),
        Route("/_sandbox/sheets/{id}/{sheet}/edit", show_sheet),
        Route("/_sandbox/sheets/{id}/{sheet}/edit", save_sheet, methods=["POST"]),
        Route("/_sandbox/pictures/account.svg", account_picture),
        Route("/_sandbox/pictures/{user_id}.svg", picture),
        Route("/assets/{name:path}", phones_file(static_dir, cache_control=FOR_EVER)),
        Route("/{name}", phones_file(static_dir, cache_control="no-cache")),
    ]
