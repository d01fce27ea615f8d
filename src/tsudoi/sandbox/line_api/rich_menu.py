"""Rich menus, their pictures, and the default menu that everybody sees."""

from starlette.responses import Response

from tsudoi.sandbox.errors import not_found, unsupported_type
from tsudoi.sandbox.line_api.endpoint import Endpoint, LineRequest, LineResponse
from tsudoi.sandbox.rich_menus import check_rich_menu

_IMAGE_TYPES = ("image/jpeg", "image/jpg", "image/png")


def create(request: LineRequest) -> LineResponse:
    return LineResponse({"richMenuId": request.world.rich_menus.create(request.json()).id})


def validate(request: LineRequest) -> LineResponse:
    check_rich_menu(request.json())
    return LineResponse()


def list_all(request: LineRequest) -> LineResponse:
    return LineResponse({"richmenus": [menu.as_line() for menu in request.world.rich_menus.list()]})


def get(request: LineRequest) -> LineResponse:
    return LineResponse(request.world.rich_menus.get(request.path("menu_id")).as_line())


def delete(request: LineRequest) -> LineResponse:
    request.world.rich_menus.delete(request.path("menu_id"))
    request.world.rich_menu_changed()
    return LineResponse()


def upload_image(request: LineRequest) -> LineResponse:
    content_type = request.http.headers.get("content-type", "")
    if content_type.lower() not in _IMAGE_TYPES:
        raise unsupported_type(content_type)
    request.world.rich_menus.attach_image(request.path("menu_id"), request.raw)
    request.world.rich_menu_changed()
    return LineResponse()


def download_image(request: LineRequest) -> LineResponse:
    menu = request.world.rich_menus.get(request.path("menu_id"))
    if menu.image is None or menu.picture is None:
        raise not_found()
    return LineResponse(Response(menu.image, media_type=menu.picture.content_type))


def set_default(request: LineRequest) -> LineResponse:
    request.world.rich_menus.set_default(request.path("menu_id"))
    request.world.rich_menu_changed()
    return LineResponse()


def get_default(request: LineRequest) -> LineResponse:
    menu = request.world.rich_menus.default
    if menu is None:
        raise not_found("no default richmenu")
    return LineResponse({"richMenuId": menu.id})


def cancel_default(request: LineRequest) -> LineResponse:
    request.world.rich_menus.cancel_default()
    request.world.rich_menu_changed()
    return LineResponse()


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
