"""Lets gspread and google.auth send their requests through `gateway.http`."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import requests
from google.auth import exceptions, transport
from google.oauth2.service_account import Credentials
from gspread.exceptions import APIError
from gspread.http_client import HTTPClient
from gspread.urls import SPREADSHEETS_API_V4_BASE_URL

from tsudoi.gateway.http import RETRIED_STATUSES, CallPolicy, HttpGateway, HttpRequest, HttpResponse

_TARGET = "sheets"
_OFFICIAL_BASE = SPREADSHEETS_API_V4_BASE_URL.partition("/v4/")[0]


class TokenResponse(transport.Response):
    """Our response with the interface that `google.auth` expects."""

    def __init__(self, response: HttpResponse) -> None:
        self._response = response

    @property
    def status(self) -> int:
        return self._response.status

    @property
    def headers(self) -> Mapping[str, str]:
        return self._response.headers

    @property
    def data(self) -> bytes:
        return self._response.body


class TokenRequest(transport.Request):
    """How `google.auth` asks for an access token."""

    def __init__(self, gateway: HttpGateway, policy: CallPolicy) -> None:
        self._gateway = gateway
        self._policy = policy

    def __call__(
        self,
        url: str,
        method: str = "POST",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,  # noqa: ARG002
        **_more: Any,
    ) -> TokenResponse:
        response = self._gateway.send(HttpRequest(_TARGET, "token", method, url, self._policy, headers or {}, body))
        if response.status in RETRIED_STATUSES:
            # Otherwise `google.auth` would retry again, after our own retries.
            raise exceptions.TransportError(f"status {response.status}")  # type: ignore[no-untyped-call]
        return TokenResponse(response)


class SheetsTransport(HTTPClient):
    """Replaces gspread's HTTP client. All its methods call `request`."""

    def __init__(self, gateway: HttpGateway, base: str, credentials: Credentials, policy: CallPolicy) -> None:
        # The parent's __init__ is not called, because it would open a session of its own.
        self._gateway = gateway
        self._base = base
        self._credentials = credentials
        self._policy = policy

    def request(
        self,
        method: str,
        endpoint: str,
        params: Any = None,
        data: bytes | None = None,
        json: Any = None,
        files: Any = None,  # noqa: ARG002
        headers: Any = None,
    ) -> requests.Response:
        if not self._credentials.valid:
            self._credentials.refresh(TokenRequest(self._gateway, self._policy))  # type: ignore[no-untyped-call]
        url = endpoint.replace(_OFFICIAL_BASE, self._base, 1) + (f"?{urlencode(params, doseq=True)}" if params else "")
        sent = {**(headers or {}), "Authorization": f"Bearer {self._credentials.token}"}
        content = data
        if json is not None:
            sent["Content-Type"] = "application/json"
            content = _json(json)
        call = HttpRequest(_TARGET, _operation(endpoint), method.upper(), url, self._policy, sent, content)
        return _checked(self._gateway.send(call))


def _operation(endpoint: str) -> str:
    """`batchUpdate` of `…/values:batchUpdate`, `values` of `…/values/A1:B2`."""
    last = endpoint.rpartition("/")[2]
    if "/values/" in endpoint:
        return "values"
    return last.partition(":")[2] or "spreadsheet"


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _checked(received: HttpResponse) -> requests.Response:
    response = requests.Response()
    response.status_code = received.status
    response.headers.update(received.headers)
    response.encoding = "utf-8"
    response._content = received.body  # noqa: SLF001 (there is no other way to make one from bytes)
    if not response.ok:
        raise APIError(response)
    return response
