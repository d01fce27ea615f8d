import threading
from datetime import datetime, timedelta

from tsudoi.core.clock import Clock
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_account import BotInfo, LineAccount

_KEPT = timedelta(hours=1)
# How long nobody else waits for a LINE that has just not answered.
_LEFT_ALONE = timedelta(minutes=1)


class AccountName:
    """What members see above our messages. It hardly ever changes, so that LINE is asked once an hour at most."""

    def __init__(self, line: LineClient, clock: Clock) -> None:
        self._account = LineAccount(line, clock)
        self._clock = clock
        self._asking = threading.Lock()
        self.known: str | None = None
        self._ask_again: datetime | None = None

    def now(self) -> str | None:
        """The last name that LINE told, however long ago; None: it never did. One asks, and nobody waits for that."""
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
        self._ask_again = self._clock.now() + (_KEPT if isinstance(found, BotInfo) else _LEFT_ALONE)
