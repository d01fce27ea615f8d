"""The rooms of ChatWork, and how often one may call."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tsudoi.sandbox.clock import iso

KEPT = 1_000
CALLS_PER_WINDOW, WINDOW_SECONDS = 300, 300
POSTS_PER_ROOM, ROOM_SECONDS = 10, 10
_FIRST_MESSAGE_ID = 1_900_000_000_000_000_000


class RoomAccess(StrEnum):
    """Whether the account may use a room."""

    MEMBER = "member"
    NOT_MEMBER = "not_member"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class RoomMessage:
    """One message that the product has posted."""

    message_id: str
    body: str
    self_unread: bool
    at: int

    def as_json(self) -> dict[str, Any]:
        return {
            "message_id": self.message_id,
            "body": self.body,
            "self_unread": self.self_unread,
            "send_time": self.at // 1000,
            "at": iso(self.at),
        }


@dataclass
class Room:
    """A room and its messages, the oldest first. `looked_at`: the number of messages at the last look."""

    room_id: int
    name: str
    access: RoomAccess = RoomAccess.MEMBER
    messages: list[RoomMessage] = field(default_factory=list)
    posted: int = 0
    looked_at: int = 0

    def is_full(self, now: int) -> bool:
        recent = [one for one in self.messages[-POSTS_PER_ROOM:] if one.at > now - ROOM_SECONDS * 1000]
        return len(recent) >= POSTS_PER_ROOM

    def unseen(self) -> list[RoomMessage]:
        new = self.posted - self.looked_at
        return self.messages[-new:] if new else []

    def as_json(self) -> dict[str, Any]:
        messages = [message.as_json() for message in self.messages]
        return {"room_id": self.room_id, "name": self.name, "access": self.access, "messages": messages}


@dataclass
class CallWindow:
    """How many calls were made in the present five minutes."""

    begins: int = 0
    calls: int = 0

    def count(self, now_seconds: int) -> None:
        if now_seconds >= self.begins + WINDOW_SECONDS or now_seconds < self.begins:
            self.begins, self.calls = now_seconds, 0
        self.calls += 1

    @property
    def exceeded(self) -> bool:
        return self.calls > CALLS_PER_WINDOW

    def headers(self) -> dict[str, str]:
        return {
            "x-ratelimit-limit": str(CALLS_PER_WINDOW),
            "x-ratelimit-remaining": str(max(0, CALLS_PER_WINDOW - self.calls)),
            "x-ratelimit-reset": str(self.begins + WINDOW_SECONDS),
        }


@dataclass
class Chatwork:
    """All rooms. A room that nobody has named exists from its first message."""

    rooms: dict[int, Room] = field(default_factory=dict)
    rate_limits: bool = True
    window: CallWindow = field(default_factory=CallWindow)
    count: int = 0

    def room(self, room_id: int) -> Room:
        return self.rooms.get(room_id) or Room(room_id, f"ルーム {room_id}")

    def post(self, room: Room, body: str, *, self_unread: bool, now: int) -> RoomMessage:
        self.count += 1
        message = RoomMessage(str(_FIRST_MESSAGE_ID + self.count), body, self_unread, now)
        self.rooms[room.room_id] = room
        room.messages = [*room.messages, message][-KEPT:]
        room.posted += 1
        return message

    def as_json(self) -> dict[str, Any]:
        return {"rooms": [room.as_json() for room in self.rooms.values()], "rate_limits": self.rate_limits}

    def clear(self) -> None:
        self.rooms, self.window = {}, CallWindow()
