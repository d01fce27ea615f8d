"""Finds out from the chats which event each friend was invited to, because the sandbox knows no events."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from tsudoi.sandbox.users import User, Users


@dataclass(frozen=True, slots=True)
class Invitation:
    """A friend and the event that the friend was invited to."""

    user: User
    event_id: int


def invitations(users: Users, liff_id: str, event_id: int | None = None) -> list[Invitation]:
    """One invitation for each friend who got a link to the event; without an id, to the newest event in the chat."""
    found = ((user, _newest(user, liff_id, event_id)) for user in users.friends())
    return [Invitation(user, event) for user, event in found if event is not None]


def _newest(user: User, liff_id: str, wanted: int | None) -> int | None:
    for event_id in _links(user, liff_id):
        if wanted in (None, event_id):
            return event_id
    return None


def _links(user: User, liff_id: str) -> Iterator[int]:
    """The ids in the links, the newest first. The whole message is searched, because a button can have a link too."""
    link = re.compile(rf"/{re.escape(liff_id)}/events/([1-9][0-9]{{0,14}})(?![0-9])")
    for entry in reversed(user.chat):
        if entry.sender == "account":
            yield from (int(number) for number in link.findall(orjson.dumps(entry.message).decode()))
