import base64
import hashlib
import hmac
import json
import tempfile
import time

from bench.load import load, request
from bench.ours import CHANNEL_SECRET
from bench.serving import serving
from bench.table import Row


def measure() -> list[Row]:
    """Time to LINE's 200: signature, de-duplication and a durable row. Every request is a new event."""
    asked = [signed(number) for number in range(20_000)]
    with tempfile.TemporaryDirectory() as folder, serving("bench.ours:plain", BENCH_FOLDER=folder) as port:
        result = load(port, asked, clients=32, seconds=5)
    assert not result.errors
    return [
        Row("webhook post, 32 clients: throughput", f"{result.per_second:,.0f}/s"),
        Row("webhook post, 32 clients: p50", f"{result.p50_ms:.1f} ms"),
        Row("webhook post, 32 clients: p99", f"{result.p99_ms:.1f} ms", aim="< 50 ms (limit 300)"),
    ]


def signed(number: int) -> bytes:
    event = {
        "type": "follow",
        "mode": "active",
        "timestamp": int(time.time() * 1000),
        "source": {"type": "user", "userId": f"U{number:032x}"},
        "replyToken": f"{number:032x}",
        "webhookEventId": f"01BENCH{number:019d}",
        "deliveryContext": {"isRedelivery": False},
        "follow": {"isUnblocked": False},
    }
    body = json.dumps({"destination": "U" + "0" * 32, "events": [event]}).encode()
    signature = base64.b64encode(hmac.new(CHANNEL_SECRET.encode(), body, hashlib.sha256).digest()).decode()
    return request(
        "POST", "/api/line/webhook", body, {"content-type": "application/json", "x-line-signature": signature}
    )
