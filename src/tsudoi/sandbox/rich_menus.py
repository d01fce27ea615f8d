"""Rich menus: the picture with tappable areas at the bottom of a chat."""

from dataclasses import dataclass, field
from typing import Any

from pydantic import ConfigDict, with_config

from tsudoi.sandbox.errors import Refusal, invalid_body, not_found
from tsudoi.sandbox.ids import new_rich_menu_id
from tsudoi.sandbox.images import Picture, read_picture
from tsudoi.sandbox.messages.actions import check_action
from tsudoi.sandbox.messages.violations import Violations

WIDTHS = (800, 2500)
LEAST_HEIGHT = 250
LEAST_RATIO = 1.45
IMAGE_BYTES = 1024 * 1024
NAME, CHAT_BAR_TEXT, AREAS = 300, 14, 20
_PROPERTIES = ("size", "selected", "name", "chatBarText", "areas")


@with_config(ConfigDict(ser_json_bytes="base64", val_json_bytes="base64"))
@dataclass
class RichMenu:
    """One menu as the account described it, with its picture once that is uploaded."""

    id: str
    body: dict[str, Any]
    image: bytes | None = None
    picture: Picture | None = None

    def as_line(self) -> dict[str, Any]:
        return {"richMenuId": self.id, **self.body}

    def as_json(self) -> dict[str, Any]:
        image_url = None if self.image is None else f"/_sandbox/rich_menu/{self.id}/image"
        return {**self.as_line(), "image_url": image_url}


@dataclass
class RichMenus:
    """The menus of the account, and which of them everybody sees."""

    _menus: dict[str, RichMenu] = field(default_factory=dict)
    _default: str | None = None

    def create(self, body: Any) -> RichMenu:
        check_rich_menu(body)
        menu = RichMenu(new_rich_menu_id(), {name: body[name] for name in _PROPERTIES})
        self._menus[menu.id] = menu
        return menu

    def list(self) -> list[RichMenu]:
        return [*self._menus.values()]

    def get(self, menu_id: str) -> RichMenu:
        if menu_id not in self._menus:
            raise not_found("richmenu not found")
        return self._menus[menu_id]

    def delete(self, menu_id: str) -> None:
        del self._menus[self.get(menu_id).id]
        if self._default == menu_id:
            self._default = None

    def attach_image(self, menu_id: str, data: bytes) -> None:
        menu = self.get(menu_id)
        if menu.image is not None:
            raise Refusal(400, "An image has already been uploaded to the richmenu")
        menu.picture = check_image(data)
        menu.image = data

    def set_default(self, menu_id: str) -> None:
        if self.get(menu_id).image is None:
            raise Refusal(400, "must upload richmenu image before applying it to user")
        self._default = menu_id

    def cancel_default(self) -> None:
        self._default = None

    @property
    def default(self) -> RichMenu | None:
        return None if self._default is None else self._menus[self._default]


def check_image(data: bytes) -> Picture:
    picture = read_picture(data)
    if picture is None:
        raise Refusal(400, "The image must be a JPEG or PNG file")
    if len(data) > IMAGE_BYTES:
        raise Refusal(400, "The image size must be 1 MB or less")
    if not _fits(picture.width, picture.height):
        raise Refusal(
            400, f"The image is {picture.width}x{picture.height} pixels, which is not allowed for a rich menu"
        )
    return picture


def _fits(width: int, height: int) -> bool:
    least, most = WIDTHS
    return least <= width <= most and height >= LEAST_HEIGHT and width / height >= LEAST_RATIO


def check_rich_menu(body: Any) -> None:
    violations = Violations()
    if violations.object(body, "") is not None:
        _check_size(body.get("size"), violations)
        violations.text(body.get("name"), "name", NAME)
        violations.text(body.get("chatBarText"), "chatBarText", CHAT_BAR_TEXT)
        if not isinstance(body.get("selected"), bool):
            violations.add("selected", "Must be a boolean")
        for index, area in enumerate(violations.items(body.get("areas"), "areas", 0, AREAS)):
            _check_area(area, f"areas[{index}]", violations)
    if violations:
        raise invalid_body(violations)


def _check_size(value: Any, violations: Violations) -> None:
    size = violations.object(value, "size")
    if size is None:
        return
    before = len(violations)
    for name, least, most in (("width", *WIDTHS), ("height", LEAST_HEIGHT, WIDTHS[1])):
        _check_pixels(size.get(name), f"size.{name}", violations, least, most)
    if len(violations) == before and not _fits(size["width"], size["height"]):
        violations.add("size", f"The aspect ratio (width / height) must be at least {LEAST_RATIO}")


def _check_area(value: Any, path: str, violations: Violations) -> None:
    area = violations.object(value, path)
    if area is None:
        return
    bounds = violations.object(area.get("bounds"), f"{path}.bounds")
    for name, least in (("x", 0), ("y", 0), ("width", 1), ("height", 1)) if bounds is not None else ():
        _check_pixels((bounds or {}).get(name), f"{path}.bounds.{name}", violations, least, WIDTHS[1])
    check_action(area.get("action"), f"{path}.action", violations, label_required=False)


def _check_pixels(value: Any, path: str, violations: Violations, least: int, most: int) -> None:
    if isinstance(value, float):
        violations.add(path, "Must be an integer")
    else:
        violations.number(value, path, least, most)
