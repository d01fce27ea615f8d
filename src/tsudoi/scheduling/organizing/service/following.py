from tsudoi.core.db.interface import Database
from tsudoi.core.feed import Snapshot
from tsudoi.scheduling.organizing.queries.live import thread_pulse
from tsudoi.scheduling.organizing.rules.live import ThreadPulse


class ThreadReader:
    """Reads one thread for its feed. There are no single items: a screen loads the board again."""

    def __init__(self, db: Database, thread_id: str) -> None:
        self._db, self._thread_id = db, thread_id

    async def __call__(self) -> Snapshot[ThreadPulse, None]:
        state = await self._db.read(thread_pulse, self._thread_id)
        return Snapshot(state, (), state.revision)
