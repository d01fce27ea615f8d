"""Converts LINE's responses (status, headers, body) to the values of `line_outcomes`."""

import json
from datetime import UTC, datetime
from http.client import responses
from typing import Any

from tsudoi.gateway.clients.line_outcomes import (
    Accepted,
    Identity,
    LineUnreachable,
    QuotaExhausted,
    Refused,
    Rejected,
    SendOutcome,
    SendRateLimited,
    TokenRefused,
    Unknown,
)
from tsudoi.gateway.http import HttpResponse

ISSUER = "https://access.line.me"
_MONTHLY_LIMIT = "monthly limit"
_HTTP_BAD_REQUEST, _HTTP_CONFLICT, _HTTP_TOO_MANY, _HTTP_SERVER_ERROR = 400, 409, 429, 500


def send_outcome(response: HttpResponse, *, lists_messages: bool) -> SendOutcome:
    """`lists_messages`: whether LINE lists the messages that it took."""
    reason, request_id = reason_of(response), response.headers.get("x-line-request-id")
    listed = _is_from_line(response, lists_messages=lists_messages and response.is_success)
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
    return None if not response.body or _is_from_line(response) else LineUnreachable("unreadable answer")


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
    parsed = _parsed(body)
    return parsed if isinstance(parsed, dict) else {}


def objects(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _is_from_line(response: HttpResponse, *, lists_messages: bool = False) -> bool:
    """LINE always answers with a JSON object; a broken proxy in between hardly ever does."""
    body = _parsed(response.body)
    return isinstance(body, dict) and (not lists_messages or isinstance(body.get("sentMessages"), list))


def _sent_ids(body: bytes) -> tuple[str, ...]:
    return tuple(str(message["id"]) for message in objects(json_object(body).get("sentMessages")) if "id" in message)


def _parsed(body: bytes) -> Any:
    """Uses `json`, because orjson refuses lone surrogates, which LINE passes on in names."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
