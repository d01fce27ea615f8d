"""Checks of each kind of message, and of the list of one to five messages in a request."""

from collections.abc import Callable
from typing import Any

from tsudoi.sandbox.messages.actions import check_quick_reply
from tsudoi.sandbox.messages.flex import check_flex_message
from tsudoi.sandbox.messages.templates import ALT_TEXT, check_template_message
from tsudoi.sandbox.messages.violations import EMPTY, Violations

TEXT_UNITS = 5000
MESSAGES = 5
PLACE = 100
IMAGEMAP_ACTIONS = 50
QUOTABLE = frozenset({"text", "textV2", "sticker", "image", "video", "template", "flex"})


def check_messages(value: Any, violations: Violations) -> None:
    if value is None:
        violations.add("messages", EMPTY)
        return
    for index, entry in enumerate(violations.items(value, "messages", 1, MESSAGES)):
        path = f"messages[{index}]"
        message = violations.object(entry, path)
        if message is not None and violations.one_of(message.get("type"), f"{path}.type", tuple(_CHECKS)):
            _CHECKS[message["type"]](message, path, violations)
            check_quick_reply(message.get("quickReply"), f"{path}.quickReply", violations)


def _check_text(message: dict[str, Any], path: str, violations: Violations) -> None:
    violations.text(message.get("text"), f"{path}.text", TEXT_UNITS)


def _check_sticker(message: dict[str, Any], path: str, violations: Violations) -> None:
    for name in ("packageId", "stickerId"):
        violations.text(message.get(name), f"{path}.{name}", PLACE)


def _check_picture(message: dict[str, Any], path: str, violations: Violations) -> None:
    for name in ("originalContentUrl", "previewImageUrl"):
        violations.content_url(message.get(name), f"{path}.{name}")


def _check_audio(message: dict[str, Any], path: str, violations: Violations) -> None:
    violations.content_url(message.get("originalContentUrl"), f"{path}.originalContentUrl")
    violations.number(message.get("duration"), f"{path}.duration", 1, float("inf"))


def _check_location(message: dict[str, Any], path: str, violations: Violations) -> None:
    for name in ("title", "address"):
        violations.text(message.get(name), f"{path}.{name}", PLACE)
    violations.number(message.get("latitude"), f"{path}.latitude", -90, 90)
    violations.number(message.get("longitude"), f"{path}.longitude", -180, 180)


def _check_imagemap(message: dict[str, Any], path: str, violations: Violations) -> None:
    violations.content_url(message.get("baseUrl"), f"{path}.baseUrl")
    violations.text(message.get("altText"), f"{path}.altText", ALT_TEXT)
    violations.object(message.get("baseSize"), f"{path}.baseSize")
    violations.items(message.get("actions"), f"{path}.actions", 1, IMAGEMAP_ACTIONS)


_CHECKS: dict[str, Callable[[dict[str, Any], str, Violations], None]] = {
    "text": _check_text,
    "textV2": _check_text,
    "sticker": _check_sticker,
    "image": _check_picture,
    "video": _check_picture,
    "audio": _check_audio,
    "location": _check_location,
    "imagemap": _check_imagemap,
    "template": check_template_message,
    "flex": check_flex_message,
}

# What the list of chats shows under a name when the last message is no text.
_PREVIEWS = {
    "sticker": "スタンプ",
    "image": "写真",
    "video": "動画",
    "audio": "音声メッセージ",
    "location": "位置情報",
}


def preview(message: dict[str, Any]) -> str:
    kind = message.get("type", "")
    text = message.get("text") or message.get("altText") or _PREVIEWS.get(kind, "メッセージ")
    return str(text)
