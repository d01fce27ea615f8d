"""Webhooks: signed as LINE signs them, posted to the product, and on demand wrong in the ways that happen."""

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

from tsudoi.sandbox.calls import Call
from tsudoi.sandbox.state import World
from tsudoi.sandbox.webhook_log import Attempt, SentWebhook

ANSWER_SECONDS = 2.0


@dataclass(frozen=True)
class Manner:
    """How a webhook is delivered. By default as a good one."""

    copies: int = 1
    bad_signature: bool = False
    age_seconds: float = 0.0
    omit_event_id: bool = False


AS_USUAL = Manner()


def sign(secret: str, body: bytes) -> str:
    return base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest()).decode()


class Postman:
    def __init__(self, world: World) -> None:
        self._world = world
        self._client = httpx2.AsyncClient(trust_env=False, follow_redirects=False)

    async def close(self) -> None:
        await self._client.aclose()

    async def deliver(self, event: dict[str, Any], manner: Manner = AS_USUAL) -> dict[str, Any]:
        sent = self._world.webhook_log.add(event["webhookEventId"], _dressed(event, manner))
        return await self._send(sent, manner, redelivery=False)

    async def redeliver(self, sent: SentWebhook, manner: Manner = AS_USUAL) -> dict[str, Any]:
        """The id and the time stay those of the first delivery; only the mark changes."""
        sent.event = {**sent.event, "deliveryContext": {"isRedelivery": True}}
        return await self._send(sent, manner, redelivery=True)

    async def _send(self, sent: SentWebhook, manner: Manner, *, redelivery: bool) -> dict[str, Any]:
        body = self.envelope([sent.event])
        note = f"{sent.event['type']}{' (redelivery)' if redelivery else ''}"
        copies = (
            self.post(body, note=note, bad_signature=manner.bad_signature, redelivery=redelivery)
            for _ in range(manner.copies)
        )
        attempts = await asyncio.gather(*copies)
        sent.attempts.extend(attempts)
        answer = {
            "event_id": sent.event_id,
            "status": attempts[0].status,
            "error": attempts[0].error,
            "statuses": [attempt.status for attempt in attempts],
        }
        self._world.stream.tell("webhook", event_type=sent.event["type"], **answer)
        return answer

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
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await self._client.post(url, content=body, headers=headers, timeout=ANSWER_SECONDS)
        except (TimeoutError, httpx2.TimeoutException):
            return None, "request_timeout"
        except (httpx2.HTTPError, httpx2.InvalidURL):
            return None, "could_not_connect"
        return answer.status_code, None if answer.is_success else "error_status_code"


def _dressed(event: dict[str, Any], manner: Manner) -> dict[str, Any]:
    dressed = {**event, "timestamp": event["timestamp"] - round(manner.age_seconds * 1000)}
    if manner.omit_event_id:
        del dressed["webhookEventId"]
    return dressed
