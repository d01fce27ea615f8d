"""An SMS provider in the shape of Karaden (空電プッシュ): sending and looking up what was sent."""

import re
import uuid
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from tsudoi.sandbox.clock import iso_seconds
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.outside import OutsideEndpoint, OutsideRequest, OutsideSystem, bearer_of, is_right
from tsudoi.sandbox.sms import PhoneState, SmsMessage
from tsudoi.sandbox.wire import OrjsonResponse, is_whole

PROVIDER = "karaden"
VERSION = "2023-01-01"
LONGEST_BODY = 660
_PER_PAGE = 10
_TO = re.compile(r"[0-9]{11}")
_CODES = {400: "bad_request", 401: "unauthorized", 403: "forbidden", 404: "not_found", 429: "too_many_requests"}
_SENT_RESULTS = {
    PhoneState.REACHABLE: "received",
    PhoneState.UNREACHABLE: "unconnected",
    PhoneState.BLOCKED: "error",
    PhoneState.OPTED_OUT: "error",
}


@dataclass
class InvalidFields(Refusal):
    """The fields of a message that are wrong, each with its reasons."""

    errors: dict[str, list[str]] = field(default_factory=dict)


def _authorize(request: OutsideRequest) -> None:
    config = request.world.config
    if not is_right(request.token, config.sms_token):
        raise Refusal(401, "Unauthorized")
    if request.http.path_params.get("tenant") not in (None, config.sms_account):
        raise Refusal(404, "Not Found")
    if request.http.headers.get("karaden-version") != VERSION:
        raise Refusal(400, "Karaden-Version is invalid")


def _refuse(refusal: Refusal) -> Response:
    errors = refusal.errors if isinstance(refusal, InvalidFields) else {}
    code = "unprocessable_entity" if errors else _CODES.get(refusal.status, "unknown_error")
    body = {"object": "error", "code": code, "message": refusal.message, "errors": errors}
    return OrjsonResponse(body, refusal.status)


def send(request: OutsideRequest) -> Response:
    pairs = request.form()
    form, tags = dict(pairs), [value for name, value in pairs if name in ("tags[]", "tags")]
    _check(form)
    network, to = request.world.sms, f"+81{form['to'][1:]}"
    more = {
        "service_id": int(form["service_id"]),
        "tags": tags,
        "is_shorten": form.get("is_shorten") in ("1", "true"),
        "scheduled_at": form.get("scheduled_at"),
        "limited_at": form.get("limited_at"),
    }
    state = network.state_of(to)
    taken = network.take(SmsMessage(str(uuid.uuid4()), PROVIDER, to, None, form["body"], request.now, state, more))
    first = {"result": "processing", "status": "waiting", "sent_result": "none", "carrier": "unknown"}
    later = {"sent_at": None, "received_at": None, "charged_at": None}
    return OrjsonResponse({**_shown(request, taken), **first, **later})


def _check(form: dict[str, str]) -> None:
    errors = {}
    if not is_whole(form.get("service_id", "")):
        errors["service_id"] = ["service_idは整数で指定してください。"]
    if not _TO.fullmatch(form.get("to", "")) or not form["to"].startswith("0"):
        errors["to"] = ["toは11桁の数字で指定してください。"]
    if not 1 <= len(form.get("body", "")) <= LONGEST_BODY:
        errors["body"] = ["bodyは1文字以上660文字以下で指定してください。"]
    if errors:
        raise InvalidFields(422, "入力内容に誤りがあります。", errors=errors)


def list_messages(request: OutsideRequest) -> Response:
    """The newest first."""
    size, page = _number(request, "per_page", _PER_PAGE), _number(request, "page", 0)
    found = [
        shown
        for shown in (_shown(request, one) for one in reversed(request.world.sms.of(PROVIDER)))
        if all(
            request.query(name) in (None, str(shown[name]))
            for name in ("service_id", "to", "status", "result", "sent_result")
        )
        and (request.query("tag") is None or request.query("tag") in shown["tags"])
    ]
    data = found[page * size : (page + 1) * size]
    return OrjsonResponse({"object": "list", "data": data, "has_more": len(found) > (page + 1) * size})


def _number(request: OutsideRequest, name: str, default: int) -> int:
    text = request.query(name) or str(default)
    if not is_whole(text):
        raise Refusal(400, f"{name} is invalid")
    return int(text)


def get_message(request: OutsideRequest) -> Response:
    found = next((one for one in request.world.sms.of(PROVIDER) if one.id == request.path("id")), None)
    if found is None:
        raise Refusal(404, "Not Found")
    return OrjsonResponse(_shown(request, found))


def _shown(request: OutsideRequest, message: SmsMessage) -> dict[str, Any]:
    at = iso_seconds(message.at)
    arrived = message.state is PhoneState.REACHABLE
    return {
        "id": message.id,
        "object": "message",
        "tenant_id": request.world.config.sms_account,
        "service_id": message.more["service_id"],
        "to": f"0{message.to.removeprefix('+81')}",
        "body": message.body,
        "tags": message.more["tags"],
        "is_shorten": message.more["is_shorten"],
        "result": "done",
        "status": "done",
        "sent_result": _SENT_RESULTS[message.state],
        "carrier": "docomo" if arrived else "unknown",
        "charged_count_per_sent": message.segments,
        "scheduled_at": message.more["scheduled_at"],
        "limited_at": message.more["limited_at"],
        "sent_at": at,
        "received_at": at if arrived else None,
        "charged_at": at,
        "created_at": at,
        "updated_at": at,
    }


KARADEN = OutsideSystem("/karaden/api", bearer_of, _authorize, _refuse)
ROUTES = KARADEN.routes(
    [
        OutsideEndpoint("POST", "/{tenant}/messages", "karaden_send", send),
        OutsideEndpoint("GET", "/{tenant}/messages", "karaden_list", list_messages),
        OutsideEndpoint("GET", "/{tenant}/messages/{id}", "karaden_message", get_message),
    ]
)
