"""LINE, going out: messages, profiles, rich menus, and who an ID token belongs to.

The SDK takes more than a second to import, so it is imported by the first call that needs it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.client import responses
from typing import Any
from urllib.parse import urlencode

import orjson

from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.line_outcomes import (
    Accepted,
    Identity,
    NoProfile,
    Profile,
    QuotaExhausted,
    RateLimited,
    Rejected,
    SendOutcome,
    TokenRefused,
    Unknown,
    Unreachable,
)
from tsudoi.gateway.http import NO_RETRIES, SAFE_READ, Answer, Call, NoAnswer, Outlet, Retries

ISSUER = "https://access.line.me"
_SEND_TIMEOUT = timedelta(seconds=10)
_READ_TIMEOUT = timedelta(seconds=5)
# A person waits in front of the page, and a server that is told to stop has eight seconds for who still waits.
_VERIFY_TIMEOUT = timedelta(seconds=3)
_MONTHLY_LIMIT = "monthly limit"
_HTTP_BAD_REQUEST, _HTTP_NOT_FOUND, _HTTP_CONFLICT, _HTTP_TOO_MANY, _HTTP_SERVER_ERROR = 400, 404, 409, 429, 500

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LineConfig:
    channel_access_token: str
    login_channel_id: str
    api_base: str
    data_api_base: str

    @staticmethod
    def of(settings: Settings) -> "LineConfig":
        token = settings.line_channel_access_token
        return LineConfig(
            channel_access_token=token.get_secret_value() if token else "",
            login_channel_id=settings.line_login_channel_id or "",
            api_base=settings.line_api_base,
            data_api_base=settings.line_data_api_base,
        )


class LineClient:
    def __init__(self, config: LineConfig, outlet: Outlet, send_timeout: timedelta = _SEND_TIMEOUT) -> None:
        self.config = config
        self.outlet = outlet
        self._send_timeout = send_timeout

    def push(self, to: str, messages: Sequence[Message], retry_key: str) -> SendOutcome:
        return self._send("push", {"to": to, "messages": messages}, retry_key)

    def multicast(self, to: Sequence[str], messages: Sequence[Message], retry_key: str) -> SendOutcome:
        return self._send("multicast", {"to": to, "messages": messages}, retry_key)

    def reply(self, reply_token: str, messages: Sequence[Message]) -> SendOutcome:
        """No retry key exists for replies: a time-out here stays unknown, and must not be answered by a push."""
        return self._send("reply", {"replyToken": reply_token, "messages": messages}, None)

    def profile(self, user_id: str) -> Profile | NoProfile | Unreachable:
        found = self._ask("profile", lambda api: api.get_profile(user_id))
        if isinstance(found, Unreachable):
            return found
        if found is None:
            return NoProfile()
        return Profile(found.user_id, found.display_name, found.picture_url, found.status_message)

    def verify_id_token(self, id_token: str) -> Identity | TokenRefused | Unreachable:
        """LINE checks signature, audience and age; we check that it spoke of our channel."""
        form = urlencode({"id_token": id_token, "client_id": self.config.login_channel_id}).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        url = f"{self.config.api_base}/oauth2/v2.1/verify"
        try:
            answer = self.outlet.send(
                Call("line", "verify", "POST", url, headers, form, _VERIFY_TIMEOUT, Retries(attempts=2))
            )
        except NoAnswer as silence:
            return Unreachable(str(silence))
        return _identity(answer, self.config.login_channel_id)

    def list_rich_menus(self) -> list[tuple[str, str]] | Unreachable:
        """Ids and names of the rich menus that were made through the API."""
        found = self._ask("rich_menu_list", lambda api: api.get_rich_menu_list())
        if isinstance(found, Unreachable):
            return found
        return [] if found is None else [(menu.rich_menu_id, menu.name) for menu in found.richmenus]

    def create_rich_menu(self, menu: dict[str, Any]) -> str | Rejected | Unreachable:
        from linebot.v3.messaging import RichMenuRequest  # noqa: PLC0415

        request = RichMenuRequest.from_dict(menu)
        made = self._change("rich_menu_create", lambda api: api.create_rich_menu(request))
        return made if isinstance(made, Rejected | Unreachable) else str(made.rich_menu_id)

    def upload_rich_menu_image(self, rich_menu_id: str, png: bytes) -> Rejected | Unreachable | None:
        return _nothing(
            self._change(
                "rich_menu_image",
                lambda api: api.set_rich_menu_image(rich_menu_id, png, _headers={"Content-Type": "image/png"}),
                blob=True,
            )
        )

    def set_default_rich_menu(self, rich_menu_id: str) -> Rejected | Unreachable | None:
        return _nothing(self._change("rich_menu_default", lambda api: api.set_default_rich_menu(rich_menu_id)))

    def delete_rich_menu(self, rich_menu_id: str) -> Rejected | Unreachable | None:
        return _nothing(self._change("rich_menu_delete", lambda api: api.delete_rich_menu(rich_menu_id)))

    def _api(self, operation: str, timeout: timedelta, retries: Retries, *, blob: bool = False) -> Any:
        from linebot.v3.messaging import ApiClient, Configuration, MessagingApi, MessagingApiBlob  # noqa: PLC0415

        from tsudoi.gateway.clients.line_transport import SdkTransport  # noqa: PLC0415 (imports the SDK)

        base = self.config.data_api_base if blob else self.config.api_base
        client = ApiClient(Configuration(host=base, access_token=self.config.channel_access_token))
        client.rest_client = SdkTransport(self.outlet, operation, timeout, retries)
        return (MessagingApiBlob if blob else MessagingApi)(client)

    def _send(self, operation: str, body: dict[str, Any], retry_key: str | None) -> SendOutcome:
        """Without the SDK: it looks at each of 500 ids four times, which takes longer than LINE does."""
        headers = {
            "Authorization": f"Bearer {self.config.channel_access_token}",
            "Content-Type": "application/json",
            **({"X-Line-Retry-Key": retry_key} if retry_key else {}),
        }
        url = f"{self.config.api_base}/v2/bot/message/{operation}"
        # What became of a multicast stands in its outbox; the next one need not wait for this one's row.
        soon = operation == "multicast"
        call = Call("line", operation, "POST", url, headers, orjson.dumps(body), self._send_timeout, log_soon=soon)
        try:
            answer = self.outlet.send(call)
        except NoAnswer as silence:
            return Unknown(silence.reason, maybe_sent=silence.kind == "unknown")
        return _outcome(answer, told_what=operation != "multicast")

    def _ask(self, operation: str, call: Callable[[Any], Any]) -> Any:
        """The SDK's object, None for 404, or `Unreachable`."""
        answer = self._change(operation, call, retries=SAFE_READ)
        if isinstance(answer, Rejected):
            return None if answer.status == _HTTP_NOT_FOUND else Unreachable(f"{answer.status}: {answer.reason}")
        return answer

    def _change(
        self, operation: str, call: Callable[[Any], Any], *, retries: Retries = NO_RETRIES, blob: bool = False
    ) -> Any:
        from linebot.v3.messaging.exceptions import ApiException  # noqa: PLC0415

        try:
            return call(self._api(operation, _READ_TIMEOUT, retries, blob=blob))
        except NoAnswer as silence:
            return Unreachable(str(silence))
        except ApiException as refusal:
            if refusal.status >= _HTTP_SERVER_ERROR:
                return Unreachable(f"{refusal.status}: {_reason(refusal.status, refusal.body)}")
            return Rejected(
                refusal.status, _reason(refusal.status, refusal.body), (refusal.headers or {}).get("x-line-request-id")
            )
        except ValueError as unreadable:  # The SDK raises this for a 200 whose body is not what it promised.
            return Unreachable(f"unreadable answer: {type(unreadable).__name__}")


def _outcome(answer: Answer, *, told_what: bool) -> SendOutcome:
    """`told_what`: LINE lists the messages that it took."""
    reason, request_id = _reason(answer.status, answer.body), answer.headers.get("x-line-request-id")
    succeeded = 200 <= answer.status < 300  # noqa: PLR2004 (the range of success)
    if (succeeded or answer.status == _HTTP_BAD_REQUEST) and not _by_line(answer, listing=succeeded and told_what):
        # Perhaps taken, perhaps not: whoever said this, it was not LINE.
        return Unknown(f"unreadable answer: {answer.status}", maybe_sent=True, request_id=request_id)
    if succeeded:
        return Accepted(request_id, _sent_ids(answer.body))
    if answer.status == _HTTP_CONFLICT:
        accepted = answer.headers.get("x-line-accepted-request-id")
        return Accepted(accepted or request_id, _sent_ids(answer.body), earlier=True)
    if answer.status == _HTTP_TOO_MANY:
        # The two 429s differ by their text alone.
        kind = QuotaExhausted if _MONTHLY_LIMIT in reason else RateLimited
        return kind(reason, request_id)
    if answer.status >= _HTTP_SERVER_ERROR:
        return Unknown(f"{answer.status}: {reason}", maybe_sent=True, request_id=request_id)
    return Rejected(answer.status, reason, request_id)


def _by_line(answer: Answer, *, listing: bool) -> bool:
    try:
        body = orjson.loads(answer.body)
    except orjson.JSONDecodeError:
        return False
    return isinstance(body, dict) and (not listing or isinstance(body.get("sentMessages"), list))


def _reason(status: int, body: Any) -> str:
    told = _json(body)
    details = "; ".join(f"{d.get('property')}: {d.get('message')}" for d in _objects(told.get("details")))
    return f"{told.get('message', responses.get(status, ''))}{f' ({details})' if details else ''}"


def _sent_ids(body: Any) -> tuple[str, ...]:
    return tuple(str(message["id"]) for message in _objects(_json(body).get("sentMessages")) if "id" in message)


def _objects(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _json(body: Any) -> dict[str, Any]:
    try:
        parsed = orjson.loads(body or b"{}")
    except orjson.JSONDecodeError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _nothing(outcome: Any) -> Rejected | Unreachable | None:
    return outcome if isinstance(outcome, Rejected | Unreachable) else None


def _identity(answer: Answer, login_channel_id: str) -> Identity | TokenRefused | Unreachable:
    claims = _json(answer.body)
    if answer.status >= _HTTP_SERVER_ERROR or answer.status == _HTTP_TOO_MANY:
        return Unreachable(f"{answer.status}")
    if answer.status != 200:  # noqa: PLR2004 (OK)
        return TokenRefused(str(claims.get("error_description", f"status {answer.status}")))
    user_id = _text(claims.get("sub"))
    if claims.get("iss") != ISSUER or claims.get("aud") != login_channel_id or not user_id:
        return TokenRefused("the token speaks of another issuer or channel")
    try:
        expires_at = datetime.fromtimestamp(int(claims["exp"]), UTC)
    except (KeyError, TypeError, ValueError, OverflowError, OSError):
        return Unreachable("unreadable answer: exp")
    return Identity(user_id, _text(claims.get("name")), _text(claims.get("picture")), expires_at)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
