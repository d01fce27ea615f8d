import threading
from datetime import datetime, timedelta
from urllib.parse import quote

from tsudoi.core.clock import Clock
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.line import POLICIES, LineClient
from tsudoi.gateway.clients.line_account import BotInfo, LineAccount
from tsudoi.gateway.http import HttpGateway

_REFRESH_AFTER = timedelta(hours=1)
# After a failed call LINE is not called again for this long, so that requests do not wait for it one after another.
_RETRY_DELAY = timedelta(minutes=1)


class AccountName:
    """The official account's name and id, cached: they rarely change, so LINE is called once an hour at most."""

    def __init__(self, line: LineClient, clock: Clock) -> None:
        self._account = LineAccount(line, clock)
        self._clock = clock
        self._asking = threading.Lock()
        self.known: str | None = None
        self.basic_id: str | None = None
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
            self.basic_id = found.basic_id.strip() or None
        self._ask_again = self._clock.now() + (_REFRESH_AFTER if isinstance(found, BotInfo) else _RETRY_DELAY)

    def add_friend_url(self) -> str | None:
        """Where somebody adds the account as a friend; None: LINE has not told us its id."""
        self.now()
        return None if self.basic_id is None else f"https://line.me/R/ti/p/{quote(self.basic_id)}"


async def ask_add_friend_url(runtime: Runtime) -> str | None:
    """For an endpoint: in the threads for account requests, so that nothing else waits for LINE."""
    name = runtime.part(AccountName)
    return await runtime.part(HttpGateway).threads.run(POLICIES.account.pool, name.add_friend_url, if_busy=None)
