"""What a phone shows: the chat, the rich menu, the account, and the log-in behind a LIFF page."""

from starlette.responses import Response

from tsudoi.sandbox.control_api.requests import ControlRequest, control
from tsudoi.sandbox.errors import not_found
from tsudoi.sandbox.logins import TokenOptions, log_in
from tsudoi.sandbox.tokens import ID_TOKEN_SECONDS
from tsudoi.sandbox.wire import OrjsonResponse


async def chat(request: ControlRequest) -> Response:
    return OrjsonResponse({"messages": [message.as_json() for message in request.user().chat]})


async def read(request: ControlRequest) -> Response:
    request.world.read_chat(request.user())
    return Response(status_code=204)


async def id_token(request: ControlRequest) -> Response:
    options = TokenOptions(
        expires_in=request.body.whole("expires_in", ID_TOKEN_SECONDS),
        audience=request.body.text("audience", None),
        nonce=request.body.text("nonce", None),
        forged=request.body.flag("forged"),
    )
    return OrjsonResponse(log_in(request.world, request.user(), request.base_url, options))


async def rich_menu(request: ControlRequest) -> Response:
    menu = request.world.rich_menus.default
    return OrjsonResponse({"rich_menu": None if menu is None else menu.as_json()})


async def rich_menu_image(request: ControlRequest) -> Response:
    menu = request.world.rich_menus.get(request.path("menu_id"))
    if menu.image is None or menu.picture is None:
        raise not_found()
    return Response(menu.image, media_type=menu.picture.content_type)


async def config(request: ControlRequest) -> Response:
    settings = request.world.config
    return OrjsonResponse(
        {
            "liff_id": settings.liff_id,
            "liff_base": f"{request.base_url}/liff",
            "account": {"name": settings.account_name, "picture_url": "/_sandbox/pictures/account.svg"},
            "product_url": settings.product_url,
        }
    )


ROUTES = [
    control("GET", "/users/{user_id}/chat", chat),
    control("POST", "/users/{user_id}/read", read),
    control("POST", "/users/{user_id}/id_token", id_token),
    control("GET", "/rich_menu", rich_menu),
    control("GET", "/rich_menu/{menu_id}/image", rich_menu_image),
    control("GET", "/config", config),
]
