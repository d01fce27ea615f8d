"""The monthly limit of messages. LINE counts recipients, not messages, and does not count replies."""

from dataclasses import dataclass
from typing import Any

from tsudoi.sandbox.clock import month_of
from tsudoi.sandbox.errors import quota_exhausted


@dataclass
class Quota:
    """The limit, and what was used of it in the month named."""

    limit: int | None = None
    _usage: int = 0
    _month: str = ""

    def usage(self, now: int) -> int:
        return self._usage if self._month == month_of(now) else 0

    def set_usage(self, usage: int, now: int) -> None:
        self._usage, self._month = usage, month_of(now)

    def spend(self, people: int, now: int) -> None:
        """Counts the recipients of a request, or refuses the whole request when it exceeds the limit."""
        usage = self.usage(now) + people
        if self.limit is not None and people and usage > self.limit:
            raise quota_exhausted()
        self.set_usage(usage, now)

    def as_line(self) -> dict[str, Any]:
        return {"type": "none"} if self.limit is None else {"type": "limited", "value": self.limit}

    def as_json(self, now: int) -> dict[str, Any]:
        return {**self.as_line(), "total_usage": self.usage(now)}
