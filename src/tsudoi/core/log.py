"""Structured logs, one JSON object per line on standard error, with personal data masked before it is written."""

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from dataclasses import fields, is_dataclass
from datetime import date
from functools import lru_cache
from typing import Any
from uuid import UUID

import orjson
import structlog

_SECRET_KEYS = re.compile(r"(?i)(password|passwd|secret|token|authorization|cookie|csrf|pin|api[-_]?key|signature)")
_PERSONAL_KEYS = re.compile(
    r"(?i)^(name|full_?name|display_?name|inputName|normalized|email|mail|phone\w*|tel|address|text|picture_?url)$"
)
_EMAIL = re.compile(r"(?<![\w.+%-])[\w.+%-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+")
# ASCII, here and below: Japanese runs on without spaces, so that there is no word boundary before an id or a number.
_LINE_USER = re.compile(r"(?a)\bU[0-9a-f]{32}\b")
_DIGIT, _GAP = "[0-9０-９]", "[-\\s()（）‐-―−ー－]{0,2}"
_PHONE = re.compile(
    rf"(?<![A-Za-z0-9_-])(?<!\d\.)(?:[+＋]81{_GAP}(?:0\)?)?|[0０]){_DIGIT}{{1,4}}{_GAP}{_DIGIT}{{1,4}}{_GAP}{_DIGIT}{{3,4}}"
    r"(?![A-Za-z0-9_-])"
)
_BEARER = re.compile(r"(?ia)\b(bearer\s+)[\w.~+/=-]{8,}")
_JWT = re.compile(r"(?a)\beyJ[\w-]+\.[\w-]+\.[\w-]*")
# PostgreSQL quotes the whole row in its errors, including names.
_DETAIL = re.compile(r"(?s)\bDETAIL:.*?(?=\n\n|\n(?:HINT|CONTEXT|\[SQL)|\Z)")
# Strings and containers longer or deeper than this say nothing more to a reader and cost a lot to write.
_LONGEST = 4_000
_DEEPEST = 8
# The id of a LINE user has 33 characters.
_SHORTEST_ID = 33
_LARGEST_NUMBER = 2**63


def mask_text(text: str) -> str:
    if len(text) < _SHORTEST_ID and text.isascii() and text.isalpha():
        return text  # One English word is none of the things below, and most values of a request are such words.
    text = text.encode(errors="replace").decode()  # A lone surrogate would keep the whole line out of the log.
    text = _DETAIL.sub("DETAIL: ***", text)
    text = _JWT.sub("***", text)
    text = _BEARER.sub(r"\1***", text)
    text = _EMAIL.sub("***@***", text)
    text = _LINE_USER.sub(lambda found: f"U***{found.group()[-4:]}", text)
    return _PHONE.sub("***", text)


def mask(value: Any, depth: int = 0) -> Any:
    """Replace secrets and personal data. Structure, keys and numbers are kept, so that the log stays useful."""
    if depth > _DEEPEST:
        return "…"
    if type(value) is str:  # The most frequent kind, in each row of `api_call_logs`.
        return value if value == "***" else _mask_long(value)
    if (
        value is None
        or isinstance(value, bool | float | date | UUID)
        or (isinstance(value, int) and -_LARGEST_NUMBER <= value < _LARGEST_NUMBER)
    ):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return {_mask_key(str(key)): _mask_entry(str(key), entry, depth) for key, entry in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [mask(entry, depth + 1) for entry in value]
    return _mask_long(value if isinstance(value, str) else repr(value))


def _mask_long(text: str) -> str:
    # Both ends are kept, because the last lines of a trace name the error.
    return mask_text(text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}")


# The keys are always the same few, so they are looked at once.
@lru_cache(maxsize=1024)
def _mask_key(key: str) -> str:
    return mask_text(key)


@lru_cache(maxsize=1024)
def _is_secret(key: str) -> bool:
    return bool(_SECRET_KEYS.search(key) or _PERSONAL_KEYS.match(key))


def _mask_entry(key: str, value: Any, depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if _is_secret(key):
        return "***"
    return mask(value, depth + 1)


def _mask_event(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return {
        key: (value if key in ("level", "timestamp") or key.startswith("_") else _mask_entry(key, value, 0))
        for key, value in event.items()
    }


def _render(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> str:
    return (
        orjson.dumps(event, default=repr, option=orjson.OPT_NON_STR_KEYS)
        .decode()
        .replace("\x85", "\\u0085")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )


def configure_logging(level: str = "INFO") -> None:
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        _mask_event,
    ]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _render],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for noisy in ("uvicorn.access", "httpx2", "httpcore2", "urllib3", "alembic"):
        logging.getLogger(noisy).setLevel("WARNING")
