"""What may be kept of a call: its shape, without the people and the secrets in it."""

from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import orjson

from tsudoi.core.log import mask, mask_text

_LONGEST_BODY = 4_000


def masked_url(url: str) -> str:
    """Query values are masked altogether: they carry tokens, mail addresses and phone numbers."""
    parts = urlsplit(url)
    query = urlencode([(name, "***") for name, _ in parse_qsl(parts.query, keep_blank_values=True)], safe="*")
    host = parts.netloc.rpartition("@")[2]
    return mask_text(urlunsplit((parts.scheme, host, parts.path, query, "")))


def masked_body(body: bytes | None) -> str | None:
    """JSON with its personal fields masked. Anything else is told by its size alone."""
    if not body:
        return None
    try:
        parsed: Any = orjson.loads(body)
    except orjson.JSONDecodeError:
        return f"({len(body)} bytes)"
    if not isinstance(parsed, dict | list):
        return f"({len(body)} bytes)"
    text = orjson.dumps(mask(parsed)).decode()
    return text if len(text) <= _LONGEST_BODY else f"{text[:_LONGEST_BODY]}…"
