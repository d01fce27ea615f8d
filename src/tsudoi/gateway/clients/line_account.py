"""The settings of our LINE account: quota, webhook, rich menus."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from tsudoi.core.clock import Clock
from tsudoi.gateway.clients.line import LineClient, json_object, objects, refusal
from tsudoi.gateway.clients.line_outcomes import LineUnreachable, Quota, Refused, Rejected
from tsudoi.gateway.http import CallPolicy, NoResponse

_HTTP_NOT_FOUND = 404


@dataclass(frozen=True, slots=True)
class BotInfo:
    """The official account as people see it in LINE."""

    display_name: str
    basic_id: str


@dataclass(frozen=True, slots=True)
class WebhookEndpoint:
    """The address to which LINE sends its events."""

    url: str
    active: bool


@dataclass(frozen=True, slots=True)
class WebhookTest:
    """The result of LINE's test call to our webhook, which contains no events."""

    success: bool
    status: int
    reason: str
    detail: str


class LineAccount:
    """Calls about the account, each of which goes through the `LineClient`."""

    def __init__(self, line: LineClient, clock: Clock) -> None:
        self._line = line
        self._clock = clock
        # How far our clock was ahead of LINE's at the last response; LINE sends whole seconds.
        self.ahead: timedelta | None = None

    def info(self, policy: CallPolicy | None = None) -> BotInfo | Refused:
        found = self._ask("bot_info", "GET", "/v2/bot/info", policy)
        if isinstance(found, Rejected | LineUnreachable):
            return found
        return BotInfo(str(found.get("displayName", "")), str(found.get("basicId", "")))

    def quota(self) -> Quota | Refused:
        limit = self._ask("quota", "GET", "/v2/bot/message/quota")
        if isinstance(limit, Rejected | LineUnreachable):
            return limit
        used = self._ask("quota_consumption", "GET", "/v2/bot/message/quota/consumption")
        if isinstance(used, Rejected | LineUnreachable):
            return used
        value, total = limit.get("value"), used.get("totalUsage")
        if not isinstance(total, int) or (limit.get("type") == "limited" and not isinstance(value, int)):
            return LineUnreachable("unreadable answer: quota")
        return Quota(value if limit.get("type") == "limited" else None, total)

    def webhook(self) -> WebhookEndpoint | Refused | None:
        """None: no address has been set."""
        found = self._ask("webhook_endpoint", "GET", "/v2/bot/channel/webhook/endpoint")
        if isinstance(found, Rejected) and found.status == _HTTP_NOT_FOUND:
            return None
        if isinstance(found, Rejected | LineUnreachable):
            return found
        return WebhookEndpoint(str(found.get("endpoint", "")), found.get("active") is True)

    def test_webhook(self) -> WebhookTest | Refused:
        """Let LINE call the configured address now, and return the result."""
        found = self._ask("webhook_test", "POST", "/v2/bot/channel/webhook/test", self._line.policies.webhook_test, {})
        if isinstance(found, Rejected | LineUnreachable):
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
        return found if isinstance(found, Rejected | LineUnreachable) else str(found.get("richMenuId", "")) or None

    def list_rich_menus(self) -> list[tuple[str, str]] | Refused:
        """Ids and names of the rich menus that were made through the API."""
        found = self._ask("rich_menu_list", "GET", "/v2/bot/richmenu/list", self._line.policies.profile)
        if isinstance(found, Rejected | LineUnreachable):
            return found
        return [
            (str(menu.get("richMenuId", "")), str(menu.get("name", ""))) for menu in objects(found.get("richmenus"))
        ]

    def addresses_of_rich_menu(self, rich_menu_id: str) -> list[str] | Refused:
        """Where the areas of a rich menu lead, in their order. Empty for a menu that was not made through the API."""
        found = self._ask("rich_menu_list", "GET", "/v2/bot/richmenu/list", self._line.policies.profile)
        if isinstance(found, Rejected | LineUnreachable):
            return found
        menus = [menu for menu in objects(found.get("richmenus")) if menu.get("richMenuId") == rich_menu_id]
        actions = [area.get("action") for menu in menus for area in objects(menu.get("areas"))]
        return [str(action.get("uri", "")) for action in actions if isinstance(action, dict)]

    def create_rich_menu(self, menu: dict[str, Any]) -> str | Refused:
        made = self._ask("rich_menu_create", "POST", "/v2/bot/richmenu", self._line.policies.setup, menu)
        if isinstance(made, Rejected | LineUnreachable):
            return made
        return str(made.get("richMenuId", "")) or LineUnreachable("unreadable answer: rich menu")

    def upload_rich_menu_image(self, rich_menu_id: str, png: bytes) -> Refused | None:
        return self._change("rich_menu_image", "POST", f"/v2/bot/richmenu/{rich_menu_id}/content", png)

    def set_default_rich_menu(self, rich_menu_id: str) -> Refused | None:
        return self._change("rich_menu_default", "POST", f"/v2/bot/user/all/richmenu/{rich_menu_id}")

    def delete_rich_menu(self, rich_menu_id: str) -> Refused | None:
        return self._change("rich_menu_delete", "DELETE", f"/v2/bot/richmenu/{rich_menu_id}")

    def _change(self, operation: str, method: str, path: str, body: bytes | None = None) -> Refused | None:
        found = self._ask(operation, method, path, self._line.policies.setup, body)
        return found if isinstance(found, Rejected | LineUnreachable) else None

    def _ask(
        self,
        operation: str,
        method: str,
        path: str,
        policy: CallPolicy | None = None,
        body: dict[str, Any] | bytes | None = None,
    ) -> dict[str, Any] | Refused:
        try:
            response = self._line.request(operation, method, path, policy or self._line.policies.account, body)
        except NoResponse as silence:
            return LineUnreachable(str(silence))
        if isinstance(response, Rejected):
            return response
        with suppress(ValueError):
            date = parsedate_to_datetime(response.headers.get("date", ""))
            self.ahead = self._clock.now() - date.astimezone(UTC)
        return refusal(response) or json_object(response.body)
