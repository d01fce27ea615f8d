"""An independent check: LINE's own SDK, unmodified, takes the box for LINE."""

import uuid
import warnings
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from tests.sandbox.pictures import png
from tests.sandbox.receiver import Receiver
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import RunningSandbox


@pytest.fixture(scope="module")
def sdk() -> SimpleNamespace:
    """The SDK warns about its own parts when it is imported and when it is asked to parse."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from linebot.v3 import WebhookParser, exceptions, messaging, webhooks  # noqa: PLC0415

    return SimpleNamespace(messaging=messaging, webhooks=webhooks, exceptions=exceptions, parser=WebhookParser)


@pytest.fixture
def api(sdk: SimpleNamespace, box: RunningSandbox, config: SandboxConfig) -> Iterator[SimpleNamespace]:
    settings = sdk.messaging.Configuration(host=box.url, access_token=config.channel_access_token)
    with sdk.messaging.ApiClient(settings) as client:
        yield SimpleNamespace(main=sdk.messaging.MessagingApi(client), blob=sdk.messaging.MessagingApiBlob(client))
        client.rest_client.pool_manager.clear()


class TestMessagingApi:
    def test_push_and_its_retry(
        self, sdk: SimpleNamespace, api: SimpleNamespace, friend_id: str, chat: Callable[[str], list[dict[str, Any]]]
    ) -> None:
        m = sdk.messaging
        key = str(uuid.uuid4())
        request = m.PushMessageRequest(
            to=friend_id,
            messages=[
                m.TextMessage(text="出欠のご回答をお願いします。"),
                m.ImageMessage(
                    original_content_url="https://x.example/a.jpg", preview_image_url="https://x.example/b.jpg"
                ),
                m.TemplateMessage(
                    alt_text="出欠",
                    template=m.ButtonsTemplate(text="出欠", actions=[m.PostbackAction(label="出席", data="a=1")]),
                ),
                m.FlexMessage(
                    alt_text="総会",
                    contents=m.FlexBubble(
                        body=m.FlexBox(layout="vertical", contents=[m.FlexText(text="総会のお知らせ")])
                    ),
                ),
            ],
        )
        answer = api.main.push_message_with_http_info(request, x_line_retry_key=key)
        assert [message.id for message in answer.data.sent_messages] == [entry["id"] for entry in chat(friend_id)]
        with pytest.raises(m.ApiException) as conflict:
            api.main.push_message(request, x_line_retry_key=key)
        assert conflict.value.status == 409
        headers = {name.lower(): value for name, value in conflict.value.headers.items()}
        assert headers["x-line-accepted-request-id"] == answer.headers["x-line-request-id"]
        assert len(chat(friend_id)) == 4

    def test_multicast_broadcast_and_reply(
        self,
        sdk: SimpleNamespace,
        api: SimpleNamespace,
        control: httpx2.Client,
        inbox: Receiver,
        friend_id: str,
        chat: Callable[[str], list[dict[str, Any]]],
    ) -> None:
        m = sdk.messaging
        hello = [m.TextMessage(text="こんにちは")]
        api.main.multicast(m.MulticastRequest(to=[friend_id], messages=hello), x_line_retry_key=str(uuid.uuid4()))
        api.main.broadcast(m.BroadcastRequest(messages=hello))
        control.post(f"/_sandbox/users/{friend_id}/messages", json={"text": "はい"}).raise_for_status()
        token = inbox.last.event["replyToken"]
        reply = api.main.reply_message(m.ReplyMessageRequest(reply_token=token, messages=hello))
        assert reply.sent_messages[0].id == chat(friend_id)[-1]["id"]
        assert len(chat(friend_id)) == 4
        api.main.validate_push(m.ValidateMessageRequest(messages=hello))

    def test_quota_profile_followers_and_info(
        self, sdk: SimpleNamespace, api: SimpleNamespace, control: httpx2.Client, friend_id: str
    ) -> None:
        control.put("/_sandbox/quota", json={"type": "limited", "value": 1000, "total_usage": 500})
        assert api.main.get_message_quota().value == 1000
        assert api.main.get_message_quota_consumption().total_usage == 500
        assert api.main.get_profile(friend_id).display_name == "山田 花子"
        assert api.main.get_followers(limit=10).user_ids == [friend_id]
        assert api.main.get_bot_info().display_name == "集い 公式"
        with pytest.raises(sdk.messaging.ApiException) as missing:
            api.main.get_profile("U" + "0" * 32)
        assert missing.value.status == 404

    def test_errors_carry_their_details(self, sdk: SimpleNamespace, api: SimpleNamespace, friend_id: str) -> None:
        m = sdk.messaging
        with pytest.raises(m.ApiException) as refused:
            api.main.push_message(m.PushMessageRequest(to=friend_id, messages=[m.TextMessage(text="x" * 5001)]))
        error = m.ErrorResponse.from_json(refused.value.body)
        assert error.details[0].var_property == "messages[0].text"

    def test_a_rich_menu_from_creation_to_default(self, sdk: SimpleNamespace, api: SimpleNamespace) -> None:
        m = sdk.messaging
        area = m.RichMenuArea(
            bounds=m.RichMenuBounds(x=0, y=0, width=1250, height=843),
            action=m.URIAction(label="出欠", uri="https://liff.line.me/1"),
        )
        request = m.RichMenuRequest(
            size=m.RichMenuSize(width=2500, height=843),
            selected=True,
            name="基本",
            chat_bar_text="メニュー",
            areas=[area],
        )
        menu_id = api.main.create_rich_menu(request).rich_menu_id
        image = png(2500, 843)
        api.blob.set_rich_menu_image(menu_id, body=image, _headers={"Content-Type": "image/png"})
        assert bytes(api.blob.get_rich_menu_image(menu_id)) == image
        api.main.set_default_rich_menu(menu_id)
        assert api.main.get_default_rich_menu_id().rich_menu_id == menu_id
        assert [menu.rich_menu_id for menu in api.main.get_rich_menu_list().richmenus] == [menu_id]
        assert api.main.get_rich_menu(menu_id).areas[0].action.uri == "https://liff.line.me/1"
        api.main.cancel_default_rich_menu()
        api.main.delete_rich_menu(menu_id)
        assert api.main.get_rich_menu_list().richmenus == []

    def test_the_webhook_endpoint(self, sdk: SimpleNamespace, api: SimpleNamespace, inbox: Receiver) -> None:
        m = sdk.messaging
        assert api.main.get_webhook_endpoint().endpoint == inbox.url
        result = api.main.test_webhook_endpoint(m.TestWebhookEndpointRequest(endpoint=inbox.url))
        assert (result.success, result.status_code) == (True, 200)
        api.main.set_webhook_endpoint(m.SetWebhookEndpointRequest(endpoint="https://product.example/hook"))
        assert api.main.get_webhook_endpoint().endpoint == "https://product.example/hook"


class TestWebhookParser:
    def test_every_event_is_understood(
        self, sdk: SimpleNamespace, control: httpx2.Client, config: SandboxConfig, inbox: Receiver, friend_id: str
    ) -> None:
        path = f"/_sandbox/users/{friend_id}"
        control.post(f"{path}/messages", json={"text": "はい"}).raise_for_status()
        control.post(f"{path}/postbacks", json={"data": "a=1"}).raise_for_status()
        control.post(f"{path}/block").raise_for_status()
        control.post(f"{path}/unblock").raise_for_status()
        parser = sdk.parser(config.channel_secret)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            parsed = [
                parser.parse(received.body.decode(), received.headers["x-line-signature"])[0]
                for received in inbox.received
            ]
        w = sdk.webhooks
        kinds = [w.FollowEvent, w.MessageEvent, w.PostbackEvent, w.UnfollowEvent, w.FollowEvent]
        assert [type(event) for event in parsed] == kinds
        assert (parsed[0].follow.is_unblocked, parsed[4].follow.is_unblocked) == (False, True)
        assert isinstance(parsed[1].message, w.TextMessageContent)
        assert parsed[1].message.text == "はい"
        assert parsed[2].postback.data == "a=1"
        assert all(event.source.user_id == friend_id for event in parsed)

    def test_a_bad_signature_is_noticed(
        self, sdk: SimpleNamespace, control: httpx2.Client, config: SandboxConfig, inbox: Receiver, friend_id: str
    ) -> None:
        body = {"text": "はい", "delivery": {"bad_signature": True}}
        control.post(f"/_sandbox/users/{friend_id}/messages", json=body).raise_for_status()
        with pytest.raises(sdk.exceptions.InvalidSignatureError):
            sdk.parser(config.channel_secret).parse(inbox.last.body.decode(), inbox.last.headers["x-line-signature"])
