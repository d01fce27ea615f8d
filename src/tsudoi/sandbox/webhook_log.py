"""Keeps the webhooks that were sent, so that they can be sent again."""

from dataclasses import dataclass, field
from typing import Any

from tsudoi.sandbox.clock import iso

KEPT = 500


@dataclass(frozen=True)
class Attempt:
    """One post of a webhook, and what the product answered."""

    at: int
    status: int | None
    error: str | None
    ms: float
    redelivery: bool

    def as_json(self) -> dict[str, Any]:
        return {
            "at": iso(self.at),
            "status": self.status,
            "error": self.error,
            "ms": round(self.ms, 2),
            "redelivery": self.redelivery,
        }


@dataclass
class SentWebhook:
    """A webhook and its attempts. `event_id` is known even if the id was left out of the body on purpose."""

    event_id: str
    event: dict[str, Any]
    attempts: list[Attempt] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return {
            "event_id": self.event_id,
            "event": self.event,
            "attempts": [attempt.as_json() for attempt in self.attempts],
        }


@dataclass
class WebhookLog:
    """The newest webhooks by the id of their event."""

    _sent: dict[str, SentWebhook] = field(default_factory=dict)

    def add(self, event_id: str, event: dict[str, Any]) -> SentWebhook:
        sent = SentWebhook(event_id, event)
        self._sent[event_id] = sent
        if len(self._sent) > KEPT:
            del self._sent[next(iter(self._sent))]
        return sent

    def get(self, event_id: str) -> SentWebhook | None:
        return self._sent.get(event_id)

    def as_json(self) -> list[dict[str, Any]]:
        return [sent.as_json() for sent in self._sent.values()]
