"""LIFF addresses: the first of the two redirects, and the page that asks who opens it."""

from html import escape
from urllib.parse import quote, urlencode, urlsplit, urlunsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tsudoi.sandbox.logins import log_in
from tsudoi.sandbox.pages.frame import page
from tsudoi.sandbox.state import World
from tsudoi.sandbox.users import User
from tsudoi.sandbox.wire import base_url, note, world_of


async def open_liff(request: Request) -> Response:
    world = world_of(request)
    if request.path_params["liff_id"] != world.config.liff_id:
        return page("ページが見つかりません", "<p>このLIFFアプリは登録されていません。</p>", 404)
    as_user = request.query_params.get("as")
    if as_user is None:
        return _ask(request, world)
    user = world.users.get(as_user)
    if user is None:
        return page("ページが見つかりません", "<p>この人はサンドボックスにいません。</p>", 404)
    note(request, "liff")
    return RedirectResponse(_first_redirect(request, world, user), 302, {"cache-control": "no-store"})


def _first_redirect(request: Request, world: World, user: User) -> str:
    """The path goes into `liff.state`, and the page itself redirects to it. Tokens go into the fragment only."""
    parts = urlsplit(world.config.liff_endpoint_url)
    kept = _query_without_user(request)
    wanted = f"/{quote(request.path_params.get('path', ''))}" + (f"?{kept}" if kept else "")
    state = f"liff.state={quote(wanted, safe='')}" if wanted not in ("", "/") else ""
    query = "&".join(part for part in (parts.query, state) if part)
    fragment = urlencode({**log_in(world, user, base_url(request)), "user_id": user.user_id})
    return urlunsplit((parts.scheme, parts.netloc, parts.path or "/", query, fragment))


def _query_without_user(request: Request) -> str:
    return urlencode([(name, value) for name, value in request.query_params.multi_items() if name != "as"])


def _ask(request: Request, world: World) -> Response:
    people = [user for user in world.users if not user.blocked]
    if not people:
        return page("だれとして開きますか？", "<p>まだ友だちがいません。スマホの画面で友だちを追加してください。</p>")
    rows = "".join(f"<li>{_row(request, user)}</li>" for user in people)
    return page("だれとして開きますか？", f"<p>この人のスマホで開いたことになります。</p><ul>{rows}</ul>")


def _row(request: Request, user: User) -> str:
    kept = _query_without_user(request)
    query = (f"{kept}&" if kept else "") + urlencode({"as": user.user_id})
    standing = "友だち" if user.following else "友だち未追加"
    return (
        f'<a class="friend" href="?{escape(query)}"><img src="{escape(user.picture_path)}" alt="">'
        f"<span>{escape(user.display_name)}<small>{standing}</small></span></a>"
    )
