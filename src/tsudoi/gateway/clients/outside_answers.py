"""What the clients of API_COMM share: one answer of an outside system as a value, and the one way to get it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from tsudoi.gateway.http import HttpGateway, HttpRequest, HttpResponse, NoResponse
from tsudoi.gateway.masking import length_of, masked_body

# What can stand in a header. A token with a line break would fail before it reached anybody.
_CREDENTIAL = re.compile(r"[!-~]+")
_SECONDS = re.compile(r"[0-9]{1,6}")
_HTTP_TOO_MANY = 429


@dataclass(frozen=True, slots=True)
class OutsideAnswer:
    """What an outside system answered, or that it did not: then `status` is None and `reason` says why."""

    status: int | None
    # The JSON of the body. None: the body is no JSON.
    parsed: Any = field(default=None, repr=False)
    # The body of a failure as the log keeps it, without personal data and secrets.
    masked: str | None = None
    reason: str | None = None
    # Without a response: the request may have had an effect.
    maybe_done: bool = False
    retry_after: int | None = None
    # The body is a page for people, as a proxy in between sends it.
    is_page: bool = False

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300  # noqa: PLR2004 (the range of success)

    @property
    def rate_limited(self) -> bool:
        return self.status == _HTTP_TOO_MANY

    def entry(self, name: str) -> dict[str, Any] | None:
        """The object below this name in the body, if there is one."""
        found = self.parsed.get(name) if isinstance(self.parsed, dict) else None
        return found if isinstance(found, dict) else None


@dataclass(frozen=True, slots=True)
class Credential:
    """A header that proves who we are. It appears in no log and no `repr`."""

    header: str
    value: str = field(repr=False)
    # The secret itself, without the words around it: what must not be empty or unprintable.
    secret: str = field(repr=False)


def ask_outside(gateway: HttpGateway, request: HttpRequest, credential: Credential) -> OutsideAnswer:
    """Never raises. A credential that cannot work is refused here, as the other side would refuse it."""
    if not _CREDENTIAL.fullmatch(credential.secret):
        return OutsideAnswer(None, reason="the credential is empty or has characters that none has")
    headers = {**request.headers, credential.header: credential.value}
    try:
        response = gateway.send(replace(request, headers=headers))
    except NoResponse as silence:
        return OutsideAnswer(None, reason=silence.reason, maybe_done=silence.kind == "unknown")
    return _answer(request, response, credential.secret)


def _answer(request: HttpRequest, response: HttpResponse, secret: str) -> OutsideAnswer:
    masking = request.body_mask or (masked_body if request.log_bodies else length_of)
    parsed = _json(response.body)
    # Nobody looks at the masked body of a good answer, and masking costs more than reading it.
    is_good = response.is_success and isinstance(parsed, dict)
    masked = None if is_good else masking(response.body)
    return OutsideAnswer(
        response.status,
        parsed,
        masked.replace(secret, "***") if masked else masked,
        retry_after=_retry_after(response.headers),
        is_page=response.body.lstrip()[:1] == b"<",
    )


def _retry_after(headers: Mapping[str, str]) -> int | None:
    value = headers.get("retry-after", "")
    return int(value) if _SECONDS.fullmatch(value) else None


def _json(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
