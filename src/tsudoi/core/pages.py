"""Pagination. A cursor says where the last page ended, so that new rows do not shift the next page."""

import base64
import binascii

import orjson

from tsudoi.core.errors import Detail, InvalidInput

# What a column of the database can be compared with: no larger number, and no NUL, which PostgreSQL refuses.
_LARGEST = 2**63


def encode_cursor(*parts: str | int) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(parts)).decode().rstrip("=")


def decode_cursor(cursor: str, *kinds: type[str] | type[int]) -> list[str | int]:
    """Return the checked parts. A cursor is input from outside and may be forged."""
    try:
        parts = orjson.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, binascii.Error):
        parts = None
    if not isinstance(parts, list) or [type(part) for part in parts] != list(kinds) or not all(map(_fits, parts)):
        raise InvalidInput("ページの指定が正しくありません。", [Detail("cursor", "INVALID_FORMAT")])
    return parts


def _fits(part: str | int) -> bool:
    return "\0" not in part if isinstance(part, str) else -_LARGEST <= part < _LARGEST
