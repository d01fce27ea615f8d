"""The rich menu as JSON for LINE, and which of the menus at LINE are ours. Pure."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise, product
from typing import Any
from urllib.parse import urlsplit

# The height of one row of buttons, and of two, whose rows are lower so that the chat above them keeps its place.
WIDTH, HEIGHT, HEIGHT_OF_TWO_ROWS = 2500, 843, 1120
IMAGE_BYTES = 1024 * 1024
ATTENDANCE, STAFF, SHOPS, NEWS = "出欠確認", "職員予約", "本人確認", "お知らせ"
# Four in a row would need smaller letters than people with weak eyesight can read.
_MOST_IN_A_ROW = 3
_CHAT_BAR = "メニュー"
_LONGEST_URI = 1000
# Menus made in LINE's own console, or by another program, are never named like this.
_OURS = re.compile(r"tsudoi:[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a button stands in the picture."""

    x: int
    y: int
    width: int
    height: int


def menu(
    liff_url: str, news_url: str, png: bytes, staff_url: str | None = None, shops_url: str | None = None
) -> dict[str, Any]:
    """The name carries a hash of everything a person can see or tap, so that equal menus have equal names."""
    tapped = areas(liff_url, news_url, staff_url, shops_url)
    body = {
        "size": {"width": WIDTH, "height": height(len(tapped))},
        "selected": True,
        "chatBarText": _CHAT_BAR,
        "areas": tapped,
    }
    visible = json.dumps(body, sort_keys=True, ensure_ascii=False).encode()
    return {**body, "name": f"tsudoi:{hashlib.sha256(visible + png).hexdigest()[:16]}"}


def areas(
    liff_url: str, news_url: str, staff_url: str | None = None, shops_url: str | None = None
) -> list[dict[str, Any]]:
    """What can be tapped."""
    links = {ATTENDANCE: liff_url, STAFF: staff_url, SHOPS: shops_url, NEWS: news_url}
    shown = labels(with_staff=staff_url is not None, with_shops=shops_url is not None)
    return [
        {"bounds": asdict(place), "action": {"type": "uri", "label": label, "uri": links[label]}}
        for place, label in zip(places(len(shown)), shown, strict=True)
    ]


def labels(*, with_staff: bool, with_shops: bool) -> list[str]:
    """The buttons, from left to right and then below. The door of the shops is the third one, with booking or without;
    the door of staff stands between the two that every menu has.
    """
    if with_staff:
        return [ATTENDANCE, STAFF, *([SHOPS] if with_shops else []), NEWS]
    return [ATTENDANCE, NEWS, *([SHOPS] if with_shops else [])]


def height(buttons: int) -> int:
    return HEIGHT if buttons <= _MOST_IN_A_ROW else HEIGHT_OF_TWO_ROWS


def places(buttons: int) -> list[Place]:
    """Up to three buttons stand in one row, and four in two rows."""
    rows = 1 if buttons <= _MOST_IN_A_ROW else 2
    down, across = _spans(height(buttons), rows), _spans(WIDTH, buttons // rows)
    return [Place(x, y, wide, high) for (y, high), (x, wide) in product(down, across)]


def _spans(length: int, parts: int) -> list[tuple[int, int]]:
    """Begin and length of each part."""
    edges = [round(length * part / parts) for part in range(parts + 1)]
    return [(begin, end - begin) for begin, end in pairwise(edges)]


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
