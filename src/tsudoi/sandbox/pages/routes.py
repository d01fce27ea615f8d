"""Everything that a browser asks for."""

import hashlib
from html import escape
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from tsudoi.sandbox.pages.chatwork import list_rooms, save_room, show_room
from tsudoi.sandbox.pages.checkout import act, list_payments, show_checkout
from tsudoi.sandbox.pages.liff import open_liff
from tsudoi.sandbox.pages.mails import list_mails, show_bounce, show_mail, show_part
from tsudoi.sandbox.pages.news import list_news, show_news
from tsudoi.sandbox.pages.phones import FOR_EVER, phones_file, phones_page
from tsudoi.sandbox.pages.sheets import list_sheets, save_sheet, show_sheet
from tsudoi.sandbox.pages.sms import list_phones, save_phone, show_phone
from tsudoi.sandbox.pages.stores import (
    add_customer,
    delete_customer,
    list_customers,
    new_customer,
    save_customer,
    show_customer,
)
from tsudoi.sandbox.pages.stores_reservations import (
    add_reservation,
    delete_reservation,
    list_reservations,
    new_reservation,
    save_reservation,
    show_reservation,
)
from tsudoi.sandbox.pages.troubles import show_troubles, switch
from tsudoi.sandbox.wire import world_of


def avatar(seed: str, name: str) -> str:
    hue = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:2]) % 360
    first = name.strip()[:1]
    letter = escape(first) if first.isprintable() and first else "?"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img">'
        f'<circle cx="48" cy="48" r="48" fill="hsl({hue} 58% 52%)"/>'
        '<text x="48" y="50" fill="#fff" font-family="sans-serif" font-size="46" font-weight="600"'
        f' text-anchor="middle" dominant-baseline="central">{letter}</text></svg>'
    )


# The product's own mark: people gathered around a table, one of them just arriving.
ACCOUNT_AVATAR = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="96" height="96" role="img">'
    '<rect width="48" height="48" fill="#1f5f57"/>'
    '<circle cx="24" cy="24.5" r="6.25" fill="none" stroke="#fff" stroke-width="2.75"/>'
    '<g fill="#fff"><circle cx="37.3" cy="20.2" r="3.6"/><circle cx="32.2" cy="35.8" r="3.6"/>'
    '<circle cx="15.8" cy="35.8" r="3.6"/><circle cx="10.7" cy="20.2" r="3.6"/></g>'
    '<circle cx="24" cy="10.5" r="3.6" fill="#f4a88d"/></svg>'
)


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


_POST = ["POST"]
# The pages of the shops, the rooms and the phones, and the switches that break them.
_OF_SYSTEMS = [
    Route("/stores", list_customers),
    Route("/stores/customers/new", new_customer),
    Route("/stores/customers/new", add_customer, methods=_POST),
    Route("/stores/customers/{id}", show_customer),
    Route("/stores/customers/{id}", save_customer, methods=_POST),
    Route("/stores/customers/{id}/delete", delete_customer, methods=_POST),
    Route("/stores/reservations", list_reservations),
    Route("/stores/reservations/new", new_reservation),
    Route("/stores/reservations/new", add_reservation, methods=_POST),
    Route("/stores/reservations/{id}", show_reservation),
    Route("/stores/reservations/{id}", save_reservation, methods=_POST),
    Route("/stores/reservations/{id}/delete", delete_reservation, methods=_POST),
    Route("/chatwork", list_rooms),
    Route("/chatwork/rooms/{room_id}", show_room),
    Route("/chatwork/rooms/{room_id}", save_room, methods=_POST),
    Route("/sms", list_phones),
    Route("/sms/phones/{number}", show_phone),
    Route("/sms/phones/{number}", save_phone, methods=_POST),
    Route("/troubles", show_troubles),
    Route("/troubles", switch, methods=_POST),
]


def page_routes(static_dir: Path) -> list[Route]:
    return [
        *_OF_SYSTEMS,
        Route("/", phones_page(static_dir)),
        Route("/liff/{liff_id}", open_liff),
        Route("/liff/{liff_id}/{path:path}", open_liff),
        Route("/news", list_news),
        Route("/news/{key}", show_news),
        Route("/mails", list_mails),
        Route("/mails/{mail_id}", show_mail),
        Route("/mails/{mail_id}/bounce", show_bounce),
        Route("/mails/{mail_id}/parts/{number}", show_part),
        Route("/c/pay/{id}", show_checkout),
        Route("/c/pay/{id}", act, methods=["POST"]),
        Route("/stripe", list_payments),
        Route("/_sandbox/page.css", css),
        Route("/_sandbox/sheets", list_sheets),
        Route("/_sandbox/sheets/{id}/{sheet}/edit", show_sheet),
        Route("/_sandbox/sheets/{id}/{sheet}/edit", save_sheet, methods=["POST"]),
        Route("/_sandbox/pictures/account.svg", account_picture),
        Route("/_sandbox/pictures/{user_id}.svg", picture),
        Route("/assets/{name:path}", phones_file(static_dir, cache_control=FOR_EVER)),
        Route("/{name}", phones_file(static_dir, cache_control="no-cache")),
    ]
