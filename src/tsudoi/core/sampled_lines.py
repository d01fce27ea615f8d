"""Lines that anybody outside can cause, such as the one about a forged webhook: counted all, written a few a minute.

Without this, one client that is refused a thousand times a second fills the disk with lines that say the same.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

_log = structlog.stdlib.get_logger("tsudoi.sampled")

LINES_PER_MINUTE = 60
# So one client cannot keep all others out of the log.
LINES_PER_SOURCE = 20
_SECONDS = 60.0

WriteSummary = Callable[[int], None]


@dataclass(slots=True)
class _Window:
    """The current minute of one kind of line."""

    ends: float
    written: int = 0
    left_out: int = 0
    by_source: Counter[str] = field(default_factory=Counter)


class LineSampler:
    """Decides which lines are written: at most so many of one kind a minute, then one line with how many were left out.

    It belongs to a process. `counted` has all of them by kind, for `/metrics`.
    """

    def __init__(
        self, most: int = LINES_PER_MINUTE, most_of_source: int = LINES_PER_SOURCE, seconds: float = _SECONDS
    ) -> None:
        self._most, self._most_of_source, self._seconds = most, most_of_source, seconds
        self._gate = threading.Lock()
        self._windows: dict[str, _Window] = {}
        self._timers: dict[str, threading.Timer] = {}
        self.counted: Counter[str] = Counter()

    def admit(self, kind: str, source: str = "", write_summary: WriteSummary | None = None) -> bool:
        """Count the line, and say whether to write it. `source`: the client, where each has a share of its own.

        `kind` is a word of our own and never comes from a request, because there is a counter for each. The summary is
        written at the end of the minute, to the structured log unless `write_summary` writes it elsewhere.
        """
        now = time.monotonic()
        with self._gate:
            self.counted[kind] += 1
            window = self._windows.get(kind)
            if window is None or now >= window.ends:
                window = self._windows[kind] = _Window(now + self._seconds)
            most = self._most_of_source if source else self._most
            if window.written < self._most and window.by_source[source] < most:
                window.written += 1
                window.by_source[source] += 1
                return True
            window.left_out += 1
            if window.left_out == 1:
                self._summarise_later(kind, window, write_summary)
            return False

    def _summarise_later(self, kind: str, window: _Window, write_summary: WriteSummary | None) -> None:
        def summarise() -> None:
            with self._gate:
                self._timers.pop(kind, None)
                number = window.left_out
            (write_summary or (lambda number: _log.warning("lines_left_out", kind=kind, number=number)))(number)

        timer = self._timers[kind] = threading.Timer(max(0.0, window.ends - time.monotonic()), summarise)
        timer.daemon = True
        timer.start()

    def close(self) -> None:
        """Write the summaries of the current minute now, because the process ends."""
        with self._gate:
            timers = list(self._timers.values())
            self._timers.clear()
        for timer in timers:
            timer.cancel()
            timer.function()
