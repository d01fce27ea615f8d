"""Which event a friend was asked to: read from the chat, as the friend would, because the box knows no events."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from tsudoi.sandbox.users import User, Users


@dataclass(frozen=True, slots=True)
class Invitation:
    user: User
    event_id: int


def invitations(users: Users, liff_id: str, event_id: int | None = None) -> list[Invitation]:
    """One for each friend who got a link: to the newest event, or to the one that was asked for."""
    found = ((user, _newest(user, liff_id, event_id)) for user in users.friends())
    return [Invitation(user, event) for user, event in found if event is not None]


def _newest(user: User, liff_id: str, wanted: int | None) -> int | None:
    for event_id in _links(user, liff_id):
        if wanted in (None, event_id):
            return event_id
    return None


def _links(user: User, liff_id: str) -> Iterator[int]:
    """The newest first. A link may stand in a text or behind a button, so the whole message is looked through."""
    link = re.compile(rf"/{re.escape(liff_id)}/events/([1-9][0-9]{{0,14}})(?![0-9])")
    for entry in reversed(user.chat):
        if entry.sender == "account":
            yield from (int(number) for number in link.findall(orjson.dumps(entry.message).decode()))
