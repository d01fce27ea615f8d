"""Rich menus, their picture, and the one that everybody sees."""

from starlette.responses import Response

from tsudoi.sandbox.errors import not_found, unsupported_type
from tsudoi.sandbox.line_api.exchange import Answer, Endpoint, Exchange
from tsudoi.sandbox.rich_menus import check_rich_menu

_IMAGE_TYPES = ("image/jpeg", "image/jpg", "image/png")


def create(exchange: Exchange) -> Answer:
    return Answer({"richMenuId": exchange.world.rich_menus.create(exchange.json()).id})


def validate(exchange: Exchange) -> Answer:
    check_rich_menu(exchange.json())
    return Answer()


def list_all(exchange: Exchange) -> Answer:
    return Answer({"richmenus": [menu.as_line() for menu in exchange.world.rich_menus.list()]})


def get(exchange: Exchange) -> Answer:
    return Answer(exchange.world.rich_menus.get(exchange.path("menu_id")).as_line())


def delete(exchange: Exchange) -> Answer:
    exchange.world.rich_menus.delete(exchange.path("menu_id"))
    exchange.world.rich_menu_changed()
    return Answer()


def upload_image(exchange: Exchange) -> Answer:
    content_type = exchange.request.headers.get("content-type", "")
    if content_type.lower() not in _IMAGE_TYPES:
        raise unsupported_type(content_type)
    exchange.world.rich_menus.attach_image(exchange.path("menu_id"), exchange.raw)
    exchange.world.rich_menu_changed()
    return Answer()


def download_image(exchange: Exchange) -> Answer:
    menu = exchange.world.rich_menus.get(exchange.path("menu_id"))
    if menu.image is None or menu.picture is None:
        raise not_found()
    return Answer(Response(menu.image, media_type=menu.picture.content_type))


def set_default(exchange: Exchange) -> Answer:
    exchange.world.rich_menus.set_default(exchange.path("menu_id"))
    exchange.world.rich_menu_changed()
    return Answer()


def get_default(exchange: Exchange) -> Answer:
    menu = exchange.world.rich_menus.default
    if menu is None:
        raise not_found("no default richmenu")
    return Answer({"richMenuId": menu.id})


def cancel_default(exchange: Exchange) -> Answer:
    exchange.world.rich_menus.cancel_default()
    exchange.world.rich_menu_changed()
    return Answer()


_MENU = "/v2/bot/richmenu"
_EVERYBODY = "/v2/bot/user/all/richmenu"

ENDPOINTS = [
    Endpoint("POST", _MENU, "rich_menu", create),
    Endpoint("POST", f"{_MENU}/validate", "rich_menu", validate),
    Endpoint("GET", f"{_MENU}/list", "rich_menu", list_all),
    Endpoint("GET", f"{_MENU}/{{menu_id}}", "rich_menu", get),
    Endpoint("DELETE", f"{_MENU}/{{menu_id}}", "rich_menu", delete),
    Endpoint("POST", f"{_MENU}/{{menu_id}}/content", "rich_menu", upload_image),
    Endpoint("GET", f"{_MENU}/{{menu_id}}/content", "rich_menu", download_image),
    Endpoint("POST", f"{_EVERYBODY}/{{menu_id}}", "rich_menu", set_default),
    Endpoint("GET", _EVERYBODY, "rich_menu", get_default),
    Endpoint("DELETE", _EVERYBODY, "rich_menu", cancel_default),
]
