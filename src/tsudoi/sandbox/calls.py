"""Keeps the last calls in both directions, and the webhooks that were sent, so that they can be sent again.

Paths are kept without their query, because LIFF puts tokens there.
"""

from collections import deque
from dataclasses import asdict, dataclass, field
from typing import Any

from tsudoi.sandbox.clock import iso

KEPT = 500


@dataclass(frozen=True, slots=True)
class Call:
    """One HTTP call: "in" to the sandbox, or "out" to the product."""

    direction: str
    method: str
    path: str
    status: int | None
    ms: float
    note: str | None = None


@dataclass
class Calls:
    """The newest calls, numbered from one."""

    _calls: deque[dict[str, Any]] = field(default_factory=deque)
    _count: int = 0

    def __post_init__(self) -> None:
        self._calls = deque(self._calls, KEPT)

    def add(self, call: Call, now: int) -> dict[str, Any]:
        self._count += 1
        row = {"n": self._count, "at": iso(now), **asdict(call), "ms": round(call.ms, 2)}
        self._calls.append(row)
        return row

    def after(self, n: int) -> list[dict[str, Any]]:
        return [call for call in self._calls if call["n"] > n]


@dataclass(frozen=True)
class Attempt:
    """One post of a webhook, and what the product answered."""

    at: int
    status: int | None
    error: str | None
    ms: float
    redelivery: bool


@dataclass
class SentWebhook:
    """A webhook and its attempts. `event_id` is known even if the id was left out of the body on purpose."""

    event_id: str
    event: dict[str, Any]
    attempts: list[Attempt] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        attempts = [{**asdict(one), "at": iso(one.at), "ms": round(one.ms, 2)} for one in self.attempts]
        return {"event_id": self.event_id, "event": self.event, "attempts": attempts}


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
