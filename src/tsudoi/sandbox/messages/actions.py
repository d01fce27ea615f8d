"""Checks of actions: what a tap on a button, a bubble or an area does."""

from typing import Any
from urllib.parse import urlsplit

from tsudoi.sandbox.messages.violations import Violations

LABEL = 20
POSTBACK_DATA = 300
URI = 1000
MESSAGE_TEXT = 300
QUICK_REPLIES = 13
TYPES = (
    *("postback", "message", "uri", "datetimepicker"),
    *("camera", "cameraRoll", "location", "richmenuswitch", "clipboard"),
)
SCHEMES = ("http", "https", "line", "tel")


def check_action(value: Any, path: str, violations: Violations, *, label_required: bool) -> None:
    action = violations.object(value, path)
    if action is None or not violations.one_of(action.get("type"), f"{path}.type", TYPES):
        return
    check_label = violations.text if label_required else violations.optional_text
    check_label(action.get("label"), f"{path}.label", LABEL)
    _check_effect(action, path, violations)


def _check_effect(action: dict[str, Any], path: str, violations: Violations) -> None:
    match action["type"]:
        case "postback":
            violations.text(action.get("data"), f"{path}.data", POSTBACK_DATA)
            violations.optional_text(action.get("displayText"), f"{path}.displayText", MESSAGE_TEXT)
        case "message":
            violations.text(action.get("text"), f"{path}.text", MESSAGE_TEXT)
        case "uri":
            before = len(violations)
            violations.text(action.get("uri"), f"{path}.uri", URI)
            if len(violations) == before and not _has_known_scheme(action["uri"]):
                violations.add(f"{path}.uri", "invalid uri scheme")
        case "datetimepicker":
            violations.text(action.get("data"), f"{path}.data", POSTBACK_DATA)
            violations.one_of(action.get("mode"), f"{path}.mode", ("date", "time", "datetime"))
        case "clipboard":
            violations.text(action.get("clipboardText"), f"{path}.clipboardText", URI)


def _has_known_scheme(uri: str) -> bool:
    try:
        parts = urlsplit(uri)
    except ValueError:
        return False
    return parts.scheme in SCHEMES and bool(parts.netloc or parts.path)


def check_quick_reply(value: Any, path: str, violations: Violations) -> None:
    if value is None or (quick_reply := violations.object(value, path)) is None:
        return
    for index, item in enumerate(violations.items(quick_reply.get("items"), f"{path}.items", 1, QUICK_REPLIES)):
        at = f"{path}.items[{index}]"
        if (entry := violations.object(item, at)) is not None:
            check_action(entry.get("action"), f"{at}.action", violations, label_required=True)
