"""Many viewers, one look. Whatever changes in the database is looked at once per tick and told to all who watch it.

A feed lives while somebody watches. Nothing is queued per viewer: a slow one finds the newest state and as many of the
last items as the feed still has, and is told when that was not all.
"""

import asyncio
import contextvars
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

import structlog

S = TypeVar("S")
I = TypeVar("I")  # noqa: E741 (an item, beside S, a state)

_log = structlog.stdlib.get_logger(__name__)

TICK = 1.0
# However often it is nudged, a feed rests this long after each look.
REST = 0.2
KEPT = 500


@dataclass(frozen=True, slots=True)
class Look(Generic[S, I]):
    """What one look found. Whoever was told everything up to `mark` may come back later and go on from there."""

    state: S
    items: Sequence[I]
    mark: int


@dataclass(frozen=True, slots=True)
class News(Generic[S, I]):
    """`missed`: there were more items than the feed kept, so that the viewer has to fetch the whole anew."""

    state: S
    items: Sequence[I]
    mark: int
    missed: bool


class Overlap:
    """Which ids are new, although PostgreSQL may show a smaller id after a greater one: the last ones are read again.

    `mark` is where the next reading begins. With a window of 0 (SQLite has one writer) nothing is read twice.
    """

    def __init__(self, window: int, newest: Iterable[int] = ()) -> None:
        """`newest`: the last `window` or more ids that are there already, where the reading does not begin at 0."""
        self._window = window
        self._seen: set[int] = set()
        self.mark = 0
        self.fresh(sorted(newest))

    def fresh(self, ids: Sequence[int]) -> list[int]:
        """Those of the ids above `mark` that were not seen before."""
        new = [number for number in ids if number not in self._seen]
        known = sorted(self._seen.union(new))
        cut = max(0, len(known) - self._window)
        self.mark = known[cut - 1] if cut else self.mark
        self._seen = set(known[cut:])
        return new


class Viewer(Generic[S, I]):
    """One viewer's place in a feed."""

    def __init__(self, feed: "Feed[S, I]") -> None:
        self._feed = feed
        self._version = 0
        self._place = feed.told
        self.something = asyncio.Event()
        if feed.version or feed.closed:
            self.something.set()

    @property
    def over(self) -> bool:
        return self._feed.closed

    async def news(self, within: float) -> News[S, I] | None:
        """What is new, as soon as there is something; None when the time is over or the feed is closed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self.something.wait()
        self.something.clear()
        if self.over or self._version == self._feed.version:
            return None
        return self._take()

    def _take(self) -> News[S, I]:
        feed, waiting = self._feed, self._feed.told - self._place
        self._version, self._place = feed.version, feed.told
        kept = list(feed.items)[-waiting:] if waiting else []
        return News(feed.state, kept, feed.mark, missed=waiting > len(kept))


class Feed(Generic[S, I]):
    """Looks once per tick, at once when nudged, and remembers the last items."""

    def __init__(self, look: Callable[[], Awaitable[Look[S, I]]], tick: float, rest: float) -> None:
        self._look, self._tick, self._rest = look, tick, rest
        self.state: S
        self.items: deque[I] = deque(maxlen=KEPT)
        self.told, self.version, self.mark = 0, 0, 0
        self.closed = False
        self.viewers: set[Viewer[S, I]] = set()
        self.wake = asyncio.Event()
        # In a context of its own: it outlives the request that happened to come first.
        self.task = asyncio.get_running_loop().create_task(self._run(), context=contextvars.Context())

    async def _run(self) -> None:
        while True:
            self.wake.clear()
            try:
                self._tell(await self._look())
            except Exception as error:  # noqa: BLE001 (a database that is away comes back; the viewers wait for it)
                _log.warning("feed_look_failed", error=type(error).__name__)
            await asyncio.sleep(self._rest)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._tick - self._rest):
                    await self.wake.wait()

    def _tell(self, found: Look[S, I]) -> None:
        self.mark = found.mark
        if self.version and not found.items and found.state == self.state:
            return
        self.state, self.version, self.told = found.state, self.version + 1, self.told + len(found.items)
        self.items.extend(found.items)
        self.call()

    def call(self) -> None:
        for viewer in self.viewers:
            viewer.something.set()


class Feeds(Generic[S, I]):
    """All feeds of this process by what they are about."""

    def __init__(self, tick: float = TICK, rest: float = REST) -> None:
        self._tick, self._rest = tick, rest
        self._feeds: dict[Hashable, Feed[S, I]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    @asynccontextmanager
    async def watch(
        self, key: Hashable, look: Callable[[], Callable[[], Awaitable[Look[S, I]]]]
    ) -> AsyncIterator[Viewer[S, I]]:
        """A viewer of this feed. The first one starts it, with what `look` makes; the last one ends it."""
        self._loop = asyncio.get_running_loop()
        feed = self._feeds.get(key)
        if feed is None:
            feed = self._feeds[key] = Feed(look(), self._tick, self._rest)
        feed.closed = feed.closed or self._closed
        viewer = Viewer(feed)
        feed.viewers.add(viewer)
        try:
            yield viewer
        finally:
            feed.viewers.discard(viewer)
            if not feed.viewers:
                feed.task.cancel()
                del self._feeds[key]

    def nudge(self, key: Hashable) -> None:
        """From any thread: something happened to this one just now. Costs nothing when nobody watches it."""
        feed = self._feeds.get(key)
        if feed is not None:
            self._soon(feed.wake.set)

    def close(self) -> None:
        """From any thread: every viewer's stream ends now, and so does each that comes later."""
        self._closed = True
        self._soon(self._end_all)

    def _end_all(self) -> None:
        for feed in self._feeds.values():
            feed.closed = True
            feed.call()

    def _soon(self, action: Callable[[], None]) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # The loop is gone, and with it all who watched.
                self._loop.call_soon_threadsafe(action)
