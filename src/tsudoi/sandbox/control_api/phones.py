"""What a phone shows: the chat, the rich menu, the account, and the log-in behind a LIFF page."""

from starlette.responses import Response

from tsudoi.sandbox.control_api.hands import Hand, control
from tsudoi.sandbox.errors import not_found
from tsudoi.sandbox.logins import Wish, log_in
from tsudoi.sandbox.tokens import ID_TOKEN_SECONDS
from tsudoi.sandbox.wire import JSONAnswer


async def chat(hand: Hand) -> Response:
    return JSONAnswer({"messages": [message.as_json() for message in hand.user().chat]})


async def read(hand: Hand) -> Response:
    hand.world.read_chat(hand.user())
    return Response(status_code=204)


async def id_token(hand: Hand) -> Response:
    wish = Wish(
        expires_in=hand.body.whole("expires_in", ID_TOKEN_SECONDS),
        audience=hand.body.text("audience", None),
        nonce=hand.body.text("nonce", None),
        forged=hand.body.flag("forged"),
    )
    return JSONAnswer(log_in(hand.world, hand.user(), hand.base_url, wish))


async def rich_menu(hand: Hand) -> Response:
    menu = hand.world.rich_menus.default
    return JSONAnswer({"rich_menu": None if menu is None else menu.as_json()})


async def rich_menu_image(hand: Hand) -> Response:
    menu = hand.world.rich_menus.get(hand.path("menu_id"))
    if menu.image is None or menu.picture is None:
        raise not_found()
    return Response(menu.image, media_type=menu.picture.content_type)


async def config(hand: Hand) -> Response:
    settings = hand.world.config
    return JSONAnswer(
        {
            "liff_id": settings.liff_id,
            "liff_base": f"{hand.base_url}/liff",
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
