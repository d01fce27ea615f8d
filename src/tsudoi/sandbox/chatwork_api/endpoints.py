"""ChatWork: who am I, posting into a room, and reading the room."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tsudoi.sandbox.chatwork import Room, RoomAccess, RoomMessage
from tsudoi.sandbox.errors import Refusal
from tsudoi.sandbox.outside import OutsideEndpoint, OutsideRequest, OutsideSystem, is_right
from tsudoi.sandbox.wire import OrjsonResponse, base_url, is_whole

LONGEST_BODY = 65_535
_SHOWN = 100
_ACCOUNT_ID, _OWN_ROOM = 910_001, 920_001
_NAME = "集い 通知係"


def _token_of(http: Request) -> str:
    return http.headers.get("x-chatworktoken", "")


def _authorize(request: OutsideRequest) -> None:
    world = request.world
    if not is_right(request.token, world.config.chatwork_api_token):
        raise Refusal(401, "Invalid API token")
    world.chatwork.window.count(world.clock.now_seconds())
    if world.chatwork.rate_limits and world.chatwork.window.exceeded:
        raise Refusal(429, "Rate limit exceeded")


def _refuse(refusal: Refusal) -> Response:
    return OrjsonResponse({"errors": [refusal.message]}, refusal.status)


def _finish(request: OutsideRequest, response: Response) -> Response:
    response.headers.update(request.world.chatwork.window.headers())
    return response


def me(request: OutsideRequest) -> Response:
    return OrjsonResponse(
        {
            **_sender(request),
            "room_id": _OWN_ROOM,
            "chatwork_id": "tsudoi-sandbox",
            "organization_id": 101,
            "organization_name": "集い",
            "department": "",
            "title": "",
            "url": "",
            "introduction": "",
            "mail": "",
            "tel_organization": "",
            "tel_extension": "",
            "tel_mobile": "",
            "skype": "",
            "facebook": "",
            "twitter": "",
            "login_mail": "tsuchi@tsudoi.example",
        }
    )


def _sender(request: OutsideRequest) -> dict[str, Any]:
    picture = f"{base_url(request.http)}/_sandbox/pictures/account.svg"
    return {"account_id": _ACCOUNT_ID, "name": _NAME, "avatar_image_url": picture}


def post_message(request: OutsideRequest) -> Response:
    room, form = _room(request), dict(request.form())
    body, unread = form.get("body", ""), form.get("self_unread", "0")
    if not 1 <= len(body) <= LONGEST_BODY:
        raise Refusal(400, "Parameter 'body' is invalid")
    if unread not in ("0", "1"):
        raise Refusal(400, "Parameter 'self_unread' is invalid")
    chatwork = request.world.chatwork
    if chatwork.rate_limits and room.is_full(request.now):
        raise Refusal(429, "Rate limit for message posting per room exceeded.")
    message = chatwork.post(room, body, self_unread=unread == "1", now=request.now)
    return OrjsonResponse({"message_id": message.message_id})


def list_messages(request: OutsideRequest) -> Response:
    """Without `force` only what is new since the last look. An empty list is no list, but an answer without a body."""
    room = _room(request)
    found = room.messages if request.query("force") == "1" else room.unseen()
    room.looked_at = room.posted
    request.world.changed.set()
    if not found:
        return Response(status_code=204)
    sender = _sender(request)
    return OrjsonResponse([_shown(message, sender) for message in found[-_SHOWN:]])


def _shown(message: RoomMessage, sender: dict[str, Any]) -> dict[str, Any]:
    times = {"send_time": message.at // 1000, "update_time": 0}
    return {"message_id": message.message_id, "account": sender, "body": message.body, **times}


def _room(request: OutsideRequest) -> Room:
    number = request.path("room_id")
    if not is_whole(number):
        raise Refusal(400, "Parameter 'room_id' is invalid")
    room = request.world.chatwork.room(int(number))
    if room.access is RoomAccess.GONE:
        raise Refusal(404, "This room does not exist")
    if room.access is RoomAccess.NOT_MEMBER:
        raise Refusal(403, "You are not a member of this room")
    return room


CHATWORK = OutsideSystem("/chatwork/v2", _token_of, _authorize, _refuse, finish=_finish)
ROUTES = CHATWORK.routes(
    [
        OutsideEndpoint("GET", "/me", "chatwork_me", me),
        OutsideEndpoint("POST", "/rooms/{room_id}/messages", "chatwork_post", post_message),
        OutsideEndpoint("GET", "/rooms/{room_id}/messages", "chatwork_messages", list_messages),
    ]
)
