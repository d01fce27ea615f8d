"""Events, and the queue of the webhooks that carry them."""

from dataclasses import dataclass, field
from typing import Any

API_VERSION = "2026-10-28.endive"
LIFE_SECONDS = 30 * 24 * 60 * 60
_TRIED_FOR_MS = 3 * 24 * 60 * 60 * 1000
_LONGEST_PAUSE_MS = 60 * 60 * 1000


@dataclass(frozen=True)
class Cause:
    """The API request that caused an event. What the buyer does on the payment page has none."""

    request_id: str | None = None
    idempotency_key: str | None = None


NO_REQUEST = Cause()


@dataclass
class Event:
    """Something that happened. `content` is the object as it was then."""

    id: str
    type: str
    created: int
    livemode: bool
    content: dict[str, Any]
    cause: Cause = NO_REQUEST
    delivered: bool = False

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": "event",
            "api_version": API_VERSION,
            "created": self.created,
            "data": {"object": self.content},
            "livemode": self.livemode,
            "pending_webhooks": 0 if self.delivered else 1,
            "request": {"id": self.cause.request_id, "idempotency_key": self.cause.idempotency_key},
            "type": self.type,
        }


@dataclass
class Pending:
    """An event whose webhook has not been answered with 2xx yet."""

    due_ms: int
    first_ms: int
    attempts: int = 0


@dataclass
class WebhookQueue:
    """What is to be posted, in which order, and when.

    `order` lists types: events that happen together are posted in this order, the others after them. `types`: only
    these are posted, as if the endpoint had subscribed to no others.
    """

    order: list[str] = field(default_factory=list)
    types: list[str] | None = None
    retry_seconds: float = 5.0
    # The ids of events that happened together and have not been scheduled yet.
    batches: list[list[str]] = field(default_factory=list)
    pending: dict[str, Pending] = field(default_factory=dict)

    def ordered(self, events: list[Event]) -> list[Event]:
        last = len(self.order)
        return sorted(events, key=lambda event: self.order.index(event.type) if event.type in self.order else last)

    def put_off(self, event_id: str, began_ms: int) -> None:
        """After an attempt that began then. The pause doubles with every attempt; after three days Stripe gives up."""
        waiting = self.pending[event_id]
        waiting.attempts += 1
        pause = min(self.retry_seconds * 1000 * 2 ** min(waiting.attempts - 1, 20), _LONGEST_PAUSE_MS)
        waiting.due_ms = began_ms + round(pause)
        if waiting.due_ms - waiting.first_ms > _TRIED_FOR_MS:
            del self.pending[event_id]
