"""The users of the sandbox, and what they do with their phones."""

from typing import Any

from starlette.responses import Response

from tsudoi.sandbox import events, ids
from tsudoi.sandbox.control_api.requests import ControlRequest, Fields, control
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.users import User
from tsudoi.sandbox.webhooks import DeliveryOptions
from tsudoi.sandbox.wire import OrjsonResponse

NAME = 100
COPIES = 100
CROWD = 200_000


async def list_users(request: ControlRequest) -> Response:
    return OrjsonResponse({"users": [user.as_json() for user in request.world.users]})


async def create_user(request: ControlRequest) -> Response:
    """`following`: a friend from earlier, of whom no webhook tells."""
    name, user_id = request.body.text("display_name", most=NAME), request.body.text("user_id", None)
    if user_id is not None and not ids.USER_ID.fullmatch(user_id):
        raise Refusal(400, "'user_id' must be U and 32 hexadecimal digits in lower case")
    if user_id is not None and request.world.users.get(user_id) is not None:
        raise Refusal(409, "This user exists already")
    following = request.body.flag("following")
    user = request.world.users.add(name, user_id)
    user.following = following
    _describe(user, request.body)
    request.world.user_changed(user)
    return OrjsonResponse(user.as_json(), 201)


def _describe(user: User, body: Fields) -> None:
    if "picture_url" in body:
        user.picture_url = body.text("picture_url", None)
    if "status_message" in body:
        user.status_message = body.text("status_message", None)


async def create_crowd(request: ControlRequest) -> Response:
    """Adds many friends at once and without webhooks, for measurements."""
    count = request.body.whole("count", least=1, most=CROWD)
    prefix = request.body.text("prefix", "会員", most=NAME)
    crowd = [request.world.users.add(f"{prefix}{number}") for number in range(1, count + 1)]
    for user in crowd:
        user.following = True
    request.world.stream.publish("reset")
    return OrjsonResponse({"user_ids": [user.user_id for user in crowd]}, 201)


async def get_user(request: ControlRequest) -> Response:
    return OrjsonResponse(request.user().as_json())


async def change_user(request: ControlRequest) -> Response:
    user = request.user()
    user.display_name = request.body.text("display_name", user.display_name, most=NAME)
    _describe(user, request.body)
    request.world.user_changed(user)
    return OrjsonResponse(user.as_json())


async def follow(request: ControlRequest) -> Response:
    return await _become_friend(request, request.user())


async def unblock(request: ControlRequest) -> Response:
    user = request.user()
    if not user.blocked:
        raise Refusal(409, "This user has not blocked the account")
    return await _become_friend(request, user)


async def _become_friend(request: ControlRequest, user: User) -> Response:
    options, unblocked = delivery_options(request.body), user.blocked
    user.following, user.blocked = True, False
    request.world.user_changed(user)
    return await _deliver(request, events.follow(request.world, user, unblocked=unblocked), options)


async def block(request: ControlRequest) -> Response:
    user, options = request.user(), delivery_options(request.body)
    if not user.following:
        raise Refusal(409, "This user is not a friend")
    user.following, user.blocked = False, True
    request.world.user_changed(user)
    return await _deliver(request, events.unfollow(request.world, user), options)


async def write(request: ControlRequest) -> Response:
    user, text, options = _user_who_can_write(request), request.body.text("text"), delivery_options(request.body)
    message_id = ids.new_message_id()
    request.world.write(user, message_id, text)
    return await _deliver(request, events.text_message(request.world, user, message_id, text), options)


async def post_back(request: ControlRequest) -> Response:
    user, options = _user_who_can_write(request), delivery_options(request.body)
    data = request.body.text("data", most=300)
    params = request.body.fields("params").values or None
    return await _deliver(request, events.postback(request.world, user, data, params), options)


def _user_who_can_write(request: ControlRequest) -> User:
    user = request.user()
    if user.blocked:
        raise Refusal(409, "This user has blocked the account")
    return user


def delivery_options(body: Fields) -> DeliveryOptions:
    delivery = body.fields("delivery")
    return DeliveryOptions(
        copies=delivery.whole("copies", 1, least=1, most=COPIES),
        bad_signature=delivery.flag("bad_signature"),
        age_seconds=delivery.number("age_seconds", 0.0),
        omit_event_id=delivery.flag("omit_event_id"),
    )


async def _deliver(request: ControlRequest, event: dict[str, Any], options: DeliveryOptions) -> Response:
    return OrjsonResponse({"webhook": await request.webhook_sender.deliver(event, options)})


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
