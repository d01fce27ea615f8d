"""Push, multicast, reply, broadcast, and the dry runs of each."""

from typing import Any

from tsudoi.sandbox import errors
from tsudoi.sandbox.errors import invalid_body, invalid_property
from tsudoi.sandbox.ids import CHAT_ID, USER_ID
from tsudoi.sandbox.line_api.exchange import Answer, Endpoint, Exchange, already_accepted
from tsudoi.sandbox.messages.complaints import Complaints
from tsudoi.sandbox.messages.kinds import check_messages
from tsudoi.sandbox.state import Sending
from tsudoi.sandbox.users import User

MULTICAST_RECIPIENTS = 500


def push(exchange: Exchange) -> Answer:
    return _already_taken(exchange) or _push(exchange)


def _push(exchange: Exchange) -> Answer:
    body = exchange.json()
    complaints = Complaints()
    complaints.text(body.get("to"), "to", 100)
    _check(body, complaints)
    if not CHAT_ID.fullmatch(body["to"]):
        raise invalid_property("to")
    user = exchange.world.users.get(body["to"])
    if user is None:
        raise errors.unknown_recipient()
    return Answer({"sentMessages": _send(exchange, "push", body["messages"], [user])})


def multicast(exchange: Exchange) -> Answer:
    return _already_taken(exchange) or _multicast(exchange)


def _multicast(exchange: Exchange) -> Answer:
    body = exchange.json()
    complaints = Complaints()
    complaints.items(body.get("to"), "to", 1, MULTICAST_RECIPIENTS)
    _check(body, complaints)
    _send(exchange, "multicast", body["messages"], _recipients(exchange, body["to"]))
    return Answer()


def _recipients(exchange: Exchange, to: list[Any]) -> list[User]:
    """A well-formed id that the channel never met is passed over, or refuses the whole, as the world is set."""
    if not all(isinstance(user_id, str) and USER_ID.fullmatch(user_id) for user_id in to):
        raise invalid_property("to")
    known = [user for user_id in to if (user := exchange.world.users.get(user_id)) is not None]
    if exchange.world.multicast_refuses_unknown and len(known) < len(to):
        raise errors.unknown_recipient()
    return known


def broadcast(exchange: Exchange) -> Answer:
    return _already_taken(exchange) or _broadcast(exchange)


def _broadcast(exchange: Exchange) -> Answer:
    body = exchange.json()
    _check(body, Complaints())
    _send(exchange, "broadcast", body["messages"], exchange.world.users.friends())
    return Answer()


def reply(exchange: Exchange) -> Answer:
    body = exchange.json()
    complaints = Complaints()
    complaints.text(body.get("replyToken"), "replyToken", 1000)
    _check(body, complaints)
    world = exchange.world
    user = world.users.get(world.reply_tokens.redeem(body["replyToken"], world.clock.now_ms()))
    if user is None:
        raise errors.invalid_reply_token()
    return Answer({"sentMessages": _send(exchange, "reply", body["messages"], [user])})


def validate(exchange: Exchange) -> Answer:
    _check(exchange.json(), Complaints())
    return Answer()


def _already_taken(exchange: Exchange) -> Answer | None:
    key, world = exchange.retry_key, exchange.world
    if key is None or world.retry_keys.accepted(key, world.clock.now_ms()) is None:
        return None
    return already_accepted(exchange, key)


def _check(body: dict[str, Any], complaints: Complaints) -> None:
    check_messages(body.get("messages"), complaints)
    if not isinstance(body.get("notificationDisabled", False), bool):
        complaints.say("notificationDisabled", "Must be a boolean")
    if complaints:
        raise invalid_body(complaints)


def _send(exchange: Exchange, endpoint: str, messages: list[dict[str, Any]], recipients: list[User]) -> list[Any]:
    sending = Sending(
        endpoint,
        exchange.request_id,
        messages,
        recipients,
        retry_key=exchange.retry_key,
        counts=endpoint != "reply",
    )
    return exchange.world.accept(sending)


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
