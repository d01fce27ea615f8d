"""Flex messages: sizes of the whole, and the parts that LINE cannot draw without."""

from typing import Any

import orjson

from tsudoi.sandbox.messages.actions import check_action
from tsudoi.sandbox.messages.complaints import Complaints

ALT_TEXT = 1500
BUBBLE_BYTES = 30 * 1024
CAROUSEL_BYTES = 50 * 1024
CAROUSEL_BUBBLES = 12
DEPTH = 20
COMPONENTS = ("box", "button", "image", "video", "icon", "text", "separator", "filler", "spacer")
LAYOUTS = ("horizontal", "vertical", "baseline")
BLOCKS = ("header", "hero", "body", "footer")
TEXT_LENGTH = 2000


def check_flex_message(message: dict[str, Any], path: str, complaints: Complaints) -> None:
    complaints.text(message.get("altText"), f"{path}.altText", ALT_TEXT)
    at = f"{path}.contents"
    container = complaints.thing(message.get("contents"), at)
    if container is None or not complaints.one_of(container.get("type"), f"{at}.type", ("bubble", "carousel")):
        return
    if container["type"] == "bubble":
        _check_bubble(container, at, complaints)
    else:
        _check_carousel(container, at, complaints)


def _check_carousel(carousel: dict[str, Any], path: str, complaints: Complaints) -> None:
    _check_size(carousel, path, complaints, CAROUSEL_BYTES)
    for index, entry in enumerate(complaints.items(carousel.get("contents"), f"{path}.contents", 1, CAROUSEL_BUBBLES)):
        at = f"{path}.contents[{index}]"
        bubble = complaints.thing(entry, at)
        if bubble is not None and complaints.one_of(bubble.get("type"), f"{at}.type", ("bubble",)):
            _check_bubble(bubble, at, complaints)


def _check_bubble(bubble: dict[str, Any], path: str, complaints: Complaints) -> None:
    _check_size(bubble, path, complaints, BUBBLE_BYTES)
    _check_tap(bubble, path, complaints)
    for block in BLOCKS:
        if bubble.get(block) is not None:
            _check_component(bubble[block], f"{path}.{block}", complaints, DEPTH)


def _check_size(container: dict[str, Any], path: str, complaints: Complaints, limit: int) -> None:
    if len(orjson.dumps(container)) > limit:
        complaints.say(path, f"Size must be {limit // 1024} KB or less")


def _check_component(value: Any, path: str, complaints: Complaints, depth: int) -> None:
    component = complaints.thing(value, path)
    if component is None or not complaints.one_of(component.get("type"), f"{path}.type", COMPONENTS):
        return
    _check_tap(component, path, complaints)
    match component["type"]:
        case "box":
            _check_box(component, path, complaints, depth)
        case "text":
            _check_text(component, path, complaints)
        case "image" | "icon" | "video":
            complaints.content_url(component.get("url"), f"{path}.url")
        case "button" if component.get("action") is None:
            complaints.say(f"{path}.action", "May not be empty")


def _check_text(component: dict[str, Any], path: str, complaints: Complaints) -> None:
    """A text is either one string or a row of spans."""
    if component.get("contents"):
        for index, entry in enumerate(complaints.items(component["contents"], f"{path}.contents", 1, TEXT_LENGTH)):
            _check_span(entry, f"{path}.contents[{index}]", complaints)
    else:
        complaints.text(component.get("text"), f"{path}.text", TEXT_LENGTH)


def _check_span(value: Any, path: str, complaints: Complaints) -> None:
    span = complaints.thing(value, path)
    if span is not None and complaints.one_of(span.get("type"), f"{path}.type", ("span",)):
        complaints.text(span.get("text"), f"{path}.text", TEXT_LENGTH)


def _check_box(box: dict[str, Any], path: str, complaints: Complaints, depth: int) -> None:
    complaints.one_of(box.get("layout"), f"{path}.layout", LAYOUTS)
    if depth == 0:
        complaints.say(path, "The component is nested too deeply")
        return
    for index, entry in enumerate(complaints.items(box.get("contents"), f"{path}.contents", 0, BUBBLE_BYTES)):
        _check_component(entry, f"{path}.contents[{index}]", complaints, depth - 1)


def _check_tap(part: dict[str, Any], path: str, complaints: Complaints) -> None:
    if part.get("action") is not None:
        check_action(part["action"], f"{path}.action", complaints, label_required=part.get("type") == "button")
