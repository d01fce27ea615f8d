import threading
from datetime import datetime, timedelta

from tsudoi.core.clock import Clock
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_account import BotInfo, LineAccount

_REFRESH_AFTER = timedelta(hours=1)
# After a failed call LINE is not called again for this long, so that requests do not wait for it one after another.
_RETRY_DELAY = timedelta(minutes=1)


class AccountName:
    """The official account's name, cached: it rarely changes, so LINE is called once an hour at most."""

    def __init__(self, line: LineClient, clock: Clock) -> None:
        self._account = LineAccount(line, clock)
        self._clock = clock
        self._asking = threading.Lock()
        self.known: str | None = None
        self._ask_again: datetime | None = None

    def now(self) -> str | None:
        """The last known name, or None. One thread refreshes it; other threads do not wait for that."""
        due = self._ask_again is None or self._clock.now() >= self._ask_again
        if due and self._asking.acquire(blocking=False):
            try:
                self._ask()
            finally:
                self._asking.release()
        return self.known

    def _ask(self) -> None:
        found = self._account.info()
        if isinstance(found, BotInfo):
            self.known = found.display_name.strip() or None
        self._ask_again = self._clock.now() + (_REFRESH_AFTER if isinstance(found, BotInfo) else _RETRY_DELAY)
