"""Records every message that LINE accepted, once per recipient. Tests of "exactly once" read this record."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from tsudoi.sandbox.clock import iso


@dataclass(frozen=True, slots=True)
class Acceptance:
    """One accepted request. All its recipients share it, so a multicast of 500 costs little more than one push."""

    endpoint: str
    request_id: str
    retry_key: str | None
    message_ids: tuple[str, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Delivery:
    """One accepted request as one of its recipients received it."""

    n: int
    user_id: str
    delivered: bool
    acceptance: Acceptance

    def as_json(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "user_id": self.user_id,
            "delivered": self.delivered,
            "request_id": self.acceptance.request_id,
            "retry_key": self.acceptance.retry_key,
            "endpoint": self.acceptance.endpoint,
            "message_ids": self.acceptance.message_ids,
            "at": iso(self.acceptance.at),
        }


@dataclass
class Deliveries:
    """All deliveries in their order, and how many of them reached a friend."""

    _rows: list[Delivery] = field(default_factory=list)
    _delivered: int = 0

    def add(self, user_id: str, acceptance: Acceptance, *, delivered: bool) -> None:
        self._rows.append(Delivery(len(self._rows) + 1, user_id, delivered, acceptance))
        self._delivered += delivered

    def after(self, n: int, limit: int | None) -> Iterator[Delivery]:
        """Numbers start at one and have no gaps, so a row's number is its place."""
        stop = None if limit is None else max(n, 0) + limit
        return islice(self._rows, max(n, 0), stop)

    def summary(self, *, by_user: bool) -> dict[str, Any]:
        counts = Counter(row.user_id for row in self._rows)
        summary: dict[str, Any] = {
            "total": len(self._rows),
            "delivered": self._delivered,
            "users": len(counts),
            "per_user_max": max(counts.values(), default=0),
        }
        return {**summary, "by_user": dict(counts)} if by_user else summary
