"""What the account can ask LINE about itself and its friends."""

import base64
import binascii
from typing import Any

from tsudoi.sandbox.errors import Detail, Refusal, invalid_body, not_found
from tsudoi.sandbox.line_api.endpoint import Endpoint, LineRequest, LineResponse
from tsudoi.sandbox.wire import is_whole

FOLLOWERS_DEFAULT, FOLLOWERS_MOST = 300, 1000


def quota(request: LineRequest) -> LineResponse:
    return LineResponse(request.world.quota.as_line())


def consumption(request: LineRequest) -> LineResponse:
    world = request.world
    return LineResponse({"totalUsage": world.quota.usage(world.clock.now_ms())})


def info(request: LineRequest) -> LineResponse:
    world = request.world
    return LineResponse(
        {
            "userId": world.bot_user_id,
            "basicId": "@tsudoi-sandbox",
            "displayName": world.config.account_name,
            "pictureUrl": f"{request.base_url}/_sandbox/pictures/account.svg",
            "chatMode": "bot",
            "markAsReadMode": "auto",
        }
    )


def profile(request: LineRequest) -> LineResponse:
    """LINE shows the profiles of friends only; somebody who has blocked the account counts as unknown."""
    user = request.world.users.get(request.path("user_id"))
    if user is None or not user.following:
        raise not_found()
    body: dict[str, Any] = {
        "userId": user.user_id,
        "displayName": user.display_name,
        "pictureUrl": user.picture(request.base_url),
        "language": "ja",
    }
    return LineResponse(body if user.status_message is None else {**body, "statusMessage": user.status_message})


def followers(request: LineRequest) -> LineResponse:
    query = request.http.query_params
    limit = query.get("limit", str(FOLLOWERS_DEFAULT))
    if not is_whole(limit) or not 1 <= int(limit) <= FOLLOWERS_MOST:
        raise invalid_body([Detail("limit", f"Must be between 1 and {FOLLOWERS_MOST}")])
    ids, following = request.world.users.friends_from(_place(query.get("start")), int(limit))
    if following is None:
        return LineResponse({"userIds": ids})
    return LineResponse({"userIds": ids, "next": base64.urlsafe_b64encode(f"from:{following}".encode()).decode()})


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
