"""What LINE says about the account itself: for the commands that set it up and look after it.

These are small questions, each asked once and quickly; a person waits for the answers. The SDK would take longer to
import than they take to ask, and would hide the `Date` header by which we check our own clock.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import orjson

from tsudoi.core.clock import Clock
from tsudoi.gateway.clients.line import LineConfig
from tsudoi.gateway.clients.line_outcomes import Quota, Rejected, Unreachable
from tsudoi.gateway.http import Answer, Call, NoAnswer, Outlet

_TIMEOUT = timedelta(seconds=3)
# LINE itself waits for our server before it answers.
_TEST_TIMEOUT = timedelta(seconds=12)
_HTTP_OK, _HTTP_UNAUTHORIZED, _HTTP_NOT_FOUND, _HTTP_SERVER_ERROR = 200, 401, 404, 500
# What a header can carry (RFC 6750). A token pasted with a line break would fail before it reached LINE.
_TOKEN = re.compile(r"[A-Za-z0-9\-._~+/]+=*")
# LINE is not asked in this case, and nobody should look for the fault there.
NO_TOKEN = "アクセストークンが空です / the access token is empty"  # noqa: S105

Refused = Rejected | Unreachable


@dataclass(frozen=True, slots=True)
class BotInfo:
    display_name: str
    basic_id: str


@dataclass(frozen=True, slots=True)
class WebhookEndpoint:
    url: str
    active: bool


@dataclass(frozen=True, slots=True)
class WebhookTest:
    """What LINE met when it called our webhook with no events in the body."""

    success: bool
    status: int
    reason: str
    detail: str


class LineAccount:
    def __init__(self, config: LineConfig, outlet: Outlet, clock: Clock) -> None:
        self._config = config
        self._outlet = outlet
        self._clock = clock
        # How far our clock was ahead of LINE's when LINE last spoke; LINE tells whole seconds.
        self.ahead: timedelta | None = None

    def info(self) -> BotInfo | Refused:
        found = self._ask("bot_info", "GET", "/v2/bot/info")
        if isinstance(found, Rejected | Unreachable):
            return found
        return BotInfo(str(found.get("displayName", "")), str(found.get("basicId", "")))

    def quota(self) -> Quota | Refused:
        limit = self._ask("quota", "GET", "/v2/bot/message/quota")
        if isinstance(limit, Rejected | Unreachable):
            return limit
        used = self._ask("quota_consumption", "GET", "/v2/bot/message/quota/consumption")
        if isinstance(used, Rejected | Unreachable):
            return used
        value, total = limit.get("value"), used.get("totalUsage")
        if not isinstance(total, int) or (limit.get("type") == "limited" and not isinstance(value, int)):
            return Unreachable("unreadable answer: quota")
        return Quota(value if limit.get("type") == "limited" else None, total)

    def webhook(self) -> WebhookEndpoint | Refused | None:
        """None: no address has been set."""
        found = self._ask("webhook_endpoint", "GET", "/v2/bot/channel/webhook/endpoint")
        if isinstance(found, Rejected) and found.status == _HTTP_NOT_FOUND:
            return None
        if isinstance(found, Rejected | Unreachable):
            return found
        return WebhookEndpoint(str(found.get("endpoint", "")), found.get("active") is True)

    def test_webhook(self) -> WebhookTest | Refused:
        """LINE calls the address that is set, now, and tells what it met."""
        found = self._ask("webhook_test", "POST", "/v2/bot/channel/webhook/test", b"{}", _TEST_TIMEOUT)
        if isinstance(found, Rejected | Unreachable):
            return found
        status = found.get("statusCode")
        return WebhookTest(
            found.get("success") is True,
            status if isinstance(status, int) else 0,
            str(found.get("reason", "")),
            str(found.get("detail", "")),
        )

    def default_rich_menu(self) -> str | Refused | None:
        """Its id; None when there is none."""
        found = self._ask("rich_menu_default", "GET", "/v2/bot/user/all/richmenu")
        if isinstance(found, Rejected) and found.status == _HTTP_NOT_FOUND:
            return None
        return found if isinstance(found, Rejected | Unreachable) else str(found.get("richMenuId", "")) or None

    def _ask(
        self, operation: str, method: str, path: str, content: bytes | None = None, timeout: timedelta | None = None
    ) -> dict[str, Any] | Refused:
        token = self._config.channel_access_token
        if not token.strip():
            return Rejected(_HTTP_UNAUTHORIZED, NO_TOKEN)
        if not _TOKEN.fullmatch(token):
            return Rejected(_HTTP_UNAUTHORIZED, "the access token has letters that no token has")
        headers = {"Authorization": f"Bearer {token}"}
        if content is not None:
            headers["Content-Type"] = "application/json"
        try:
            answer = self._outlet.send(
                Call("line", operation, method, f"{self._config.api_base}{path}", headers, content, timeout or _TIMEOUT)
            )
        except NoAnswer as silence:
            return Unreachable(str(silence))
        self._compare_clocks(answer)
        return _read(answer)

    def _compare_clocks(self, answer: Answer) -> None:
        with suppress(ValueError):
            self.ahead = self._clock.now() - parsedate_to_datetime(answer.headers.get("date", "")).astimezone(UTC)


def _read(answer: Answer) -> dict[str, Any] | Refused:
    try:
        body = orjson.loads(answer.body or b"{}")
    except orjson.JSONDecodeError:
        body = None
    said = str(body.get("message", "")) if isinstance(body, dict) else ""
    if answer.status >= _HTTP_SERVER_ERROR:
        return Unreachable(f"{answer.status}: {said}")
    if answer.status != _HTTP_OK:
        return Rejected(answer.status, said, answer.headers.get("x-line-request-id"))
    return body if isinstance(body, dict) else Unreachable("unreadable answer")
