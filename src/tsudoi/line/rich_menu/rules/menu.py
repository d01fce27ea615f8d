"""The rich menu as JSON for LINE, and which of the menus at LINE are ours. Pure."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

WIDTH, HEIGHT = 2500, 843
IMAGE_BYTES = 1024 * 1024
ATTENDANCE, STAFF, NEWS = "出欠確認", "職員予約", "お知らせ"
_CHAT_BAR = "メニュー"
_LONGEST_URI = 1000
# Menus made in LINE's own console, or by another program, are never named like this.
_OURS = re.compile(r"tsudoi:[0-9a-f]{16}")


def menu(liff_url: str, news_url: str, png: bytes, staff_url: str | None = None) -> dict[str, Any]:
    """The name carries a hash of everything a person can see or tap, so that equal menus have equal names."""
    body = {
        "size": {"width": WIDTH, "height": HEIGHT},
        "selected": True,
        "chatBarText": _CHAT_BAR,
        "areas": areas(liff_url, news_url, staff_url),
    }
    visible = json.dumps(body, sort_keys=True, ensure_ascii=False).encode()
    return {**body, "name": f"tsudoi:{hashlib.sha256(visible + png).hexdigest()[:16]}"}


def areas(liff_url: str, news_url: str, staff_url: str | None = None) -> list[dict[str, Any]]:
    """What can be tapped. The door of staff stands in the middle where booking is on."""
    links = {ATTENDANCE: liff_url, NEWS: news_url}
    if staff_url is not None:
        links = {ATTENDANCE: liff_url, STAFF: staff_url, NEWS: news_url}
    places = spans(len(links))
    return [_area(x, width, label, uri) for (x, width), (label, uri) in zip(places, links.items(), strict=True)]


def spans(buttons: int) -> list[tuple[int, int]]:
    """Begin and width of each button."""
    edges = [round(WIDTH * place / buttons) for place in range(buttons + 1)]
    return [(left, right - left) for left, right in pairwise(edges)]


def _area(x: int, width: int, label: str, uri: str) -> dict[str, Any]:
    return {
        "bounds": {"x": x, "y": 0, "width": width, "height": HEIGHT},
        "action": {"type": "uri", "label": label, "uri": uri},
    }


def is_good_address(url: str) -> bool:
    """Only https is accepted, because LINE's browser shows a warning for anything else."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" and bool(parts.hostname) and url.isprintable() and len(url) <= _LONGEST_URI


@dataclass(frozen=True, slots=True)
class MenuPlan:
    """What to do with the menus at LINE. `shown`: ours is already the default. `leftovers`: older menus of ours."""

    shown: bool
    leftovers: tuple[str, ...]


def plan(name: str, existing: Sequence[tuple[str, str]], default_id: str | None) -> MenuPlan:
    """A menu of ours that is not the default is left from an earlier run, perhaps without a picture, and is deleted."""
    shown = any(menu_id == default_id and found == name for menu_id, found in existing)
    kept = default_id if shown else None
    return MenuPlan(shown, tuple(menu_id for menu_id, found in existing if _OURS.fullmatch(found) and menu_id != kept))
