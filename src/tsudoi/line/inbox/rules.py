"""Checks and parses the body of a webhook, and decides which events to keep. Pure."""

import base64
import hashlib
import hmac
import json
import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeGuard

OLDEST = timedelta(hours=24)
_LONGEST_ID = 200
# Up to the end of 9998: later moments, seen from Japan, are beyond what a datetime can hold.
_MS_RANGE = range(253_370_764_800_000)
# LINE's events are nested much less deep; the JSON writer fails at 254 levels.
_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class WebhookEvent:
    """One event of a webhook body, before it is stored."""

    key: str
    type: str
    user_id: str | None
    event_ms: int
    redelivered: bool
    payload: dict[str, Any]

    @property
    def at(self) -> datetime:
        return datetime.fromtimestamp(self.event_ms / 1000, UTC)


@dataclass(frozen=True, slots=True)
class ParsedWebhook:
    """The events to keep, the dropped ones with their reasons, and the fault of the whole body if it has one."""

    keep: tuple[WebhookEvent, ...] = ()
    drop: tuple[tuple[WebhookEvent | None, str], ...] = ()
    reason: Literal["signature_invalid", "not_json", "no_events"] | None = None


def signature_matches(channel_secret: str, body: bytes, signature: str | None) -> bool:
    """Compare in constant time, on the raw bytes, before anything is parsed."""
    if not channel_secret or signature is None:
        return False
    wanted = base64.b64encode(hmac.new(channel_secret.encode(), body, hashlib.sha256).digest())
    return hmac.compare_digest(wanted, signature.encode("utf-8", "replace"))


def parse_webhook(body: bytes, now: datetime) -> ParsedWebhook:
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        return ParsedWebhook(reason="not_json")
    events = parsed.get("events") if isinstance(parsed, dict) else None
    if not isinstance(events, list):
        return ParsedWebhook(reason="no_events")
    keep: list[WebhookEvent] = []
    drop: list[tuple[WebhookEvent | None, str]] = []
    for raw in events:
        event = _parse_event(raw)
        if event is None:
            drop.append((None, "unreadable_event"))
        elif now - event.at > OLDEST:
            drop.append((event, "older_than_24h"))
        else:
            keep.append(event)
    return ParsedWebhook(tuple(keep), tuple(drop))


def _parse_event(raw: Any) -> WebhookEvent | None:
    if not isinstance(raw, dict):
        return None
    kind, event_ms, source = raw.get("type"), raw.get("timestamp"), raw.get("source")
    user_id = source.get("userId") if isinstance(source, dict) else None
    if not _is_id(kind) or type(event_ms) is not int or event_ms not in _MS_RANGE:
        return None
    if user_id is not None and not _is_id(user_id):
        return None
    event_id = raw.get("webhookEventId")
    # The specification identifies an event without an id by its user, its time and its type.
    key = event_id if _is_id(event_id) else f"{user_id}+{event_ms}+{kind}"
    context = raw.get("deliveryContext")
    redelivered = isinstance(context, dict) and context.get("isRedelivery") is True
    return WebhookEvent(key, kind, user_id, event_ms, redelivered, raw)


def _is_id(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_ID and value.isprintable()


def storable_text(text: str | None) -> str | None:
    """Users can put any text into a LINE name; PostgreSQL refuses NUL, and UTF-8 has no lone surrogates."""
    return None if text is None else text.replace("\x00", "").encode("utf-8", "replace").decode()


def storable(value: Any, depth: int = 0) -> Any:
    """The JSON value as every database takes it."""
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, dict | list) and depth == _DEEPEST:
        return "…"
    if isinstance(value, dict):
        return {storable_text(key): storable(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, list):
        return [storable(entry, depth + 1) for entry in value]
    if isinstance(value, int) and abs(value) >= 2**63:
        return str(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value
