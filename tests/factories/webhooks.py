"""Webhook bodies as LINE posts them, signed as LINE signs them."""

import base64
import hashlib
import hmac
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import orjson

from tests.conftest import NOON

_numbers = count(1)


def user_id(number: int) -> str:
    return f"U{number:032x}"


def sign(secret: str, body: bytes) -> str:
    return base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest()).decode()


def event(
    kind: str = "follow",
    who: str | None = None,
    at: datetime | None = None,
    event_id: str | None = "",
    **more: Any,
) -> dict[str, Any]:
    """An event of its own each time; `event_id=None` leaves the id away as old webhooks did."""
    number = next(_numbers)
    made: dict[str, Any] = {
        "type": kind,
        "mode": "active",
        "timestamp": round((at or NOON + timedelta(milliseconds=number)).timestamp() * 1000),
        "source": {"type": "user", "userId": who or user_id(number)},
        "webhookEventId": f"01EVENT{number:019d}" if event_id == "" else event_id,
        "deliveryContext": {"isRedelivery": False},
        **more,
    }
    if event_id is None:
        del made["webhookEventId"]
    return made


def body_of(*events: Any) -> bytes:
    return orjson.dumps({"destination": "U" + "d" * 32, "events": list(events)})
