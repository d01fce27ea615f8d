"""The state of the sandbox: its users, what was sent, and what LINE remembers.

It belongs to one event loop, and none of its methods awaits anything, so it needs no lock.
"""

import asyncio
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

from tsudoi.sandbox import ids
from tsudoi.sandbox.calls import Call, Calls, WebhookLog
from tsudoi.sandbox.chatwork import Chatwork
from tsudoi.sandbox.clock import SandboxClock, iso
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.deliveries import Acceptance, Deliveries
from tsudoi.sandbox.faults import Faults
from tsudoi.sandbox.google_login import GoogleLogin
from tsudoi.sandbox.language_models import LanguageModels
from tsudoi.sandbox.mailbox import KeptMail, Mailbox
from tsudoi.sandbox.messages.kinds import QUOTABLE
from tsudoi.sandbox.quota import Quota
from tsudoi.sandbox.received import ReceivedRequests
from tsudoi.sandbox.retry_keys import AcceptedKey, ReplyTokens, RetryKeys
from tsudoi.sandbox.rich_menus import RichMenus
from tsudoi.sandbox.sms import SmsNetwork
from tsudoi.sandbox.spreadsheets import Spreadsheets
from tsudoi.sandbox.stores.account import StoresAccount
from tsudoi.sandbox.stream import Stream
from tsudoi.sandbox.stripe.account import StripeAccount
from tsudoi.sandbox.tokens import AccessTokens, Signer
from tsudoi.sandbox.users import ChatMessage, User, Users


@dataclass(frozen=True)
class SendRequest:
    """A request to send messages that has passed every check of its form. `counts`: it uses up the quota."""

    endpoint: str
    request_id: str
    messages: list[dict[str, Any]]
    recipients: list[User]
    retry_key: str | None = None
    counts: bool = True


class World:
    """Everything that the sandbox knows. Code that changes it sets `changed`, so that the state is saved."""

    def __init__(self, config: SandboxConfig) -> None:
        self.config = config
        self.clock = SandboxClock()
        self.signer = Signer()
        self.google = GoogleLogin()
        self.stream = Stream()
        self.changed = asyncio.Event()
        self.bot_user_id = ids.bot_user_id(config.login_channel_id)
        self._begin()

    def _begin(self) -> None:
        self.users = Users()
        self.deliveries = Deliveries()
        self.retry_keys = RetryKeys()
        self.reply_tokens = ReplyTokens()
        self.access_tokens = AccessTokens()
        self.rich_menus = RichMenus()
        self.quota = Quota()
        self.faults = Faults()
        self.calls = Calls()
        self.webhook_log = WebhookLog()
        self.spreadsheets = Spreadsheets()
        self.mailbox = Mailbox()
        self.models = LanguageModels()
        self.stripe = StripeAccount()
        self.stores = StoresAccount()
        self.chatwork = Chatwork()
        self.sms = SmsNetwork()
        self.received = ReceivedRequests()
        self.stripe_webhook_url = self.config.stripe_webhook_url
        self.webhook_url = self.config.webhook_url
        # The switch "Use webhook" of LINE's console: the address stays, and nothing is posted to it.
        self.webhook_active = True
        # LINE's reference contradicts itself about this, so a test can choose.
        self.multicast_refuses_unknown = False

    def reset(self) -> None:
        self.clock.reset()
        self.models.free.set()
        self._begin()
        self.stream.publish("reset")

    def stripe_endpoint(self) -> str | None:
        """Where Stripe's webhooks go: to the address that was set, or beside LINE's."""
        beside = None if self.webhook_url is None else urljoin(self.webhook_url, "/api/stripe/webhook")
        return self.stripe_webhook_url or beside

    def accept(self, request: SendRequest) -> list[dict[str, str]]:
        """LINE accepts a request: the messages are sent, even if the response is lost."""
        self.changed.set()
        now = self.clock.now_ms()
        if request.counts:
            self.quota.spend(sum(user.following for user in request.recipients), now)
        sent = [{"id": ids.new_message_id()} for _ in request.messages]
        for one, message in zip(sent, request.messages, strict=True):
            if message["type"] in QUOTABLE:
                one["quoteToken"] = ids.new_token()
        acceptance = Acceptance(
            request.endpoint, request.request_id, request.retry_key, tuple(message["id"] for message in sent), now
        )
        for user in request.recipients:
            self._deliver(user, request.messages, acceptance)
        if request.retry_key is not None:
            self.retry_keys.accept(request.retry_key, AcceptedKey(request.endpoint, request.request_id, now, sent))
        return sent

    def _deliver(self, user: User, messages: list[dict[str, Any]], acceptance: Acceptance) -> None:
        """A user who has blocked the account or never added it gets nothing, and LINE does not report that."""
        self.deliveries.add(user.user_id, acceptance, delivered=user.following)
        user.accepted += 1
        if not user.following:
            return
        user.delivered += 1
        for message_id, message in zip(acceptance.message_ids, messages, strict=True):
            self._put_into_chat(user, ChatMessage(message_id, "account", acceptance.at, read=False, message=message))

    def accept_mail(self, sender: str, recipients: list[str], content: bytes) -> KeptMail:
        """The mail server accepts a mail, even if its answer is lost."""
        self.changed.set()
        mail = self.mailbox.add(self.clock.now_ms(), sender, recipients, content)
        if self.stream.has_listeners:
            self.stream.publish("mail", mail=mail.as_json(whole=False))
        return mail

    def write(self, user: User, message_id: str, text: str) -> ChatMessage:
        """The user writes a message. An account with a bot has read it at once."""
        message = {"type": "text", "text": text}
        written = ChatMessage(message_id, "user", self.clock.now_ms(), read=True, message=message)
        self._put_into_chat(user, written)
        return written

    def _put_into_chat(self, user: User, message: ChatMessage) -> None:
        user.receive(message)
        if self.stream.has_listeners:
            self.stream.publish("message", user_id=user.user_id, message=message.as_json(), unread=user.unread)

    def read_chat(self, user: User) -> None:
        user.read_all()
        self.stream.publish("read", user_id=user.user_id)

    def user_changed(self, user: User) -> None:
        if self.stream.has_listeners:
            self.stream.publish("user", user=user.as_json())

    def rich_menu_changed(self) -> None:
        menu = self.rich_menus.default
        self.stream.publish("rich_menu", rich_menu=None if menu is None else menu.as_json())

    def conditions_changed(self) -> None:
        self.stream.publish("conditions")

    def record_call(self, call: Call) -> None:
        self.changed.set()
        row = self.calls.add(call, self.clock.now_ms())
        self.stream.publish("call", call=row)

    def as_json(self) -> dict[str, Any]:
        now = self.clock.now_ms()
        default = self.rich_menus.default
        return {
            "now": iso(now),
            "users": [user.as_json() for user in self.users],
            "deliveries": self.deliveries.summary(by_user=False),
            "retry_keys": self.retry_keys.as_json(),
            "quota": self.quota.as_json(now),
            "faults": [rule.as_json() for rule in self.faults.rules],
            "rich_menus": [menu.as_json() for menu in self.rich_menus.list()],
            "default_rich_menu_id": None if default is None else default.id,
            "webhook_url": self.webhook_url,
            "webhooks": self.webhook_log.as_json(),
            "calls": self.calls.after(0),
            "mails": [mail.as_json(whole=False) for mail in self.mailbox],
            "multicast_refuses_unknown": self.multicast_refuses_unknown,
        }
