"""The notices about an event, as LINE message objects. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from tsudoi.core.clock import display
from tsudoi.events.event.rules import (
    cancellation_text,
    change_text,
    event_link,
    invitation_text,
    picture_message,
    reminder_text,
    text_message,
)

Kind = Literal["invite", "late", "reminder", "change", "cancel"]
Messages = list[dict[str, Any]]
# Stands for the id of an event that does not exist yet.
EVENT_ID_PLACEHOLDER = "○○"


@dataclass(frozen=True, slots=True)
class Links:
    """Builds LIFF links to events."""

    base: str
    liff_id: str | None

    def to(self, event_id: int | str) -> str:
        return event_link(self.base, self.liff_id, event_id)


def invitation(body: str | None, preview_url: str | None, link: str) -> Messages:
    """The picture, then the text with the link, for one call."""
    picture = [picture_message(preview_url)] if preview_url else []
    return [*picture, text_message(invitation_text(body, link))]


def reminder(title: str, held_at: datetime, link: str) -> Messages:
    return [text_message(reminder_text(title, held_at, link))]


def cancellation(title: str, held_at: datetime, reason: str | None) -> Messages:
    return [text_message(cancellation_text(title, held_at, reason))]


def change(old: Mapping[str, Any], new: Mapping[str, Any], link: str) -> Messages:
    """`old` and `new` hold title, held_at and body; the message names what differs."""
    lines = []
    if old["title"] != new["title"]:
        lines.append(f"件名：{old['title']} → {new['title']}")
    if old["held_at"] != new["held_at"]:
        lines.append(f"日時：{display(old['held_at'])} → {display(new['held_at'])}")
    if (old["body"] or "") != (new["body"] or ""):
        lines.append(f"本文：\n{new['body']}" if new["body"] else "本文がなくなりました。")
    return [text_message(change_text(new["title"], new["held_at"], "\n".join(lines), link))]
