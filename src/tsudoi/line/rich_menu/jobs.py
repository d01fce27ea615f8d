"""Publishes the menu to all users, in steps that a second run can finish."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tsudoi.gateway.clients.line_account import LineAccount
from tsudoi.gateway.clients.line_outcomes import LineUnreachable, Rejected
from tsudoi.line.rich_menu.rules.menu import plan

_HTTP_NOT_FOUND = 404

Step = Literal["look", "create", "upload", "show", "tidy"]


@dataclass(frozen=True, slots=True)
class MenuPublished:
    """The menu is published. `made`: the id of the new menu, or None if this menu was already the default."""

    made: str | None
    removed: int


@dataclass(frozen=True, slots=True)
class PublishStopped:
    """The step that failed, and why. The steps before it are not undone."""

    step: Step
    why: Rejected | LineUnreachable


def publish(account: LineAccount, menu: dict[str, Any], png: bytes) -> MenuPublished | PublishStopped:
    """Old menus are deleted last, so that members have a working menu at every moment."""
    default_id = account.default_rich_menu()
    if isinstance(default_id, Rejected | LineUnreachable):
        return PublishStopped("look", default_id)
    existing = account.list_rich_menus()
    if isinstance(existing, Rejected | LineUnreachable):
        return PublishStopped("look", existing)
    wanted = plan(menu["name"], existing, default_id)
    made = None if wanted.shown else _show(account, menu, png)
    return made if isinstance(made, PublishStopped) else _tidy(account, made, wanted.leftovers)


def _show(account: LineAccount, menu: dict[str, Any], png: bytes) -> str | PublishStopped:
    made = account.create_rich_menu(menu)
    if not isinstance(made, str):
        return PublishStopped("create", made)
    if (refused := account.upload_rich_menu_image(made, png)) is not None:
        return PublishStopped("upload", refused)
    if (refused := account.set_default_rich_menu(made)) is not None:
        return PublishStopped("show", refused)
    return made


def _tidy(account: LineAccount, made: str | None, leftovers: Sequence[str]) -> MenuPublished | PublishStopped:
    for menu_id in leftovers:
        refused = account.delete_rich_menu(menu_id)
        # Another run may have deleted it already.
        gone = isinstance(refused, Rejected) and refused.status == _HTTP_NOT_FOUND
        if refused is not None and not gone:
            return PublishStopped("tidy", refused)
    return MenuPublished(made, len(leftovers))
