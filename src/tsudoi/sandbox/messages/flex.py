"""Checks of flex messages: the size of the whole, and the parts that LINE needs to draw it."""

from typing import Any

import orjson

from tsudoi.sandbox.messages.actions import check_action
from tsudoi.sandbox.messages.violations import Violations

ALT_TEXT = 1500
BUBBLE_BYTES = 30 * 1024
CAROUSEL_BYTES = 50 * 1024
CAROUSEL_BUBBLES = 12
DEPTH = 20
COMPONENTS = ("box", "button", "image", "video", "icon", "text", "separator", "filler", "spacer")
LAYOUTS = ("horizontal", "vertical", "baseline")
BLOCKS = ("header", "hero", "body", "footer")
TEXT_LENGTH = 2000


def check_flex_message(message: dict[str, Any], path: str, violations: Violations) -> None:
    violations.text(message.get("altText"), f"{path}.altText", ALT_TEXT)
    at = f"{path}.contents"
    container = violations.object(message.get("contents"), at)
    if container is None or not violations.one_of(container.get("type"), f"{at}.type", ("bubble", "carousel")):
        return
    if container["type"] == "bubble":
        _check_bubble(container, at, violations)
    else:
        _check_carousel(container, at, violations)


def _check_carousel(carousel: dict[str, Any], path: str, violations: Violations) -> None:
    _check_size(carousel, path, violations, CAROUSEL_BYTES)
    for index, entry in enumerate(violations.items(carousel.get("contents"), f"{path}.contents", 1, CAROUSEL_BUBBLES)):
        at = f"{path}.contents[{index}]"
        bubble = violations.object(entry, at)
        if bubble is not None and violations.one_of(bubble.get("type"), f"{at}.type", ("bubble",)):
            _check_bubble(bubble, at, violations)


def _check_bubble(bubble: dict[str, Any], path: str, violations: Violations) -> None:
    _check_size(bubble, path, violations, BUBBLE_BYTES)
    _check_tap(bubble, path, violations)
    for block in BLOCKS:
        if bubble.get(block) is not None:
            _check_component(bubble[block], f"{path}.{block}", violations, DEPTH)


def _check_size(container: dict[str, Any], path: str, violations: Violations, limit: int) -> None:
    if len(orjson.dumps(container)) > limit:
        violations.add(path, f"Size must be {limit // 1024} KB or less")


def _check_component(value: Any, path: str, violations: Violations, depth: int) -> None:
    component = violations.object(value, path)
    if component is None or not violations.one_of(component.get("type"), f"{path}.type", COMPONENTS):
        return
    _check_tap(component, path, violations)
    match component["type"]:
        case "box":
            _check_box(component, path, violations, depth)
        case "text":
            _check_text(component, path, violations)
        case "image" | "icon" | "video":
            violations.content_url(component.get("url"), f"{path}.url")
        case "button" if component.get("action") is None:
            violations.add(f"{path}.action", "May not be empty")


def _check_text(component: dict[str, Any], path: str, violations: Violations) -> None:
    """A text is either one string or a list of spans."""
    if component.get("contents"):
        for index, entry in enumerate(violations.items(component["contents"], f"{path}.contents", 1, TEXT_LENGTH)):
            at = f"{path}.contents[{index}]"
            span = violations.object(entry, at)
            if span is not None and violations.one_of(span.get("type"), f"{at}.type", ("span",)):
                violations.text(span.get("text"), f"{at}.text", TEXT_LENGTH)
    else:
        violations.text(component.get("text"), f"{path}.text", TEXT_LENGTH)


def _check_box(box: dict[str, Any], path: str, violations: Violations, depth: int) -> None:
    violations.one_of(box.get("layout"), f"{path}.layout", LAYOUTS)
    if depth == 0:
        violations.add(path, "The component is nested too deeply")
        return
    for index, entry in enumerate(violations.items(box.get("contents"), f"{path}.contents", 0, BUBBLE_BYTES)):
        _check_component(entry, f"{path}.contents[{index}]", violations, depth - 1)


def _check_tap(part: dict[str, Any], path: str, violations: Violations) -> None:
    if part.get("action") is not None:
        check_action(part["action"], f"{path}.action", violations, label_required=part.get("type") == "button")
