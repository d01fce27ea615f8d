"""Structured logs, one JSON object per line on standard error, with personal data masked before it is written."""

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import orjson
import structlog

_SECRET_KEYS = re.compile(r"(?i)(password|passwd|secret|token|authorization|cookie|csrf|pin|api[-_]?key|signature)")
_PERSONAL_KEYS = re.compile(
    r"(?i)^(name|full_?name|display_?name|inputName|normalized|email|mail|phone\w*|tel|address|text|picture_?url)$"
)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_LINE_USER = re.compile(r"\bU[0-9a-f]{32}\b")
_PHONE = re.compile(r"(?<![\w-])(?:\+81|0)\d{1,4}[-\s]?\d{1,4}[-\s]?\d{3,4}(?![\w-])")
_BEARER = re.compile(r"(?i)\b(bearer\s+)[\w.~+/=-]{8,}")
_JWT = re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]*")
# Strings and containers longer or deeper than this say nothing more to a reader and cost a lot to write.
_LONGEST = 4_000
_DEEPEST = 8


def mask_text(text: str) -> str:
    text = _JWT.sub("***", text)
    text = _BEARER.sub(r"\1***", text)
    text = _EMAIL.sub("***@***", text)
    text = _LINE_USER.sub(lambda found: f"U***{found.group()[-4:]}", text)
    return _PHONE.sub("***", text)


def mask(value: Any, depth: int = 0) -> Any:
    """The value with secrets and personal data replaced; shape, keys and numbers stay so that one can still see why."""
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, str):
        return mask_text(value if len(value) <= _LONGEST else value[:_LONGEST] + "…")
    if isinstance(value, dict):
        return {str(key): _mask_entry(str(key), entry, depth) for key, entry in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [mask(entry, depth + 1) for entry in value]
    return value


def _mask_entry(key: str, value: Any, depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if _SECRET_KEYS.search(key) or _PERSONAL_KEYS.match(key):
        return "***"
    return mask(value, depth + 1)


def _mask_event(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return {
        key: (value if key in ("event", "level", "timestamp") else _mask_entry(key, value, 0))
        for key, value in event.items()
    }


def _render(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> str:
    return (
        orjson.dumps(event, default=repr, option=orjson.OPT_NON_STR_KEYS)
        .decode()
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
