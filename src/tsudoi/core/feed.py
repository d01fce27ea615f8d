"""Live updates inside one process: each subject is read once for any number of subscribers.

A feed reads its subject from the database once per interval, and at once when it is nudged, and publishes what it found
to all subscribers. It runs only while it has subscribers. Nothing is queued per subscriber: a slow one gets the newest
state and the last items that the feed still keeps, and it learns when some items are missing.
"""

import asyncio
import contextvars
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import structlog

S = TypeVar("S")
I = TypeVar("I")  # noqa: E741 (an item, beside S, a state)

_log = structlog.stdlib.get_logger(__name__)

INTERVAL = 1.0
# However often a feed is nudged, it pauses this long after each read.
PAUSE = 0.2
KEPT_ITEMS = 500
# PostgreSQL gives out ids before the commit, so that a smaller id may appear after a greater one: the last ids are
# read again. SQLite has one writer and needs no second look.
REREAD_IDS = {"postgresql": 200, "sqlite": 0}

# What a feed is about: the kind and the id, such as ("event", 12). The kind keeps equal ids of two tables apart.
Subject = tuple[str, int | str]


@dataclass(frozen=True, slots=True)
class Snapshot(Generic[S, I]):
    """What one read found: the state, and the items that are new since the read before.

    A client that has received everything up to `mark` can resume from there later.
    """

    state: S
    items: Sequence[I]
    mark: int


@dataclass(frozen=True, slots=True)
class Update(Generic[S, I]):
    """What is new for one subscriber.

    `incomplete`: there were more items than the feed keeps, so that the client has to load the whole list again.
    """

    state: S
    items: Sequence[I]
    mark: int
    incomplete: bool


# Reads the subject. It may remember what it found before, because each feed has a reader of its own.
Reader = Callable[[], Awaitable[Snapshot[S, I]]]


class IdWindow:
    """Finds the ids that are new, although the last `size` ids are read again each time (see `REREAD_IDS`).

    `mark` is the id after which the next read begins. With a size of 0 nothing is read twice.
    """

    def __init__(self, size: int, newest: Iterable[int] = ()) -> None:
        """`newest`: the last `size` or more ids that exist already, where reading does not begin at 0."""
        self._size = size
        self._seen: set[int] = set()
        self.mark = 0
        self.unseen(sorted(newest))

    def unseen(self, ids: Sequence[int]) -> list[int]:
        """Those of the ids above `mark` that were not seen before. They count as seen from now on."""
        new = [number for number in ids if number not in self._seen]
        known = sorted(self._seen.union(new))
        cut = max(0, len(known) - self._size)
        self.mark = known[cut - 1] if cut else self.mark
        self._seen = set(known[cut:])
        return new


class Subscriber(Generic[S, I]):
    """One subscriber's position in a feed."""

    def __init__(self, feed: "Feed[S, I]") -> None:
        self._feed = feed
        self._version = 0
        self._position = feed.published
        self.changed = asyncio.Event()
        if feed.version or feed.closed:
            self.changed.set()

    @property
    def closed(self) -> bool:
        return self._feed.closed

    async def next_update(self, within: float) -> Update[S, I] | None:
        """What is new, as soon as there is something; None when the time is over or the feed is closed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self.changed.wait()
        self.changed.clear()
        feed, waiting = self._feed, self._feed.published - self._position
        if feed.closed or self._version == feed.version:
            return None
        self._version, self._position = feed.version, feed.published
        kept = list(feed.items)[-waiting:] if waiting else []
        return Update(feed.state, kept, feed.mark, incomplete=waiting > len(kept))


class Feed(Generic[S, I]):
    """One subject that is being followed: the task that reads it, the newest state, and the last items."""

    def __init__(self, read: Reader[S, I], interval: float, pause: float) -> None:
        self._read, self._interval, self._pause = read, interval, pause
        self.state: S
        self.items: deque[I] = deque(maxlen=KEPT_ITEMS)
        # `published` counts the items since the feed began, `version` the changes.
        self.published, self.version, self.mark = 0, 0, 0
        self.closed = False
        self.subscribers: set[Subscriber[S, I]] = set()
        self.nudged = asyncio.Event()
        # The task gets a context of its own, because it outlives the request that happened to come first.
        self.task = asyncio.get_running_loop().create_task(self._run(), context=contextvars.Context())

    async def _run(self) -> None:
        while True:
            self.nudged.clear()
            try:
                self._publish(await self._read())
            except Exception as error:  # noqa: BLE001 (the database may come back; the subscribers wait for it)
                _log.warning("feed_read_failed", error=type(error).__name__)
            await asyncio.sleep(self._pause)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._interval - self._pause):
                    await self.nudged.wait()

    def _publish(self, found: Snapshot[S, I]) -> None:
        self.mark = found.mark
        if self.version and not found.items and found.state == self.state:
            return
        self.state, self.version, self.published = found.state, self.version + 1, self.published + len(found.items)
        self.items.extend(found.items)
        self.wake_subscribers()

    def wake_subscribers(self) -> None:
        for subscriber in self.subscribers:
            subscriber.changed.set()


class Feeds:
    """All feeds of this process by subject. Subjects of different kinds have states and items of different types."""

    def __init__(self, interval: float = INTERVAL, pause: float = PAUSE) -> None:
        self._interval, self._pause = interval, pause
        self._feeds: dict[Subject, Feed[Any, Any]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    @asynccontextmanager
    async def subscribe(
        self, subject: Subject, make_reader: Callable[[], Reader[S, I]]
    ) -> AsyncIterator[Subscriber[S, I]]:
        """Follow a subject. The first subscriber starts the feed, with a new reader; the last one ends it."""
        self._loop = asyncio.get_running_loop()
        feed = self._feeds.get(subject)
        if feed is None:
            feed = self._feeds[subject] = Feed(make_reader(), self._interval, self._pause)
        feed.closed = feed.closed or self._closed
        subscriber: Subscriber[S, I] = Subscriber(feed)
        feed.subscribers.add(subscriber)
        try:
            yield subscriber
        finally:
            feed.subscribers.discard(subscriber)
            if not feed.subscribers:
                feed.task.cancel()
                del self._feeds[subject]

    def nudge(self, subject: Subject) -> None:
        """Say, from any thread, that the subject has just changed. Costs nothing when nobody follows it."""
        feed = self._feeds.get(subject)
        if feed is not None:
            self._call_in_loop(feed.nudged.set)

    def close(self) -> None:
        """End every subscription, from any thread, and each that begins later."""
        self._closed = True
        self._call_in_loop(self._close_all)

    def _close_all(self) -> None:
        for feed in self._feeds.values():
            feed.closed = True
            feed.wake_subscribers()

    def _call_in_loop(self, action: Callable[[], None]) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # The loop has ended, and all subscriptions with it.
                self._loop.call_soon_threadsafe(action)
