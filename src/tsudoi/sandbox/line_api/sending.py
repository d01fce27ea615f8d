"""Push, multicast, reply, broadcast, and the dry runs of each."""

from typing import Any

from tsudoi.sandbox import errors
from tsudoi.sandbox.errors import invalid_body, invalid_property
from tsudoi.sandbox.ids import CHAT_ID, USER_ID
from tsudoi.sandbox.line_api.endpoint import Endpoint, LineRequest, LineResponse, already_accepted
from tsudoi.sandbox.messages.kinds import check_messages
from tsudoi.sandbox.messages.violations import Violations
from tsudoi.sandbox.state import SendRequest
from tsudoi.sandbox.users import User

MULTICAST_RECIPIENTS = 500


def push(request: LineRequest) -> LineResponse:
    return _already_accepted(request) or _push(request)


def _push(request: LineRequest) -> LineResponse:
    body = request.json()
    violations = Violations()
    violations.text(body.get("to"), "to", 100)
    _check(body, violations)
    if not CHAT_ID.fullmatch(body["to"]):
        raise invalid_property("to")
    user = request.world.users.get(body["to"])
    if user is None:
        raise errors.unknown_recipient()
    return LineResponse({"sentMessages": _send(request, "push", body["messages"], [user])})


def multicast(request: LineRequest) -> LineResponse:
    return _already_accepted(request) or _multicast(request)


def _multicast(request: LineRequest) -> LineResponse:
    body = request.json()
    violations = Violations()
    violations.items(body.get("to"), "to", 1, MULTICAST_RECIPIENTS)
    _check(body, violations)
    _send(request, "multicast", body["messages"], _recipients(request, body["to"]))
    return LineResponse()


def _recipients(request: LineRequest, to: list[Any]) -> list[User]:
    """An id that the channel does not know is left out, or the whole call is refused, as the sandbox is set."""
    if not all(isinstance(user_id, str) and USER_ID.fullmatch(user_id) for user_id in to):
        raise invalid_property("to")
    known = [user for user_id in to if (user := request.world.users.get(user_id)) is not None]
    if request.world.multicast_refuses_unknown and len(known) < len(to):
        raise errors.unknown_recipient()
    return known


def broadcast(request: LineRequest) -> LineResponse:
    return _already_accepted(request) or _broadcast(request)


def _broadcast(request: LineRequest) -> LineResponse:
    body = request.json()
    _check(body, Violations())
    _send(request, "broadcast", body["messages"], request.world.users.friends())
    return LineResponse()


def reply(request: LineRequest) -> LineResponse:
    body = request.json()
    violations = Violations()
    violations.text(body.get("replyToken"), "replyToken", 1000)
    _check(body, violations)
    world = request.world
    user = world.users.get(world.reply_tokens.redeem(body["replyToken"], world.clock.now_ms()))
    if user is None:
        raise errors.invalid_reply_token()
    return LineResponse({"sentMessages": _send(request, "reply", body["messages"], [user])})


def validate(request: LineRequest) -> LineResponse:
    _check(request.json(), Violations())
    return LineResponse()


def _already_accepted(request: LineRequest) -> LineResponse | None:
    key, world = request.retry_key, request.world
    if key is None or world.retry_keys.accepted(key, world.clock.now_ms()) is None:
        return None
    return already_accepted(request, key)


def _check(body: dict[str, Any], violations: Violations) -> None:
    check_messages(body.get("messages"), violations)
    if not isinstance(body.get("notificationDisabled", False), bool):
        violations.add("notificationDisabled", "Must be a boolean")
    if violations:
        raise invalid_body(violations)


def _send(request: LineRequest, endpoint: str, messages: list[dict[str, Any]], recipients: list[User]) -> list[Any]:
    sending = SendRequest(
        endpoint,
        request.request_id,
        messages,
        recipients,
        retry_key=request.retry_key,
        counts=endpoint != "reply",
    )
    return request.world.accept(sending)


_PATH = "/v2/bot/message"

ENDPOINTS = [
    Endpoint("POST", f"{_PATH}/push", "push", push, retry_keys=True),
    Endpoint("POST", f"{_PATH}/multicast", "multicast", multicast, retry_keys=True),
    Endpoint("POST", f"{_PATH}/reply", "reply", reply),
    Endpoint("POST", f"{_PATH}/broadcast", "broadcast", broadcast, retry_keys=True),
    *(
        Endpoint("POST", f"{_PATH}/validate/{kind}", "validate", validate)
        for kind in ("push", "multicast", "reply", "broadcast", "narrowcast")
    ),
]
