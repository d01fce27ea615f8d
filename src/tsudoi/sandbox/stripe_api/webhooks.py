"""Signs webhooks as Stripe does and posts them to the product, again and again until it answers with 2xx."""

import asyncio
import contextlib
import hashlib
import hmac
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2
import orjson

from tsudoi.sandbox.calls import Attempt, Call
from tsudoi.sandbox.fault_places import FaultKind
from tsudoi.sandbox.state import World
from tsudoi.sandbox.stripe.account import StripeAccount
from tsudoi.sandbox.stripe.events import Event, Pending

TIMEOUT_SECONDS = 10.0
# How often the sandbox looks for sessions that end and for webhooks that are due by its clock.
_TICK_SECONDS = 0.5


@dataclass(frozen=True)
class PostOptions:
    """How one webhook is posted. The defaults post one good copy."""

    copies: int = 1
    bad_signature: bool = False
    age_seconds: float = 0.0


def sign(secret: str, body: bytes, at: int) -> str:
    """The header `Stripe-Signature`. The key is the whole secret, with its prefix."""
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


class StripeWebhooks:
    """Posts the events of the account in the background, and at once where somebody waits for them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._client = httpx2.AsyncClient(trust_env=False, follow_redirects=False)
        self._wake = asyncio.Event()
        # The ids of events that are being posted, so that nobody else posts them.
        self._taken: set[str] = set()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        loop = asyncio.create_task(self._run())
        try:
            yield
        finally:
            loop.cancel()
            await asyncio.gather(loop, return_exceptions=True)
            await self._client.aclose()

    def wake(self) -> None:
        self._wake.set()

    async def _run(self) -> None:
        while True:
            if self._world.stripe.let_time_pass(self._world.clock.now_seconds()):
                self._world.changed.set()
            self._schedule()
            await self._deliver(self._due(self._world.stripe.queue.pending))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), _TICK_SECONDS)
            self._wake.clear()

    async def deliver(self, events: Sequence[Event]) -> list[dict[str, Any]]:
        """Posts the events that have just happened, one after the other, and says what became of each."""
        self._schedule()
        queue, wanted = self._world.stripe.queue, {event.id for event in events}
        waiting = {each for each in queue.pending if each in wanted}
        results = await self._deliver(self._due([each for each in queue.pending if each in wanted]))
        posted = {result["event_id"] for result in results}
        not_posted = [
            _result(event, [], "delayed" if event.id in waiting else "not_posted")
            for event in events
            if event.id not in posted
        ]
        return [*results, *not_posted]

    async def flush(self) -> list[dict[str, Any]]:
        """Posts everything that waits, whenever it is due, and waits for what the background is posting."""
        self._schedule()
        results = await self._deliver([each for each in self._world.stripe.queue.pending if each not in self._taken])
        while self._taken:  # noqa: ASYNC110 (the background holds them for a moment only)
            await asyncio.sleep(0.01)
        return results

    def _due(self, event_ids: Iterable[str]) -> list[str]:
        now, pending = self._world.clock.now_ms(), self._world.stripe.queue.pending
        return [each for each in event_ids if pending[each].due_ms <= now and each not in self._taken]

    async def _deliver(self, event_ids: list[str]) -> list[dict[str, Any]]:
        account = self._world.stripe
        self._taken.update(event_ids)
        try:
            return [await self._attempt(account, account.events[each]) for each in event_ids]
        finally:
            self._taken.difference_update(event_ids)

    def _schedule(self) -> None:
        """Puts new events into the queue, in the order that was set, late or not at all where a rule says so."""
        account, faults, now = self._world.stripe, self._world.faults, self._world.clock.now_ms()
        queue = account.queue
        while queue.batches:
            together = queue.ordered([account.events[each] for each in queue.batches.pop(0)])
            if faults.of_webhook(FaultKind.WEBHOOK_REORDERED):
                together.reverse()
            for event in together:
                drawn = faults.of_webhook(FaultKind.WEBHOOK_DROPPED, FaultKind.WEBHOOK_DELAYED)
                if FaultKind.WEBHOOK_DROPPED in drawn or (queue.types is not None and event.type not in queue.types):
                    continue
                late = drawn[FaultKind.WEBHOOK_DELAYED].seconds if FaultKind.WEBHOOK_DELAYED in drawn else 0
                queue.pending[event.id] = Pending(now + round(late * 1000), now)

    async def _attempt(self, account: StripeAccount, event: Event) -> dict[str, Any]:
        """One attempt. What fails is put off; without an address it is given up."""
        began = self._world.clock.now_ms()
        drawn = self._world.faults.of_webhook(FaultKind.WEBHOOK_REPEATED, FaultKind.WEBHOOK_BAD_SIGNATURE)
        copies = 2 if FaultKind.WEBHOOK_REPEATED in drawn else 1
        options = PostOptions(copies, bad_signature=FaultKind.WEBHOOK_BAD_SIGNATURE in drawn)
        attempts = await self._post(account, event, options)
        if any(attempt.error is None for attempt in attempts) or self._world.stripe_endpoint() is None:
            account.queue.pending.pop(event.id, None)
        elif event.id in account.queue.pending:
            account.queue.put_off(event.id, began)
        return _result(event, attempts)

    async def resend(self, event: Event, options: PostOptions) -> dict[str, Any]:
        """Posts an event again, as Stripe's dashboard does. What waits in the queue still waits."""
        return _result(event, await self._post(self._world.stripe, event, options))

    async def _post(self, account: StripeAccount, event: Event, options: PostOptions) -> list[Attempt]:
        sent = account.webhook_log.get(event.id) or account.webhook_log.add(event.id, event.as_json())
        again = bool(sent.attempts)
        posts = (self._post_once(event, options, redelivery=again) for _ in range(options.copies))
        attempts = list(await asyncio.gather(*posts))
        sent.attempts.extend(attempts)
        event.delivered = event.delivered or any(attempt.error is None for attempt in attempts)
        self._world.changed.set()
        return attempts

    async def _post_once(self, event: Event, options: PostOptions, *, redelivery: bool) -> Attempt:
        url, started = self._world.stripe_endpoint(), time.perf_counter()
        if url is None:
            return Attempt(self._world.clock.now_ms(), None, "webhook_url_not_set", 0.0, redelivery)
        status, error = await self._try(url, event, options)
        ms = (time.perf_counter() - started) * 1000
        self._world.record_call(Call("out", "POST", urlsplit(url).path, status, ms, error or event.type))
        return Attempt(self._world.clock.now_ms(), status, error, ms, redelivery)

    async def _try(self, url: str, event: Event, options: PostOptions) -> tuple[int | None, str | None]:
        """Time and signature are new at every attempt; the id and the content stay the same."""
        body = orjson.dumps(event.as_json(), option=orjson.OPT_INDENT_2)
        secret = self._world.config.stripe_webhook_secret + ("-not-it" if options.bad_signature else "")
        headers = {
            "content-type": "application/json; charset=utf-8",
            "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
            "stripe-signature": sign(secret, body, self._world.clock.now_seconds() - round(options.age_seconds)),
        }
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                response = await self._client.post(url, content=body, headers=headers, timeout=TIMEOUT_SECONDS)
        except (TimeoutError, httpx2.TimeoutException):
            return None, "request_timeout"
        except (httpx2.HTTPError, httpx2.InvalidURL):
            return None, "could_not_connect"
        return response.status_code, None if response.is_success else "error_status_code"


def _result(event: Event, attempts: list[Attempt], why_none: str | None = None) -> dict[str, Any]:
    return {
        "event_id": event.id,
        "type": event.type,
        "status": attempts[0].status if attempts else None,
        "error": attempts[0].error if attempts else why_none,
        "statuses": [attempt.status for attempt in attempts],
    }
