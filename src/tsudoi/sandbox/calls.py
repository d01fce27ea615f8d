"""Keeps the last calls in both directions. Paths are kept without their query, because LIFF puts tokens there."""

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
