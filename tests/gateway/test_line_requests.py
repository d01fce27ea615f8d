"""LINE's own SDK as the judge of our requests: both are asked for the same, and a server compares what arrives."""

import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.factories.product import ACCESS_TOKEN, line_client, settings_for
from tests.product_fixtures import sqlite_only
from tests.sandbox.pictures import png
from tests.servers import serving
from tsudoi.core.clock import SystemClock
from tsudoi.events.planning.rules import notices
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.http import HttpGateway
from tsudoi.line.rich_menu.rules.menu import menu

pytestmark = sqlite_only
LINK = "https://liff.line.me/1234567890-AbcdEfgh/events/1"
MESSAGES = [
    *notices.invitation("総会のご案内 🎣\n皆さま", "https://example.jp/p.jpg", LINK),
    *notices.reminder("総会", datetime(2026, 11, 1, tzinfo=UTC), LINK),
]
WHO, CROWD, KEY, TOKEN = "U" + "1" * 32, ["U" + "2" * 32, "U" + "3" * 32], str(uuid4()), "0" * 32
PICTURE = png(2500, 843)
MENU = menu(LINK, "https://example.jp/news", PICTURE)
MENU_ID = "richmenu-0123456789abcdef"
# What the SDK says of its own accord; LINE takes it for granted.
SAID_BY_DEFAULT = {"notificationDisabled": False}


@dataclass
class Arrived:
    """A request as LINE would see it."""

    method: str
    path: str
    body: bytes
    headers: dict[str, str]

    def content(self) -> Any:
        """JSON compared by meaning, pictures by their bytes, and no body the same as an empty one."""
        if self.headers.get("content-type") != "application/json":
            return self.body
        parsed = json.loads(self.body or b"null")
        if isinstance(parsed, dict):
            return {name: value for name, value in parsed.items() if SAID_BY_DEFAULT.get(name, ...) != value}
        return parsed or b""


class Recorder:
    """Takes everything, and says what any of the callers wants to hear."""

    def __init__(self) -> None:
        self.arrived: list[Arrived] = []

    async def __call__(self, request: Request) -> Response:
        query = f"?{request.url.query}" if request.url.query else ""
        path = f"{request.scope['raw_path'].decode()}{query}"
        self.arrived.append(Arrived(request.method, path, await request.body(), dict(request.headers)))
        return JSONResponse(
            {
                "sentMessages": [{"id": "1"}],
                "richMenuId": MENU_ID,
                "richmenus": [{**MENU, "richMenuId": MENU_ID}],
                "userId": WHO,
                "displayName": "山田",
                "basicId": "@x",
                "chatMode": "bot",
                "markAsReadMode": "auto",
                "type": "limited",
                "value": 200,
                "totalUsage": 7,
                "endpoint": "https://example.jp/hook",
                "active": True,
                "success": True,
                "timestamp": "2026-11-01T00:00:00Z",
                "statusCode": 200,
                "reason": "OK",
                "detail": "",
            }
        )


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def url(recorder: Recorder) -> Iterator[str]:
    routes = [Route("/{path:path}", recorder.__call__, methods=["GET", "POST", "DELETE"])]
    with serving(Starlette(routes=routes)) as found:
        yield found


@pytest.fixture
def sdk(url: str) -> Iterator[SimpleNamespace]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from linebot.v3 import messaging  # noqa: PLC0415

    with messaging.ApiClient(messaging.Configuration(host=url, access_token=ACCESS_TOKEN)) as client:
        yield SimpleNamespace(m=messaging, api=messaging.MessagingApi(client), blob=messaging.MessagingApiBlob(client))
        client.rest_client.pool_manager.clear()


@pytest.fixture
def ours(url: str, gateway: HttpGateway, tmp_path: Path) -> SimpleNamespace:
    line: LineClient = line_client(settings_for("http://127.0.0.1:1", tmp_path, url), gateway)
    return SimpleNamespace(line=line, account=LineAccount(line, SystemClock()))


Ask = Callable[[SimpleNamespace], Any]
CALLS: dict[str, tuple[Ask, Ask]] = {
    "push": (
        lambda our: our.line.push(WHO, MESSAGES, KEY),
        lambda sdk: sdk.api.push_message(
            sdk.m.PushMessageRequest.from_dict({"to": WHO, "messages": MESSAGES}), x_line_retry_key=KEY
        ),
    ),
    "multicast": (
        lambda our: our.line.multicast(CROWD, MESSAGES, KEY),
        lambda sdk: sdk.api.multicast(
            sdk.m.MulticastRequest.from_dict({"to": CROWD, "messages": MESSAGES}), x_line_retry_key=KEY
        ),
    ),
    "reply": (
        lambda our: our.line.reply(TOKEN, MESSAGES),
        lambda sdk: sdk.api.reply_message(
            sdk.m.ReplyMessageRequest.from_dict({"replyToken": TOKEN, "messages": MESSAGES})
        ),
    ),
    "profile": (lambda our: our.line.profile(WHO), lambda sdk: sdk.api.get_profile(WHO)),
    "profile of an odd id": (lambda our: our.line.profile("a/b?c d"), lambda sdk: sdk.api.get_profile("a/b?c d")),
    "info": (lambda our: our.account.info(), lambda sdk: sdk.api.get_bot_info()),
    "webhook": (lambda our: our.account.webhook(), lambda sdk: sdk.api.get_webhook_endpoint()),
    "webhook test": (
        lambda our: our.account.test_webhook(),
        lambda sdk: sdk.api.test_webhook_endpoint(sdk.m.TestWebhookEndpointRequest()),
    ),
    "rich menu created": (
        lambda our: our.account.create_rich_menu(MENU),
        lambda sdk: sdk.api.create_rich_menu(sdk.m.RichMenuRequest.from_dict(MENU)),
    ),
    "rich menu painted": (
        lambda our: our.account.upload_rich_menu_image(MENU_ID, PICTURE),
        lambda sdk: sdk.blob.set_rich_menu_image(MENU_ID, PICTURE, _headers={"Content-Type": "image/png"}),
    ),
    "rich menu shown": (
        lambda our: our.account.set_default_rich_menu(MENU_ID),
        lambda sdk: sdk.api.set_default_rich_menu(MENU_ID),
    ),
    "rich menu asked for": (
        lambda our: our.account.default_rich_menu(),
        lambda sdk: sdk.api.get_default_rich_menu_id(),
    ),
    "rich menus listed": (lambda our: our.account.list_rich_menus(), lambda sdk: sdk.api.get_rich_menu_list()),
    "rich menu deleted": (
        lambda our: our.account.delete_rich_menu(MENU_ID),
        lambda sdk: sdk.api.delete_rich_menu(MENU_ID),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_our_request_is_the_one_of_the_sdk(
    name: str, recorder: Recorder, ours: SimpleNamespace, sdk: SimpleNamespace
) -> None:
    ask_ours, ask_sdk = CALLS[name]
    ask_ours(ours)
    ask_sdk(sdk)
    our, theirs = recorder.arrived
    assert (our.method, our.path, our.content()) == (theirs.method, theirs.path, theirs.content())
    for header in ("authorization", "x-line-retry-key"):
        assert our.headers.get(header) == theirs.headers.get(header), header
    if our.body:
        assert our.headers["content-type"] == theirs.headers["content-type"]


def test_the_quota_is_two_questions(recorder: Recorder, ours: SimpleNamespace, sdk: SimpleNamespace) -> None:
    found = ours.account.quota()
    limit, used = sdk.api.get_message_quota(), sdk.api.get_message_quota_consumption()
    assert (found.limit, found.used) == (limit.value, used.total_usage)
    asked = [(each.method, each.path) for each in recorder.arrived]
    assert asked[:2] == asked[2:]


def test_a_request_that_needs_no_body_has_a_length_all_the_same(recorder: Recorder, ours: SimpleNamespace) -> None:
    ours.account.set_default_rich_menu(MENU_ID)
    [arrived] = recorder.arrived
    assert arrived.headers["content-length"] == "0"
