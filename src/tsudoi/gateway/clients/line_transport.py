"""LINE's SDK on our own way out: it builds requests and reads answers, and every byte still passes `gateway.http`."""

import json
from dataclasses import dataclass
from datetime import timedelta
from http.client import responses
from typing import Any

import httpx2
from linebot.v3.messaging.exceptions import ApiException
from linebot.v3.messaging.rest import RESTClientObject

from tsudoi.gateway.http import Call, Outlet, Retries


@dataclass(slots=True)
class SdkResponse:
    """Not frozen: the SDK puts the decoded text back into `data`."""

    status: int
    reason: str
    data: bytes | str
    headers: httpx2.Headers

    def getheaders(self) -> httpx2.Headers:
        return self.headers

    def getheader(self, name: str, default: str | None = None) -> str | None:
        return self.headers.get(name, default)


class SdkTransport(RESTClientObject):  # type: ignore[misc]
    """Stands where the SDK's own transport stands; all its verbs end in `request`."""

    def __init__(self, outlet: Outlet, operation: str, timeout: timedelta, retries: Retries) -> None:
        # The parent would open connections of its own; it is inherited for its verbs alone.
        self._outlet = outlet
        self._operation = operation
        self._timeout = timeout
        self._retries = retries

    def request(
        self,
        method: str,
        url: str,
        query_params: Any = None,  # noqa: ARG002 (the SDK's signature, used or not)
        headers: dict[str, str] | None = None,
        body: Any = None,
        post_params: Any = None,  # noqa: ARG002
        _preload_content: bool = True,
        _request_timeout: Any = None,
    ) -> SdkResponse:
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        call = Call("line", self._operation, method, url, headers or {}, content, self._timeout, self._retries)
        answer = self._outlet.send(call)
        response = SdkResponse(answer.status, responses.get(answer.status, ""), answer.body, answer.headers)
        if not 200 <= answer.status < 300:  # noqa: PLR2004 (the range of success)
            raise ApiException(http_resp=response)
        return response
