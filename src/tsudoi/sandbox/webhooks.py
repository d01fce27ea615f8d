"""Signs webhooks as LINE does and posts them to the product, on demand with the mistakes that happen."""

import asyncio
import base64
import hashlib
import hmac
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2
import orjson

from tsudoi.sandbox.calls import Attempt, Call, SentWebhook
from tsudoi.sandbox.state import World

TIMEOUT_SECONDS = 2.0


@dataclass(frozen=True)
class DeliveryOptions:
    """How a webhook is delivered. The defaults deliver one good copy."""

    copies: int = 1
    bad_signature: bool = False
    age_seconds: float = 0.0
    omit_event_id: bool = False


ONE_GOOD_DELIVERY = DeliveryOptions()


def sign(secret: str, body: bytes) -> str:
    return base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest()).decode()


class WebhookSender:
    """Posts webhooks to the product and records every attempt."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._client = httpx2.AsyncClient(trust_env=False, follow_redirects=False)

    async def close(self) -> None:
        await self._client.aclose()

    async def deliver(self, event: dict[str, Any], options: DeliveryOptions = ONE_GOOD_DELIVERY) -> dict[str, Any]:
        changed = {**event, "timestamp": event["timestamp"] - round(options.age_seconds * 1000)}
        if options.omit_event_id:
            del changed["webhookEventId"]
        sent = self._world.webhook_log.add(event["webhookEventId"], changed)
        return await self._send(sent, options, redelivery=False)

    async def redeliver(self, sent: SentWebhook, options: DeliveryOptions = ONE_GOOD_DELIVERY) -> dict[str, Any]:
        """Sends a webhook again. Its id and time stay the same; only `isRedelivery` changes."""
        sent.event = {**sent.event, "deliveryContext": {"isRedelivery": True}}
        return await self._send(sent, options, redelivery=True)

    async def _send(self, sent: SentWebhook, options: DeliveryOptions, *, redelivery: bool) -> dict[str, Any]:
        body = self.envelope([sent.event])
        note = f"{sent.event['type']}{' (redelivery)' if redelivery else ''}"
        copies = (
            self.post(body, note=note, bad_signature=options.bad_signature, redelivery=redelivery)
            for _ in range(options.copies)
        )
        attempts = await asyncio.gather(*copies)
        sent.attempts.extend(attempts)
        result = {
            "event_id": sent.event_id,
            "status": attempts[0].status,
            "error": attempts[0].error,
            "statuses": [attempt.status for attempt in attempts],
        }
        self._world.stream.publish("webhook", event_type=sent.event["type"], **result)
        return result

    def envelope(self, events: list[dict[str, Any]]) -> bytes:
        return orjson.dumps({"destination": self._world.bot_user_id, "events": events})

    async def post(
        self,
        body: bytes,
        *,
        note: str,
        url: str | None = None,
        bad_signature: bool = False,
        redelivery: bool = False,
    ) -> Attempt:
        url = url or (self._world.webhook_url if self._world.webhook_active else None)
        started = time.perf_counter()
        status, error = (None, "webhook_url_not_set") if url is None else await self._try(url, body, bad_signature)
        ms = (time.perf_counter() - started) * 1000
        if url is not None:
            self._world.record_call(Call("out", "POST", urlsplit(url).path, status, ms, error or note))
        return Attempt(self._world.clock.now_ms(), status, error, ms, redelivery)

    async def _try(self, url: str, body: bytes, bad_signature: bool) -> tuple[int | None, str | None]:
        secret = self._world.config.channel_secret + ("-not-it" if bad_signature else "")
        headers = {
            "content-type": "application/json; charset=utf-8",
            "user-agent": "LineBotWebhook/2.0",
            "x-line-signature": sign(secret, body),
        }
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                response = await self._client.post(url, content=body, headers=headers, timeout=TIMEOUT_SECONDS)
        except (TimeoutError, httpx2.TimeoutException):
            return None, "request_timeout"
        except (httpx2.HTTPError, httpx2.InvalidURL):
            return None, "could_not_connect"
        return response.status_code, None if response.is_success else "error_status_code"
