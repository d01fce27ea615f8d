"""The users of the sandbox, and the chat of each of them with the account."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tsudoi.sandbox.clock import iso
from tsudoi.sandbox.ids import new_user_id
from tsudoi.sandbox.messages.kinds import preview

# A phone shows the end of a chat. `User.delivered` counts all messages.
CHAT_LENGTH = 200


@dataclass(slots=True)
class ChatMessage:
    """One message in a chat."""

    id: str
    sender: str
    at: int
    read: bool
    message: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, "from": self.sender, "at": iso(self.at), "read": self.read, "message": self.message}


@dataclass(slots=True)
class User:
    """A person with a phone, whether a friend of the account or not."""

    user_id: str
    display_name: str
    picture_url: str | None = None
    status_message: str | None = None
    following: bool = False
    blocked: bool = False
    unread: int = 0
    accepted: int = 0
    delivered: int = 0
    _chat: deque[ChatMessage] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self._chat is not None:
            self._chat = deque(self._chat, CHAT_LENGTH)

    @property
    def chat(self) -> deque[ChatMessage]:
        """The chat is made on first use, so that a hundred thousand friends without messages need little memory."""
        if self._chat is None:
            self._chat = deque(maxlen=CHAT_LENGTH)
        return self._chat

    @property
    def picture_path(self) -> str:
        return self.picture_url or f"/_sandbox/pictures/{self.user_id}.svg"

    def picture(self, base_url: str) -> str:
        """An absolute address, because the product has another address than the sandbox."""
        return self.picture_url or f"{base_url}{self.picture_path}"

    def receive(self, message: ChatMessage) -> None:
        self.chat.append(message)
        if not message.read:
            self.unread += 1

    def read_all(self) -> None:
        for message in self.chat:
            message.read = True
        self.unread = 0

    def as_json(self) -> dict[str, Any]:
        last = self._chat[-1] if self._chat else None
        return {
            "user_id": self.user_id,
            "display_name": self.display_name,
            "picture_url": self.picture_path,
            "status_message": self.status_message,
            "following": self.following,
            "blocked": self.blocked,
            "unread": self.unread,
            "accepted": self.accepted,
            "delivered": self.delivered,
            "last_message": last and {"text": preview(last.message), "at": iso(last.at)},
        }


@dataclass
class Users:
    """All users that the channel knows, in the order in which they were added."""

    _order: list[User] = field(default_factory=list)
    _by_id: dict[str, User] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._by_id = {user.user_id: user for user in self._order}

    def __iter__(self) -> Iterator[User]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)

    def get(self, user_id: Any) -> User | None:
        return self._by_id.get(user_id)

    def add(self, display_name: str, user_id: str | None = None) -> User:
        user = User(user_id or new_user_id(), display_name)
        self._by_id[user.user_id] = user
        self._order.append(user)
        return user

    def friends(self) -> list[User]:
        return [user for user in self._order if user.following]

    def friends_from(self, start: int, limit: int) -> tuple[list[str], int | None]:
        """A page of friends, and the position where the next one starts. Only this page is read."""
        page: list[str] = []
        for position in range(start, len(self._order)):
            if len(page) == limit:
                return page, position
            if self._order[position].following:
                page.append(self._order[position].user_id)
        return page, None
