import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial

from tsudoi.core.db.interface import Database
from tsudoi.core.feed import Feeds, Look, News, Overlap
from tsudoi.events.live import queries, rules
from tsudoi.events.live.rules import Answer, State

LiveFeeds = Feeds[State, Answer]

# A browser comes back by itself; until then a proxy or a forgotten tab holds a connection no longer than this.
LIFE = 300.0
BEAT = 15.0
# PostgreSQL may show a smaller id after a greater one. SQLite has one writer.
_OVERLAP = {"postgresql": 200, "sqlite": 0}


class Follower:
    """The one look of a feed, and what it knows from the looks before."""

    def __init__(self, db: Database, event_id: int) -> None:
        self._db, self._event_id = db, event_id
        self._overlap: Overlap | None = None
        self._state: State | None = None

    async def __call__(self) -> Look[State, Answer]:
        if self._overlap is None:
            window = _OVERLAP[self._db.dialect]
            newest = await self._db.read(queries.newest_ids, self._event_id, window + 1)
            self._overlap = Overlap(window, newest)
        seen = self._overlap
        state, answers = await self._db.read(queries.look, self._event_id, seen.mark, self._state)
        self._state = state
        fresh = set(seen.fresh([answer.id for answer in answers]))
        return Look(state, [answer for answer in answers if answer.id in fresh], seen.mark)


async def follow(
    db: Database, feeds: LiveFeeds, event_id: int, since: int | None, welcome: Callable[[], Awaitable[bool]]
) -> AsyncIterator[bytes]:
    """What one viewer hears, until the time is over, the session is gone or the server stops.

    `since`: how far this viewer had come before it lost the stream.
    """
    ends = time.monotonic() + LIFE
    asked = time.monotonic()
    mark: int | None = None
    async with feeds.watch(event_id, partial(Follower, db, event_id)) as viewer:
        yield rules.GREETING
        while time.monotonic() < ends:
            news = await viewer.news(within=BEAT)
            if viewer.over:
                return
            if time.monotonic() - asked >= BEAT:
                asked = time.monotonic()
                if not await welcome():
                    return
            if news is None:
                yield rules.beat(mark)
            elif mark is None:
                yield await _first(db, event_id, since, news)
            else:
                yield _next(news)
            mark = mark if news is None else news.mark


async def _first(db: Database, event_id: int, since: int | None, news: News[State, Answer]) -> bytes:
    if since is not None and since <= news.mark:
        missed = await db.read(queries.answers_after, event_id, since, queries.MOST_MISSED + 1)
        if len(missed) <= queries.MOST_MISSED:
            told = rules.snapshot(news.state, None, reload=False)
            return told + rules.answers(news.state, missed, news.mark)
    return rules.snapshot(news.state, news.mark, reload=True)


def _next(news: News[State, Answer]) -> bytes:
    if news.missed:
        return rules.snapshot(news.state, news.mark, reload=True)
    return rules.answers(news.state, news.items, news.mark)
