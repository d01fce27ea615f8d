"""The notices about an event, as LINE message objects. Pure."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from tsudoi.core.clock import JST, display
from tsudoi.events.event.rules import DEFAULT_BODY, headed_anew, heading

Kind = Literal["invite", "late", "reminder", "change", "cancel"]
Messages = list[dict[str, Any]]
# Stands for the id of an event that does not exist yet.
EVENT_ID_PLACEHOLDER = "○○"
_WEEKDAYS = "月火水木金土日"


def invitation(body: str | None, preview_url: str | None, link: str) -> Messages:
    """The picture, then the text with the link, for one call."""
    picture = {"type": "image", "originalContentUrl": preview_url, "previewImageUrl": preview_url}
    text = {"type": "text", "text": f"{body}\n{link}" if body else link}
    return [picture, text] if preview_url else [text]


def later_invitation(event: Any, link: str) -> Messages:
    """The invitation to an event that exists. One without a picture says in words what it is, when, and where.

    Such an event was made from a date that people had found, so its text was never an invitation.
    """
    if event.image_preview_url:
        return invitation(event.body, event.image_preview_url, link)
    body, place = event.body or "", f"場所：{event.place}" if event.place else ""
    facts = [f"「{event.title}」", _when(event.held_at, event.end_at), "" if place in body else place, body]
    return invitation("\n".join(filter(None, facts)) + f"\n\n{DEFAULT_BODY}", None, link)


def _when(held_at: datetime, end_at: datetime | None) -> str:
    """`2026年12月14日（月）18:00〜20:00`."""
    starts = held_at.astimezone(JST)
    written = f"{starts.year}年{starts.month}月{starts.day}日（{_WEEKDAYS[starts.weekday()]}）{starts:%H:%M}"
    if end_at is None:
        return written
    ends = end_at.astimezone(JST)
    until = f"{ends:%H:%M}" if ends.date() == starts.date() else f"{ends.month}月{ends.day}日{ends:%H:%M}"
    return f"{written}〜{until}"


def reminder(title: str, held_at: datetime, link: str) -> Messages:
    text = (
        f"【出欠のご確認】\n「{title}」（{display(held_at)}）の出欠のご回答がまだのようです。\n"
        f"お手数ですが、以下のリンクからご回答をお願いします。\n{link}"
    )
    return [{"type": "text", "text": text}]


def cancellation(title: str, held_at: datetime, reason: str | None) -> Messages:
    why = f"\n{reason}" if reason else ""
    text = f"【中止のお知らせ】\n「{title}」（{display(held_at)}）は中止になりました。{why}"
    return [{"type": "text", "text": text}]


def changed(old: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Title, held_at and body after a change. A text that begins with the title and the date follows them."""
    new = {**old, **change}
    headings = (heading(one["title"], one["held_at"]) for one in (old, new))
    return {**new, "body": headed_anew(new["body"], *headings)}


def change(old: Mapping[str, Any], new: Mapping[str, Any], link: str) -> Messages:
    """`old` and `new` hold title, held_at and body; the message names what differs."""
    lines = []
    if old["title"] != new["title"]:
        lines.append(f"件名：{old['title']} → {new['title']}")
    if old["held_at"] != new["held_at"]:
        lines.append(f"日時：{display(old['held_at'])} → {display(new['held_at'])}")
    # Where only the heading of the text has changed, the lines above say so already.
    if (changed(old, {"title": new["title"], "held_at": new["held_at"]})["body"] or "") != (new["body"] or ""):
        lines.append(f"本文：\n{new['body']}" if new["body"] else "本文がなくなりました。")
    about = f"「{new['title']}」（{display(new['held_at'])}）の内容が変わりました。"
    return [{"type": "text", "text": "\n".join(["【変更のお知らせ】", about, *lines, link])}]
