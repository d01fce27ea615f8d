"""The sandbox's own clock: real time plus an offset, so that a test can let 24 hours pass at once."""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

JST = timezone(timedelta(hours=9), "JST")


@dataclass
class SandboxClock:
    """A clock that shows real time plus an offset."""

    _offset_ms: int = 0

    @property
    def offset_seconds(self) -> float:
        return self._offset_ms / 1000

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000 + self._offset_ms

    def now_seconds(self) -> int:
        return self.now_ms() // 1000

    def move_to(self, ms: int) -> None:
        self._offset_ms += ms - self.now_ms()

    def reset(self) -> None:
        self._offset_ms = 0


def iso(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, JST).isoformat(timespec="milliseconds")


def iso_seconds(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, JST).isoformat(timespec="seconds")


def month_of(ms: int) -> str:
    """LINE's message quota starts anew each month, in Japanese time."""
    return datetime.fromtimestamp(ms / 1000, JST).strftime("%Y-%m")
