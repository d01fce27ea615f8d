"""Why a notice failed, read from its `last_error`. Pure."""

from typing import Literal, get_args

Cause = Literal[
    "QUOTA", "BUSY", "TOKEN", "REFUSED", "LINE_TROUBLE", "NO_ANSWER", "NO_LINE_LINK", "EXPIRED", "TEMPLATE", "OTHER"
]
CAUSES: tuple[Cause, ...] = get_args(Cause)

# How `last_error` looks, as a pattern of SQL's LIKE, so that the database can count causes too. The first one decides.
PATTERNS: tuple[tuple[Cause, str], ...] = (
    ("NO_LINE_LINK", "NO_LINE_LINK%"),
    ("EXPIRED", "EXPIRED%"),
    ("TEMPLATE", "TEMPLATE%"),
    ("NO_ANSWER", "UNKNOWN%"),
    ("QUOTA", "HTTP 429%monthly limit%"),
    ("BUSY", "HTTP 429%"),
    ("TOKEN", "HTTP 401%"),
    ("TOKEN", "HTTP 403%"),
    ("REFUSED", "HTTP 4%"),
    ("LINE_TROUBLE", "HTTP 5%"),
)


def cause_of(last_error: str | None) -> Cause:
    return next((cause for cause, pattern in PATTERNS if _is_like(last_error or "", pattern)), "OTHER")


def _is_like(text: str, pattern: str) -> bool:
    """SQL's LIKE for a pattern that begins with a word and ends with `%`."""
    begin, *parts = pattern.split("%")
    if not text.startswith(begin):
        return False
    place = len(begin)
    for part in parts:
        place = text.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return True
