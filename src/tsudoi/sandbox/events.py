"""Webhook events, in the shape in which LINE posts them."""

from typing import Any

from tsudoi.sandbox import ids
from tsudoi.sandbox.state import World
from tsudoi.sandbox.users import User


def follow(world: World, user: User, *, unblocked: bool) -> dict[str, Any]:
    return {**_reply_event(world, user, "follow"), "follow": {"isUnblocked": unblocked}}


def unfollow(world: World, user: User) -> dict[str, Any]:
    """An unfollow event has no reply token, because nobody can be answered any more."""
    return _event(world, user, "unfollow")


def text_message(world: World, user: User, message_id: str, text: str) -> dict[str, Any]:
    message = {
        "id": message_id,
        "type": "text",
        "quoteToken": ids.new_token(),
        "markAsReadToken": ids.new_token(),
        "text": text,
    }
    return {**_reply_event(world, user, "message"), "message": message}


def postback(world: World, user: User, data: str, params: dict[str, Any] | None) -> dict[str, Any]:
    content = {"data": data} if params is None else {"data": data, "params": params}
    return {**_reply_event(world, user, "postback"), "postback": content}


def _reply_event(world: World, user: User, kind: str) -> dict[str, Any]:
    token = world.reply_tokens.issue(user.user_id, world.clock.now_ms())
    return {**_event(world, user, kind), "replyToken": token}


def _event(world: World, user: User, kind: str) -> dict[str, Any]:
    now = world.clock.now_ms()
    return {
        "type": kind,
        "mode": "active",
        "timestamp": now,
        "source": {"type": "user", "userId": user.user_id},
        "webhookEventId": ids.new_ulid(now),
        "deliveryContext": {"isRedelivery": False},
    }
