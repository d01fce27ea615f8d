"""The LINE client: one request function for all calls, with it messages, profiles and ID tokens.

The functions below the client convert LINE's responses (status, headers, body) to the values of `line_outcomes`.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from http.client import responses
from typing import Any
from urllib.parse import quote, urlencode

import orjson

from tsudoi.core.settings import Settings
from tsudoi.gateway.clients.line_outcomes import (
    ISSUER,
    NO_TOKEN,
    Accepted,
    Identity,
    LineAnswer,
    LineUnreachable,
    NoProfile,
    Profile,
    QuotaExhausted,
    Refused,
    Rejected,
    SendOutcome,
    SendRateLimited,
    TokenRefused,
    Unknown,
)
from tsudoi.gateway.http import CallPolicy, HttpGateway, HttpRequest, HttpResponse, NoResponse, Pool

_MONTHLY_LIMIT = "monthly limit"
_HTTP_BAD_REQUEST, _HTTP_CONFLICT, _HTTP_TOO_MANY, _HTTP_SERVER_ERROR = 400, 409, 429, 500
_HTTP_UNAUTHORIZED, _HTTP_NOT_FOUND = 401, 404
# The characters of a token (RFC 6750). A token with a line break would fail before it reached LINE.
_TOKEN = re.compile(r"[A-Za-z0-9\-._~+/]+=*")

# How the names of the pools for notices begin.
_NOTICES = "line-notices"

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LinePolicies:
    """The time limits and connections of each kind of call to LINE."""

    send: CallPolicy
    # A notice, sent by the command; and one that somebody waits for right after a booking.
    notice: CallPolicy
    notice_now: CallPolicy
    profile: CallPolicy
    verify: CallPolicy
    account: CallPolicy
    setup: CallPolicy
    webhook_test: CallPolicy


_ACCOUNT_POOL = Pool("line-account", 8, longest_wait=timedelta(seconds=8))
POLICIES = LinePolicies(
    send=CallPolicy(Pool("line-send", 20), timeout=timedelta(seconds=10), deadline=timedelta(seconds=15)),
    # A process that is asked to stop waits for the calls under way, and has ten seconds.
    notice=CallPolicy(Pool("line-notices", 8), timeout=timedelta(seconds=7), deadline=timedelta(seconds=8)),
    notice_now=CallPolicy(
        Pool("line-notices-now", 8, longest_wait=timedelta(seconds=1)),
        timeout=timedelta(seconds=0.8),
        deadline=timedelta(seconds=0.8),
    ),
    profile=CallPolicy(
        Pool("line-profile", 10), timeout=timedelta(seconds=5), deadline=timedelta(seconds=12), attempts=3
    ),
    # A person waits for the page, and a stopping server gives its last requests eight seconds.
    verify=CallPolicy(
        Pool("line-verify", 16, longest_wait=timedelta(seconds=6)),
        timeout=timedelta(seconds=3),
        deadline=timedelta(seconds=5),
        attempts=2,
    ),
    account=CallPolicy(_ACCOUNT_POOL, timeout=timedelta(seconds=3), deadline=timedelta(seconds=4)),
    # A picture of a megabyte takes a while on a slow line.
    setup=CallPolicy(_ACCOUNT_POOL, timeout=timedelta(seconds=5), deadline=timedelta(seconds=30)),
    # LINE itself waits for our server before it answers.
    webhook_test=CallPolicy(_ACCOUNT_POOL, timeout=timedelta(seconds=12), deadline=timedelta(seconds=15)),
)


@dataclass(frozen=True, slots=True)
class LineConfig:
    """The addresses of LINE, and our channels."""

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
    """Calls the Messaging API and LINE Login. `LineAccount` asks about the account itself through the same client."""

    def __init__(self, config: LineConfig, gateway: HttpGateway, policies: LinePolicies | None = None) -> None:
        self.config = config
        self.gateway = gateway
        self.policies = policies or POLICIES

    def request(
        self,
        operation: str,
        method: str,
        path: str,
        policy: CallPolicy,
        body: Mapping[str, Any] | bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> HttpResponse | Rejected:
        """Calls LINE with our access token: a body of bytes is a PNG for LINE's data host, any other is JSON.

        A token that cannot work is refused here, as LINE would refuse it. Raises `NoResponse`.
        """
        token = self.config.channel_access_token
        if not token.strip():
            return Rejected(_HTTP_UNAUTHORIZED, NO_TOKEN)
        if not _TOKEN.fullmatch(token):
            return Rejected(_HTTP_UNAUTHORIZED, "the access token has letters that no token has")
        sent = {"Authorization": f"Bearer {token}", **(headers or {})}
        if body is not None:
            sent["Content-Type"] = "image/png" if isinstance(body, bytes) else "application/json"
        content = body if body is None or isinstance(body, bytes) else orjson.dumps(body)
        base = self.config.data_api_base if isinstance(body, bytes) else self.config.api_base
        # The rows of the outbox keep what became of these, so the next one does not wait for this one's log row.
        soon = operation == "multicast" or policy.pool.name.startswith(_NOTICES)
        return self.gateway.send(HttpRequest("line", operation, method, f"{base}{path}", policy, sent, content, soon))

    def push(
        self,
        to: str,
        messages: Sequence[Message],
        retry_key: str,
        *,
        silent: bool = False,
        policy: CallPolicy | None = None,
    ) -> SendOutcome:
        """`silent`: the phone makes no sound."""
        body = {"to": to, "messages": messages, **({"notificationDisabled": True} if silent else {})}
        return self._send("push", body, retry_key, policy)

    def multicast(self, to: Sequence[str], messages: Sequence[Message], retry_key: str) -> SendOutcome:
        return self._send("multicast", {"to": to, "messages": messages}, retry_key)

    def reply(self, reply_token: str, messages: Sequence[Message]) -> SendOutcome:
        """No retry key exists for replies: a time-out here stays unknown, and must not be answered by a push."""
        return self._send("reply", {"replyToken": reply_token, "messages": messages}, None)

    def _send(
        self, operation: str, body: dict[str, Any], retry_key: str | None, policy: CallPolicy | None = None
    ) -> SendOutcome:
        headers = {"X-Line-Retry-Key": retry_key} if retry_key else {}
        path = f"/v2/bot/message/{operation}"
        try:
            response = self.request(operation, "POST", path, policy or self.policies.send, body, headers=headers)
        except NoResponse as silence:
            return Unknown(silence.reason, maybe_sent=silence.kind == "unknown")
        if isinstance(response, Rejected):
            return response
        outcome = send_outcome(response, lists_messages=operation != "multicast")
        text = response.body.decode(errors="replace").replace(self.config.channel_access_token, "***")
        return replace(outcome, answer=LineAnswer(response.status, text, response.headers.get("x-line-request-id")))

    def profile(self, user_id: str) -> Profile | NoProfile | LineUnreachable:
        path = f"/v2/bot/profile/{quote(user_id, safe='')}"
        try:
            response = self.request("profile", "GET", path, self.policies.profile)
        except NoResponse as silence:
            return LineUnreachable(str(silence))
        if isinstance(response, Rejected):
            return LineUnreachable(f"{response.status}: {response.reason}")
        why_not = refusal(response)
        if isinstance(why_not, Rejected):
            hidden = why_not.status == _HTTP_NOT_FOUND
            return NoProfile() if hidden else LineUnreachable(f"{why_not.status}: {why_not.reason}")
        found = json_object(response.body)
        name, picture, status = (text(found.get(key)) for key in ("displayName", "pictureUrl", "statusMessage"))
        if why_not is not None or name is None:
            return why_not or LineUnreachable("unreadable answer: profile")
        return Profile(user_id, name, picture, status)

    def verify_id_token(self, id_token: str) -> Identity | TokenRefused | LineUnreachable:
        """LINE checks signature, audience and age; we check that the token is for our channel."""
        channel = self.config.login_channel_id
        form = urlencode({"id_token": id_token, "client_id": channel}).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        url = f"{self.config.api_base}/oauth2/v2.1/verify"
        try:
            response = self.gateway.send(
                HttpRequest("line", "verify", "POST", url, self.policies.verify, headers, form)
            )
        except NoResponse as silence:
            return LineUnreachable(str(silence))
        return identity(response, channel)


def send_outcome(response: HttpResponse, *, lists_messages: bool) -> SendOutcome:
    """`lists_messages`: whether LINE lists the messages that it took."""
    reason, request_id = reason_of(response), response.headers.get("x-line-request-id")
    body = _parsed(response.body)
    # LINE always answers with a JSON object; a broken proxy in between hardly ever does.
    listed = body is not None and (
        not (lists_messages and response.is_success) or isinstance(body.get("sentMessages"), list)
    )
    if (response.is_success or response.status == _HTTP_BAD_REQUEST) and not listed:
        # A proxy may have sent this response, so it is not known whether LINE accepted the message.
        return Unknown(f"unreadable answer: {response.status}", maybe_sent=True, request_id=request_id)
    if response.is_success:
        return Accepted(request_id, _sent_ids(response.body))
    if response.status == _HTTP_CONFLICT:
        accepted = response.headers.get("x-line-accepted-request-id")
        return Accepted(accepted or request_id, _sent_ids(response.body), earlier=True)
    if response.status == _HTTP_TOO_MANY:
        # The two 429s differ by their text alone.
        kind = QuotaExhausted if _MONTHLY_LIMIT in reason else SendRateLimited
        return kind(reason, request_id)
    if response.status >= _HTTP_SERVER_ERROR:
        return Unknown(f"{response.status}: {reason}", maybe_sent=True, request_id=request_id)
    return Rejected(response.status, reason, request_id)


def refusal(response: HttpResponse) -> Refused | None:
    """None when the call succeeded and the response is JSON from LINE."""
    if response.status >= _HTTP_SERVER_ERROR:
        return LineUnreachable(f"{response.status}: {reason_of(response)}")
    if not response.is_success:
        return Rejected(response.status, reason_of(response), response.headers.get("x-line-request-id"))
    return LineUnreachable("unreadable answer") if response.body and _parsed(response.body) is None else None


def identity(response: HttpResponse, login_channel_id: str) -> Identity | TokenRefused | LineUnreachable:
    """The user of the ID token, if issuer and channel are the expected ones."""
    claims = json_object(response.body)
    if response.status >= _HTTP_SERVER_ERROR or response.status == _HTTP_TOO_MANY:
        return LineUnreachable(f"{response.status}")
    if not response.is_success:
        return TokenRefused(str(claims.get("error_description", f"status {response.status}")))
    user_id = text(claims.get("sub"))
    if claims.get("iss") != ISSUER or claims.get("aud") != login_channel_id or not user_id:
        return TokenRefused("the token speaks of another issuer or channel")
    try:
        expires_at = datetime.fromtimestamp(int(claims["exp"]), UTC)
    except (KeyError, TypeError, ValueError, OverflowError, OSError):
        return LineUnreachable("unreadable answer: exp")
    return Identity(user_id, text(claims.get("name")), text(claims.get("picture")), expires_at)


def reason_of(response: HttpResponse) -> str:
    error = json_object(response.body)
    details = "; ".join(f"{d.get('property')}: {d.get('message')}" for d in objects(error.get("details")))
    message = error.get("message", responses.get(response.status, ""))
    return f"{message}{f' ({details})' if details else ''}"


def json_object(body: bytes) -> dict[str, Any]:
    """Empty for anything that is no JSON object."""
    return _parsed(body) or {}


def objects(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _sent_ids(body: bytes) -> tuple[str, ...]:
    return tuple(str(message["id"]) for message in objects(json_object(body).get("sentMessages")) if "id" in message)


def _parsed(body: bytes) -> dict[str, Any] | None:
    """Uses `json`, because orjson refuses lone surrogates, which LINE passes on in names."""
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None
