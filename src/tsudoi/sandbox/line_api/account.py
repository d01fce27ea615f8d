"""What the account can ask about itself and its friends."""

import base64
import binascii
from typing import Any

from tsudoi.sandbox.errors import Detail, Refusal, invalid_body, not_found
from tsudoi.sandbox.line_api.exchange import Answer, Endpoint, Exchange
from tsudoi.sandbox.wire import is_whole

FOLLOWERS_DEFAULT, FOLLOWERS_MOST = 300, 1000


def quota(exchange: Exchange) -> Answer:
    return Answer(exchange.world.quota.as_line())


def consumption(exchange: Exchange) -> Answer:
    world = exchange.world
    return Answer({"totalUsage": world.quota.usage(world.clock.now_ms())})


def info(exchange: Exchange) -> Answer:
    world = exchange.world
    return Answer(
        {
            "userId": world.bot_user_id,
            "basicId": "@tsudoi-sandbox",
            "displayName": world.config.account_name,
            "pictureUrl": f"{exchange.base_url}/_sandbox/pictures/account.svg",
            "chatMode": "bot",
            "markAsReadMode": "auto",
        }
    )


def profile(exchange: Exchange) -> Answer:
    """Only a friend's profile is shown; who blocked the account is as unknown as a stranger."""
    user = exchange.world.users.get(exchange.path("user_id"))
    if user is None or not user.following:
        raise not_found()
    body: dict[str, Any] = {
        "userId": user.user_id,
        "displayName": user.display_name,
        "pictureUrl": user.picture(exchange.base_url),
        "language": "ja",
    }
    return Answer(body if user.status_message is None else {**body, "statusMessage": user.status_message})


def followers(exchange: Exchange) -> Answer:
    query = exchange.request.query_params
    limit = query.get("limit", str(FOLLOWERS_DEFAULT))
    if not is_whole(limit) or not 1 <= int(limit) <= FOLLOWERS_MOST:
        raise invalid_body([Detail("limit", f"Must be between 1 and {FOLLOWERS_MOST}")])
    ids, following = exchange.world.users.friends_from(_place(query.get("start")), int(limit))
    return Answer({"userIds": ids} if following is None else {"userIds": ids, "next": _token(following)})


def _token(place: int) -> str:
    return base64.urlsafe_b64encode(f"from:{place}".encode()).decode()


def _place(token: str | None) -> int:
    if token is None:
        return 0
    try:
        return max(0, int(base64.urlsafe_b64decode(token).decode().removeprefix("from:")))
    except (binascii.Error, ValueError) as error:
        raise Refusal(400, "The value for the 'start' parameter is invalid") from error


ENDPOINTS = [
    Endpoint("GET", "/v2/bot/profile/{user_id}", "profile", profile),
    Endpoint("GET", "/v2/bot/message/quota", "quota", quota),
    Endpoint("GET", "/v2/bot/message/quota/consumption", "quota", consumption),
    Endpoint("GET", "/v2/bot/followers/ids", "followers", followers),
    Endpoint("GET", "/v2/bot/info", "info", info),
]
