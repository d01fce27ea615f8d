"""Shows the rooms of ChatWork, and says which of them the product may use.

    GET    /_sandbox/chatwork                    all rooms with their messages; DELETE empties it
    GET    /_sandbox/chatwork/rooms/{room_id}    one room
    PUT    /_sandbox/chatwork/rooms/{room_id}    {"name": "…", "access": "member" | "not_member" | "gone"}
    DELETE /_sandbox/chatwork/rooms/{room_id}
    PUT    /_sandbox/chatwork/behaviour          {"rate_limits": false}

A room that is not listed exists for the product all the same: its first message makes it.
"""

from starlette.responses import Response

from tsudoi.sandbox.chatwork import RoomAccess
from tsudoi.sandbox.control_api.requests import ControlRequest, control
from tsudoi.sandbox.errors import Refusal, not_found
from tsudoi.sandbox.wire import OrjsonResponse, is_whole


async def everything(request: ControlRequest) -> Response:
    return OrjsonResponse(request.world.chatwork.as_json())


async def clear(request: ControlRequest) -> Response:
    request.world.chatwork.clear()
    return Response(status_code=204)


async def get_room(request: ControlRequest) -> Response:
    room = request.world.chatwork.rooms.get(_number(request))
    if room is None:
        raise not_found("No such room")
    return OrjsonResponse(room.as_json())


async def put_room(request: ControlRequest) -> Response:
    """The messages of a room that exists stay."""
    chatwork, room_id = request.world.chatwork, _number(request)
    room = chatwork.room(room_id)
    name, access = request.body.text("name", room.name), request.body.text("access", room.access)
    if access not in list(RoomAccess):
        raise Refusal(400, f"'access' must be one of {', '.join(RoomAccess)}")
    room.name, room.access = name, RoomAccess(access)
    chatwork.rooms[room_id] = room
    return OrjsonResponse(room.as_json())


async def delete_room(request: ControlRequest) -> Response:
    request.world.chatwork.rooms.pop(_number(request), None)
    return Response(status_code=204)


async def put_behaviour(request: ControlRequest) -> Response:
    """What is left out goes back to its default."""
    body = request.body
    request.world.chatwork.rate_limits = body.flag("rate_limits") if "rate_limits" in body else True
    return OrjsonResponse({"rate_limits": request.world.chatwork.rate_limits})


def _number(request: ControlRequest) -> int:
    text = request.path("room_id")
    if not is_whole(text):
        raise Refusal(400, "The id of a room is a whole number")
    return int(text)


ROUTES = [
    control("GET", "/chatwork", everything),
    control("DELETE", "/chatwork", clear),
    control("PUT", "/chatwork/behaviour", put_behaviour),
    control("GET", "/chatwork/rooms/{room_id}", get_room),
    control("PUT", "/chatwork/rooms/{room_id}", put_room),
    control("DELETE", "/chatwork/rooms/{room_id}", delete_room),
]
