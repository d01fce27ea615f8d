"""The client of ChatWork: who we are there, and one message to a room."""

import re
from functools import partial
from urllib.parse import urlencode

from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.outside_answers import Credential, OutsideAnswer, ask_outside
from tsudoi.gateway.http import CallPolicy, HttpGateway, HttpRequest
from tsudoi.gateway.masking import allowed_body

ROOM_ID = re.compile(r"[0-9]{1,20}")
_NUMBER = re.compile(r"[0-9]{1,20}")
# `/me` tells the name, the addresses and the phone numbers of the account's owner.
_mask = partial(allowed_body, allowed={"message_id": _NUMBER, "account_id": _NUMBER, "room_id": _NUMBER})


class ChatworkClient:
    """Calls ChatWork with our token. No method raises: a failure is a value too."""

    def __init__(self, api_base: str, token: str, gateway: HttpGateway) -> None:
        self._api_base = api_base
        self._token = token
        self._gateway = gateway

    @staticmethod
    def of(settings: Settings, gateway: HttpGateway) -> "ChatworkClient":
        token = settings.chatwork_api_token.get_secret_value() if settings.chatwork_api_token else ""
        return ChatworkClient(settings.chatwork_api_base, token, gateway)

    @property
    def is_configured(self) -> bool:
        return bool(self._token)

    def me(self, policy: CallPolicy) -> OutsideAnswer:
        return self._send(HttpRequest("chatwork", "me", "GET", f"{self._api_base}/me", policy, body_mask=_mask))

    def post(self, room_id: str, text: str, policy: CallPolicy) -> OutsideAnswer:
        """A room id that is no number is refused here: it would become another address."""
        if not ROOM_ID.fullmatch(room_id):
            return OutsideAnswer(None, reason="the room id is no number")
        url = f"{self._api_base}/rooms/{room_id}/messages"
        body = urlencode({"body": text, "self_unread": "1"}).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._send(HttpRequest("chatwork", "post", "POST", url, policy, headers, body, body_mask=_mask))

    def _send(self, request: HttpRequest) -> OutsideAnswer:
        return ask_outside(self._gateway, request, Credential("x-chatworktoken", self._token, self._token))
