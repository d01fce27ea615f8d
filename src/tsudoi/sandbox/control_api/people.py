"""The people: who they are, and what they do with their phones."""

from typing import Any

from starlette.responses import Response

from tsudoi.sandbox import events, ids
from tsudoi.sandbox.control_api.hands import Fields, Hand, control
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.users import User
from tsudoi.sandbox.webhooks import Manner
from tsudoi.sandbox.wire import JSONAnswer

NAME = 100
COPIES = 100
CROWD = 200_000


async def list_users(hand: Hand) -> Response:
    return JSONAnswer({"users": [user.as_json() for user in hand.world.users]})


async def create_user(hand: Hand) -> Response:
    name, user_id = hand.body.text("display_name", most=NAME), hand.body.text("user_id", None)
    if user_id is not None:
        _check_new_id(hand, user_id)
    user = hand.world.users.add(name, user_id)
    _describe(user, hand.body)
    hand.world.user_changed(user)
    return JSONAnswer(user.as_json(), 201)


def _check_new_id(hand: Hand, user_id: str) -> None:
    if not ids.USER_ID.fullmatch(user_id):
        raise Refusal(400, "'user_id' must be U and 32 hexadecimal digits in lower case")
    if hand.world.users.get(user_id) is not None:
        raise Refusal(409, "This user exists already")


def _describe(user: User, body: Fields) -> None:
    if "picture_url" in body:
        user.picture_url = body.text("picture_url", None)
    if "status_message" in body:
        user.status_message = body.text("status_message", None)


async def create_crowd(hand: Hand) -> Response:
    """Many friends at once and without webhooks, for measurements."""
    count = hand.body.whole("count", least=1, most=CROWD)
    prefix = hand.body.text("prefix", "会員", most=NAME)
    crowd = [hand.world.users.add(f"{prefix}{number}") for number in range(1, count + 1)]
    for user in crowd:
        user.following = True
    hand.world.stream.tell("reset")
    return JSONAnswer({"user_ids": [user.user_id for user in crowd]}, 201)


async def get_user(hand: Hand) -> Response:
    return JSONAnswer(hand.user().as_json())


async def change_user(hand: Hand) -> Response:
    user = hand.user()
    user.display_name = hand.body.text("display_name", user.display_name, most=NAME)
    _describe(user, hand.body)
    hand.world.user_changed(user)
    return JSONAnswer(user.as_json())


async def follow(hand: Hand) -> Response:
    user = hand.user()
    return await _become_friend(hand, user)


async def unblock(hand: Hand) -> Response:
    user = hand.user()
    if not user.blocked:
        raise Refusal(409, "This user has not blocked the account")
    return await _become_friend(hand, user)


async def _become_friend(hand: Hand, user: User) -> Response:
    manner, unblocked = manner_of(hand.body), user.blocked
    user.following, user.blocked = True, False
    hand.world.user_changed(user)
    return await _deliver(hand, events.follow(hand.world, user, unblocked=unblocked), manner)


async def block(hand: Hand) -> Response:
    user, manner = hand.user(), manner_of(hand.body)
    if not user.following:
        raise Refusal(409, "This user is not a friend")
    user.following, user.blocked = False, True
    hand.world.user_changed(user)
    return await _deliver(hand, events.unfollow(hand.world, user), manner)


async def write(hand: Hand) -> Response:
    user, text, manner = _talker(hand), hand.body.text("text"), manner_of(hand.body)
    message_id = ids.new_message_id()
    hand.world.write(user, message_id, text)
    return await _deliver(hand, events.text_message(hand.world, user, message_id, text), manner)


async def post_back(hand: Hand) -> Response:
    user, data, manner = _talker(hand), hand.body.text("data", most=300), manner_of(hand.body)
    params = hand.body.fields("params").values or None
    return await _deliver(hand, events.postback(hand.world, user, data, params), manner)


def _talker(hand: Hand) -> User:
    user = hand.user()
    if user.blocked:
        raise Refusal(409, "This user has blocked the account")
    return user


def manner_of(body: Fields) -> Manner:
    delivery = body.fields("delivery")
    return Manner(
        copies=delivery.whole("copies", 1, least=1, most=COPIES),
        bad_signature=delivery.flag("bad_signature"),
        age_seconds=delivery.number("age_seconds", 0.0),
        omit_event_id=delivery.flag("omit_event_id"),
    )


async def _deliver(hand: Hand, event: dict[str, Any], manner: Manner) -> Response:
    return JSONAnswer({"webhook": await hand.postman.deliver(event, manner)})


ROUTES = [
    control("GET", "/users", list_users),
    control("POST", "/users", create_user),
    control("POST", "/users/crowd", create_crowd),
    control("GET", "/users/{user_id}", get_user),
    control("PATCH", "/users/{user_id}", change_user),
    control("POST", "/users/{user_id}/follow", follow),
    control("POST", "/users/{user_id}/unblock", unblock),
    control("POST", "/users/{user_id}/block", block),
    control("POST", "/users/{user_id}/messages", write),
    control("POST", "/users/{user_id}/postbacks", post_back),
]
