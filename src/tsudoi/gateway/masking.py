"""What `api_call_logs` keeps of a call: its structure, without personal data and secrets."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

import orjson

from tsudoi.core.log import mask, mask_text

_LONGEST_BODY = 4_000
_DEEPEST_ROWS, _DEEPEST_CONTENT = 4, 12
_ROWS = ("values", "to")
# In addition to the fields that every log masks: text and links of messages, fields of LINE profiles, and what Stripe
# knows about the person who pays. The numbers of a konbini payment are enough to pay it, and one is a phone number.
_CONTENT_KEYS = re.compile(
    r"(?i)^(alt_?text|title|label|uri|\w*url|picture|data|display_?text|fill_?in_?text|status_?message"
    r"|\w*_email|\w*_name|last4|fingerprint|confirmation_number|payment_code)$"
)
# Stripe's keys, the secrets with which a browser pays, and addresses of payment pages, wherever they stand in a text.
_PAYMENT_SECRETS = re.compile(
    r"\b(?:[sr]k_(?:test|live)_|whsec_)[\w*]+|\b(?:pi|seti|cs_test|cs_live)_\w+?_secret_\w+|https?://[^\s\"\\]+/c/pay/[^\s\"\\]+"
)


def masked_url(url: str) -> str:
    """Query values are masked altogether: they carry tokens, mail addresses and phone numbers.

    In the path a percent-encoded mail address, such as `taro%40example.jp`, is masked too.
    """
    parts = urlsplit(url)
    plain = unquote(parts.path)
    masked = mask_text(plain)
    path = parts.path if masked == plain else quote(masked, safe="/*@")
    query = urlencode([(name, "***") for name, _ in parse_qsl(parts.query, keep_blank_values=True)], safe="*")
    host = parts.netloc.rpartition("@")[2]
    return mask_text(urlunsplit((parts.scheme, host, path, query, "")))


def length_of(body: bytes | None) -> str | None:
    """All that is kept of a body in which every text is about people."""
    return f"({len(body)} bytes)" if body else None


def masked_body(body: bytes | None) -> str | None:
    """JSON with its personal fields masked. Anything else is described by its size alone."""
    if not body:
        return None
    try:
        parsed: Any = orjson.loads(body)
    except orjson.JSONDecodeError:
        return length_of(body)
    if not isinstance(parsed, dict | list):
        return length_of(body)
    # Content first, because it need not be searched for personal data any more then.
    text = _PAYMENT_SECRETS.sub("***", orjson.dumps(mask(_without_content(_without_rows(parsed)))).decode())
    return text if len(text) <= _LONGEST_BODY else f"{text[:_LONGEST_BODY]}…"


def allowed_body(body: bytes | None, allowed: Mapping[str, re.Pattern[str]]) -> str | None:
    """JSON of which only the named fields are kept, and those only if the value has the expected form.

    For systems that know much about people: a field that they add tomorrow is masked as well.
    """
    if not body:
        return None
    try:
        parsed: Any = orjson.loads(body)
    except orjson.JSONDecodeError:
        return length_of(body)
    if not isinstance(parsed, dict | list):
        return length_of(body)
    text = orjson.dumps(_only_allowed(parsed, "", allowed)).decode()
    return text if len(text) <= _LONGEST_BODY else f"{text[:_LONGEST_BODY]}…"


_FIELD_NAME = re.compile(r"[a-z][a-z_]{0,39}")


def _only_allowed(value: Any, key: str, allowed: Mapping[str, re.Pattern[str]], depth: int = 0) -> Any:
    if depth > _DEEPEST_CONTENT:
        return "…"
    if isinstance(value, dict):
        return {
            name if _FIELD_NAME.fullmatch(name) else "***": _only_allowed(entry, name, allowed, depth + 1)
            for name, entry in value.items()
        }
    if isinstance(value, list):
        return [_only_allowed(entry, key, allowed, depth + 1) for entry in value]
    if value is None or isinstance(value, bool):
        return value
    form = allowed.get(key)
    return value if form is not None and form.fullmatch(str(value)) else "***"


def _without_rows(value: Any, depth: int = 0) -> Any:
    """Rows of a sheet and recipients of a message are personal data throughout, and costly to mask one by one."""
    if depth > _DEEPEST_ROWS:
        return value
    if isinstance(value, list):
        return [_without_rows(entry, depth + 1) for entry in value]
    if not isinstance(value, dict):
        return value
    return {
        key: f"({len(entry)} rows)" if key in _ROWS and isinstance(entry, list) else _without_rows(entry, depth + 1)
        for key, entry in value.items()
    }


@lru_cache(maxsize=1024)
def _is_content(key: str) -> bool:
    return _CONTENT_KEYS.match(key) is not None


def _without_content(value: Any, depth: int = 0) -> Any:
    if depth > _DEEPEST_CONTENT:
        return value  # `mask` leaves out what is deeper.
    if isinstance(value, list):
        return [_without_content(entry, depth + 1) for entry in value]
    if isinstance(value, dict):
        return {
            key: "***" if isinstance(entry, str) and _is_content(key) else _without_content(entry, depth + 1)
            for key, entry in value.items()
        }
    return value
