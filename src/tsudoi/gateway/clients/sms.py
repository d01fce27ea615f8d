"""The client of an SMS provider whose API has the shape of Twilio's."""

import base64
import re
from functools import partial
from typing import Protocol
from urllib.parse import quote, urlencode

from tsudoi.gateway.clients.outside_answers import Credential, OutsideAnswer, ask_outside
from tsudoi.gateway.http import CallPolicy, HttpGateway, HttpRequest
from tsudoi.gateway.masking import allowed_body

_WORD = re.compile(r"[A-Za-z0-9_]{1,40}")
# Texts, numbers and, in the answer about the account, its secret are left out.
_mask = partial(
    allowed_body, allowed={"sid": _WORD, "status": _WORD, "code": _WORD, "error_code": _WORD, "num_segments": _WORD}
)


class SmsProvider(Protocol):
    """Any provider of SMS. Numbers are in the form +819012345678."""

    @property
    def is_configured(self) -> bool: ...

    def send(self, to: str, text: str, policy: CallPolicy) -> OutsideAnswer: ...

    def look(self, policy: CallPolicy) -> OutsideAnswer:
        """Read something that proves that the provider knows us. Nothing is sent."""
        ...


class SmsClient:
    """Sends by a provider like Twilio. No method raises: a failure is a value too."""

    def __init__(self, api_base: str, account: str, token: str, sender: str, gateway: HttpGateway) -> None:
        self._url = f"{api_base}/2010-04-01/Accounts/{quote(account, safe='')}"
        self._sender = sender
        self._gateway = gateway
        self._ready = all((api_base, account, token, sender))
        basic = base64.b64encode(f"{account}:{token}".encode()).decode()
        self._credential = Credential("Authorization", f"Basic {basic}", token)

    @property
    def is_configured(self) -> bool:
        return self._ready

    def send(self, to: str, text: str, policy: CallPolicy) -> OutsideAnswer:
        body = urlencode({"To": to, "From": self._sender, "Body": text}).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        url = f"{self._url}/Messages.json"
        return self._ask(HttpRequest("twilio", "send", "POST", url, policy, headers, body, body_mask=_mask))

    def look(self, policy: CallPolicy) -> OutsideAnswer:
        return self._ask(HttpRequest("twilio", "account", "GET", f"{self._url}.json", policy, body_mask=_mask))

    def _ask(self, request: HttpRequest) -> OutsideAnswer:
        return ask_outside(self._gateway, request, self._credential)
