"""gspread and Google's log-in on our own way out: they build requests, and every byte still passes `gateway.http`."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import requests
from google.auth import exceptions, transport
from google.oauth2.service_account import Credentials
from gspread.exceptions import APIError
from gspread.http_client import HTTPClient
from gspread.urls import SPREADSHEETS_API_V4_BASE_URL

from tsudoi.gateway.http import SAFE_READ, Answer, Call, Outlet

_TARGET = "sheets"
_OFFICIAL_BASE = SPREADSHEETS_API_V4_BASE_URL.partition("/v4/")[0]


class TokenResponse(transport.Response):
    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    @property
    def status(self) -> int:
        return self._answer.status

    @property
    def headers(self) -> Mapping[str, str]:
        return self._answer.headers

    @property
    def data(self) -> bytes:
        return self._answer.body


class TokenRequest(transport.Request):
    """How `google.auth` asks for an access token."""

    def __init__(self, outlet: Outlet, timeout: timedelta) -> None:
        self._outlet = outlet
        self._timeout = timeout

    def __call__(
        self,
        url: str,
        method: str = "POST",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,  # noqa: ARG002
        **_more: Any,
    ) -> TokenResponse:
        answer = self._outlet.send(Call(_TARGET, "token", method, url, headers or {}, body, self._timeout, SAFE_READ))
        if answer.status in SAFE_READ.statuses:
            # `google.auth` would start over with pauses of its own, after ours.
            raise exceptions.TransportError(f"status {answer.status}")  # type: ignore[no-untyped-call]
        return TokenResponse(answer)


class SheetsTransport(HTTPClient):
    """Stands where gspread's own client stands; all its verbs end in `request`."""

    def __init__(self, outlet: Outlet, base: str, credentials: Credentials, timeout: timedelta) -> None:
        # The parent would open a session of its own; it is inherited for its verbs alone.
        self._outlet = outlet
        self._base = base
        self._credentials = credentials
        self._timeout = timeout

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
            self._credentials.refresh(TokenRequest(self._outlet, self._timeout))  # type: ignore[no-untyped-call]
        url = endpoint.replace(_OFFICIAL_BASE, self._base, 1) + (f"?{urlencode(params, doseq=True)}" if params else "")
        sent = {**(headers or {}), "Authorization": f"Bearer {self._credentials.token}"}
        content = data
        if json is not None:
            sent["Content-Type"] = "application/json"
            content = _json(json)
        call = Call(_TARGET, _operation(endpoint), method.upper(), url, sent, content, self._timeout, SAFE_READ)
        return _checked(self._outlet.send(call))


def _operation(endpoint: str) -> str:
    """`batchUpdate` of `…/values:batchUpdate`, `values` of `…/values/A1:B2`."""
    last = endpoint.rpartition("/")[2]
    if "/values/" in endpoint:
        return "values"
    return last.partition(":")[2] or "spreadsheet"


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _checked(answer: Answer) -> requests.Response:
    response = requests.Response()
    response.status_code = answer.status
    response.headers.update(answer.headers)
    response.encoding = "utf-8"
    response._content = answer.body  # noqa: SLF001 (there is no other way to make one from bytes)
    if not response.ok:
        raise APIError(response)
    return response
