"""Push, multicast, reply, broadcast, and the dry runs of each."""

from collections.abc import Callable
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


def once_per_retry_key(send: Callable[[LineRequest], LineResponse]) -> Callable[[LineRequest], LineResponse]:
    def handler(request: LineRequest) -> LineResponse:
        key, world = request.retry_key, request.world
        if key is not None and world.retry_keys.accepted(key, world.clock.now_ms()) is not None:
            return already_accepted(request, key)
        return send(request)

    return handler


@once_per_retry_key
def push(request: LineRequest) -> LineResponse:
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


@once_per_retry_key
def multicast(request: LineRequest) -> LineResponse:
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


@once_per_retry_key
def broadcast(request: LineRequest) -> LineResponse:
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
