"""Checks of template messages: buttons, a yes-or-no question, and rows of cards."""

from collections.abc import Callable
from typing import Any

from tsudoi.sandbox.messages.actions import check_action
from tsudoi.sandbox.messages.violations import Violations

ALT_TEXT = 1500
TITLE = 40
BUTTONS = 4
COLUMNS = 10
COLUMN_BUTTONS = 3
BUTTONS_TEXT, BUTTONS_TEXT_UNDER_TITLE = 160, 60
COLUMN_TEXT, COLUMN_TEXT_UNDER_TITLE = 120, 60
CONFIRM_TEXT = 240


def check_template_message(message: dict[str, Any], path: str, violations: Violations) -> None:
    violations.text(message.get("altText"), f"{path}.altText", ALT_TEXT)
    template = violations.object(message.get("template"), f"{path}.template")
    if template is not None and violations.one_of(template.get("type"), f"{path}.template.type", tuple(_CHECKS)):
        _CHECKS[template["type"]](template, f"{path}.template", violations)


def _check_buttons(template: dict[str, Any], path: str, violations: Violations) -> None:
    _check_card(template, path, violations, (BUTTONS_TEXT, BUTTONS_TEXT_UNDER_TITLE))
    _check_actions(template, path, violations, 1, BUTTONS)


def _check_confirm(template: dict[str, Any], path: str, violations: Violations) -> None:
    violations.text(template.get("text"), f"{path}.text", CONFIRM_TEXT)
    _check_actions(template, path, violations, 2, 2)


def _check_carousel(template: dict[str, Any], path: str, violations: Violations) -> None:
    for column, at in _columns(template, path, violations):
        _check_card(column, at, violations, (COLUMN_TEXT, COLUMN_TEXT_UNDER_TITLE))
        _check_actions(column, at, violations, 1, COLUMN_BUTTONS)


def _check_image_carousel(template: dict[str, Any], path: str, violations: Violations) -> None:
    for column, at in _columns(template, path, violations):
        violations.content_url(column.get("imageUrl"), f"{at}.imageUrl")
        check_action(column.get("action"), f"{at}.action", violations, label_required=False)


def _columns(template: dict[str, Any], path: str, violations: Violations) -> list[tuple[dict[str, Any], str]]:
    entries = violations.items(template.get("columns"), f"{path}.columns", 1, COLUMNS)
    checked = [
        (violations.object(entry, f"{path}.columns[{i}]"), f"{path}.columns[{i}]") for i, entry in enumerate(entries)
    ]
    return [(column, at) for column, at in checked if column is not None]


def _check_card(card: dict[str, Any], path: str, violations: Violations, limits: tuple[int, int]) -> None:
    """A title or a picture leaves less room for the text under it."""
    plain, under_title = limits
    crowded = card.get("title") is not None or card.get("thumbnailImageUrl") is not None
    violations.text(card.get("text"), f"{path}.text", under_title if crowded else plain)
    violations.optional_text(card.get("title"), f"{path}.title", TITLE)
    if card.get("thumbnailImageUrl") is not None:
        violations.content_url(card["thumbnailImageUrl"], f"{path}.thumbnailImageUrl")


def _check_actions(card: dict[str, Any], path: str, violations: Violations, least: int, most: int) -> None:
    for index, action in enumerate(violations.items(card.get("actions"), f"{path}.actions", least, most)):
        check_action(action, f"{path}.actions[{index}]", violations, label_required=True)


_CHECKS: dict[str, Callable[[dict[str, Any], str, Violations], None]] = {
    "buttons": _check_buttons,
    "confirm": _check_confirm,
    "carousel": _check_carousel,
    "image_carousel": _check_image_carousel,
}
