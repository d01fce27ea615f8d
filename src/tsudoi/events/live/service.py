from tsudoi.core.db.interface import Database
from tsudoi.core.feed import REREAD_IDS, IdWindow, Snapshot
from tsudoi.events.live import queries
from tsudoi.events.live.rules import EventState, NewAnswer


class EventReader:
    """Reads one event for its feed, and remembers which answers and which state the feed has published already."""

    def __init__(self, db: Database, event_id: int) -> None:
        self._db, self._event_id = db, event_id
        self._window: IdWindow | None = None
        self._state: EventState | None = None

    async def __call__(self) -> Snapshot[EventState, NewAnswer]:
        if self._window is None:
            size = REREAD_IDS[self._db.dialect]
            self._window = IdWindow(size, await self._db.read(queries.newest_ids, self._event_id, size + 1))
        window = self._window
        state, answers = await self._db.read(queries.read_event, self._event_id, window.mark, self._state)
        self._state = state
        new = set(window.unseen([answer.id for answer in answers]))
        return Snapshot(state, [answer for answer in answers if answer.id in new], window.mark)
