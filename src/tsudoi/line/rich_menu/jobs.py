"""Putting the menu in front of everybody, in steps that a second run can finish."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.clients.line_outcomes import LineUnreachable, Rejected
from tsudoi.line.rich_menu.rules.menu import plan

_HTTP_NOT_FOUND = 404

Step = Literal["look", "create", "upload", "show", "tidy"]


@dataclass(frozen=True, slots=True)
class Published:
    """`made`: the new menu's id, or None when everybody saw this very menu already."""

    made: str | None
    removed: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """At which step, and why. What was done before it stays done."""

    step: Step
    why: Rejected | LineUnreachable


def publish(account: LineAccount, menu: dict[str, Any], png: bytes) -> Published | Stopped:
    """Old menus go last: at every moment in between, members have a menu that works."""
    default_id = account.default_rich_menu()
    if isinstance(default_id, Rejected | LineUnreachable):
        return Stopped("look", default_id)
    existing = account.list_rich_menus()
    if isinstance(existing, Rejected | LineUnreachable):
        return Stopped("look", existing)
    wanted = plan(menu["name"], existing, default_id)
    made = None if wanted.shown else _show(account, menu, png)
    return made if isinstance(made, Stopped) else _tidy(account, made, wanted.leftovers)


def _show(account: LineAccount, menu: dict[str, Any], png: bytes) -> str | Stopped:
    made = account.create_rich_menu(menu)
    if not isinstance(made, str):
        return Stopped("create", made)
    if (refused := account.upload_rich_menu_image(made, png)) is not None:
        return Stopped("upload", refused)
    if (refused := account.set_default_rich_menu(made)) is not None:
        return Stopped("show", refused)
    return made


def _tidy(account: LineAccount, made: str | None, leftovers: Sequence[str]) -> Published | Stopped:
    for menu_id in leftovers:
        refused = account.delete_rich_menu(menu_id)
        # Somebody else, perhaps a second run, was quicker.
        gone = isinstance(refused, Rejected) and refused.status == _HTTP_NOT_FOUND
        if refused is not None and not gone:
            return Stopped("tidy", refused)
    return Published(made, len(leftovers))
