"""Actions: what a tap on a button, a bubble or an area does."""

from typing import Any
from urllib.parse import urlsplit

from tsudoi.sandbox.messages.complaints import Complaints

LABEL = 20
POSTBACK_DATA = 300
URI = 1000
MESSAGE_TEXT = 300
QUICK_REPLIES = 13
TYPES = (
    "postback",
    "message",
    "uri",
    "datetimepicker",
    "camera",
    "cameraRoll",
    "location",
    "richmenuswitch",
    "clipboard",
)
SCHEMES = ("http", "https", "line", "tel")


def check_action(value: Any, path: str, complaints: Complaints, *, label_required: bool) -> None:
    action = complaints.thing(value, path)
    if action is None or not complaints.one_of(action.get("type"), f"{path}.type", TYPES):
        return
    check_label = complaints.text if label_required else complaints.optional_text
    check_label(action.get("label"), f"{path}.label", LABEL)
    _check_effect(action, path, complaints)


def _check_effect(action: dict[str, Any], path: str, complaints: Complaints) -> None:
    match action["type"]:
        case "postback":
            complaints.text(action.get("data"), f"{path}.data", POSTBACK_DATA)
            complaints.optional_text(action.get("displayText"), f"{path}.displayText", MESSAGE_TEXT)
        case "message":
            complaints.text(action.get("text"), f"{path}.text", MESSAGE_TEXT)
        case "uri":
            _check_uri(action.get("uri"), f"{path}.uri", complaints)
        case "datetimepicker":
            complaints.text(action.get("data"), f"{path}.data", POSTBACK_DATA)
            complaints.one_of(action.get("mode"), f"{path}.mode", ("date", "time", "datetime"))
        case "clipboard":
            complaints.text(action.get("clipboardText"), f"{path}.clipboardText", URI)


def _check_uri(value: Any, path: str, complaints: Complaints) -> None:
    before = len(complaints)
    complaints.text(value, path, URI)
    if len(complaints) == before and not _has_known_scheme(value):
        complaints.say(path, "invalid uri scheme")


def _has_known_scheme(uri: str) -> bool:
    try:
        parts = urlsplit(uri)
    except ValueError:
        return False
    return parts.scheme in SCHEMES and bool(parts.netloc or parts.path)


def check_quick_reply(value: Any, path: str, complaints: Complaints) -> None:
    if value is None or (quick_reply := complaints.thing(value, path)) is None:
        return
    for index, item in enumerate(complaints.items(quick_reply.get("items"), f"{path}.items", 1, QUICK_REPLIES)):
        at = f"{path}.items[{index}]"
        if (entry := complaints.thing(item, at)) is not None:
            check_action(entry.get("action"), f"{at}.action", complaints, label_required=True)
