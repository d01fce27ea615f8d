"""What a webhook body says, and what is to be done with it. Pure: bytes in, decisions out."""

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
# Nothing of LINE's is nested half as deep; the JSON writer gives up at 254.
_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Incoming:
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
class Reading:
    """The events worth keeping, the ones dropped with the reason, and what was wrong with the body as a whole."""

    keep: tuple[Incoming, ...] = ()
    drop: tuple[tuple[Incoming | None, str], ...] = ()
    reason: Literal["signature_invalid", "not_json", "no_events"] | None = None


def signature_matches(channel_secret: str, body: bytes, signature: str | None) -> bool:
    """In constant time, on the raw bytes, before anything is parsed."""
    if not channel_secret or signature is None:
        return False
    wanted = base64.b64encode(hmac.new(channel_secret.encode(), body, hashlib.sha256).digest())
    return hmac.compare_digest(wanted, signature.encode("utf-8", "replace"))


def read(body: bytes, now: datetime) -> Reading:
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        return Reading(reason="not_json")
    events = parsed.get("events") if isinstance(parsed, dict) else None
    if not isinstance(events, list):
        return Reading(reason="no_events")
    keep: list[Incoming] = []
    drop: list[tuple[Incoming | None, str]] = []
    for raw in events:
        event = _incoming(raw)
        if event is None:
            drop.append((None, "unreadable_event"))
        elif not _is_recent(event, now):
            drop.append((event, "older_than_24h"))
        else:
            keep.append(event)
    return Reading(tuple(keep), tuple(drop))


def _incoming(raw: Any) -> Incoming | None:
    if not isinstance(raw, dict):
        return None
    kind, event_ms, source = raw.get("type"), raw.get("timestamp"), raw.get("source")
    user_id = source.get("userId") if isinstance(source, dict) else None
    if not _is_id(kind) or type(event_ms) is not int or event_ms not in _MS_RANGE:
        return None
    if user_id is not None and not _is_id(user_id):
        return None
    event_id = raw.get("webhookEventId")
    # Without an id of its own an event is known by who did it and when, as the document says.
    key = event_id if _is_id(event_id) else f"{user_id}+{event_ms}+{kind}"
    context = raw.get("deliveryContext")
    redelivered = isinstance(context, dict) and context.get("isRedelivery") is True
    return Incoming(key, kind, user_id, event_ms, redelivered, raw)


def _is_id(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_ID and value.isprintable()


def _is_recent(event: Incoming, now: datetime) -> bool:
    return now - event.at <= OLDEST


def storable(payload: dict[str, Any]) -> dict[str, Any]:
    """Text that every database takes: PostgreSQL refuses NUL, and UTF-8 has no lone surrogates."""
    clean: dict[str, Any] = _clean(payload)
    return clean


def _clean(value: Any, depth: int = 0) -> Any:
    if isinstance(value, str):
        return value.replace("\x00", "").encode("utf-8", "replace").decode()
    if isinstance(value, dict | list) and depth == _DEEPEST:
        return "…"
    if isinstance(value, dict):
        return {_clean(key): _clean(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, list):
        return [_clean(entry, depth + 1) for entry in value]
    return _clean_number(value)


def _clean_number(value: Any) -> Any:
    if isinstance(value, int) and abs(value) >= 2**63:
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
