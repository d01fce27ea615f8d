"""The client of an SMS provider whose API has the shape of Karaden (空電プッシュ), a provider inside Japan."""

import re
from dataclasses import replace
from functools import partial
from urllib.parse import quote, urlencode

from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.outside_answers import Credential, OutsideAnswer, ask_outside
from tsudoi.gateway.clients.sms import SmsClient, SmsProvider
from tsudoi.gateway.http import CallPolicy, HttpGateway, HttpRequest
from tsudoi.gateway.masking import allowed_body

_VERSION = {"Karaden-Version": "2023-01-01"}
_WORD = re.compile(r"[A-Za-z0-9_-]{1,40}")
_JAPANESE_MOBILE = re.compile(r"\+81([0-9]{10})")
_mask = partial(
    allowed_body,
    allowed=dict.fromkeys(("id", "object", "status", "result", "sent_result", "carrier", "code"), _WORD),
)


class KaradenClient:
    """Sends by a provider like Karaden. No method raises: a failure is a value too."""

    def __init__(self, api_base: str, tenant: str, token: str, service_id: str, gateway: HttpGateway) -> None:
        self._url = f"{api_base}/api/{quote(tenant, safe='')}/messages"
        self._service_id = service_id
        self._gateway = gateway
        self._ready = all((api_base, tenant, token, service_id))
        self._credential = Credential("Authorization", f"Bearer {token}", token)

    @property
    def is_configured(self) -> bool:
        return self._ready

    def send(self, to: str, text: str, policy: CallPolicy) -> OutsideAnswer:
        """Numbers are wanted as people in Japan write them, and no others are reached."""
        found = _JAPANESE_MOBILE.fullmatch(to)
        if found is None:
            return OutsideAnswer(None, reason="the number is no Japanese mobile number")
        form = {"service_id": self._service_id, "to": f"0{found[1]}", "body": text}
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode(form).encode()
        return self._ask(HttpRequest("karaden", "send", "POST", self._url, policy, headers, body, body_mask=_mask))

    def look(self, policy: CallPolicy) -> OutsideAnswer:
        return self._ask(HttpRequest("karaden", "list", "GET", self._url, policy, body_mask=_mask))

    def _ask(self, request: HttpRequest) -> OutsideAnswer:
        versioned = replace(request, headers={**_VERSION, **request.headers})
        return ask_outside(self._gateway, versioned, self._credential)


def sms_provider_of(settings: Settings, gateway: HttpGateway) -> SmsProvider:
    kind = KaradenClient if settings.sms_provider == "karaden" else SmsClient
    token = settings.sms_token.get_secret_value() if settings.sms_token else ""
    return kind(settings.sms_api_base or "", settings.sms_account or "", token, settings.sms_from or "", gateway)
