"""The objects that a running process works with. Endpoints and jobs receive them as one typed object."""

import threading
from dataclasses import dataclass, field
from typing import TypeVar

from tsudoi.core.db.interface import Database
from tsudoi.core.feed import Feeds
from tsudoi.core.installation import owner_of
from tsudoi.core.media import DirectoryStore, MediaStore
from tsudoi.core.sampled_lines import LineSampler
from tsudoi.core.settings import Settings

T = TypeVar("T")


class WorkSignal:
    """Tells the worker's loops in this process that there is new work, so that they need not wait for the next tick.

    In a process without a worker nobody listens, and the worker elsewhere finds the work at its next tick.
    """

    def __init__(self) -> None:
        self._listeners: list[threading.Event] = []

    def listen(self) -> threading.Event:
        event = threading.Event()
        self._listeners.append(event)
        return event

    def send(self) -> None:
        for event in self._listeners:
            event.set()


@dataclass(frozen=True, slots=True)
class Runtime:
    """Settings, database, files, live feeds, and the clients that the contexts made (`runtime.part(LineClient)`)."""

    settings: Settings
    db: Database
    media: MediaStore
    feeds: Feeds = field(default_factory=Feeds)
    work: WorkSignal = field(default_factory=WorkSignal)
    # For lines that anybody outside can cause.
    lines: LineSampler = field(default_factory=LineSampler)
    # Set when the process is about to end: long loops stop at the next step.
    stopping: threading.Event = field(default_factory=threading.Event)
    _parts: dict[type, object] = field(default_factory=dict)

    @staticmethod
    def of(settings: Settings, db: Database) -> "Runtime":
        return Runtime(settings, db, DirectoryStore(settings.media_dir, owner_of(db)))

    def add(self, part: object, kind: type | None = None) -> None:
        """Make a client (or another long-lived object) available under its own class, or under a base class of it."""
        self._parts[kind or type(part)] = part

    def part(self, kind: type[T]) -> T:
        part = self._parts[kind]
        assert isinstance(part, kind)  # noqa: S101 (`add` put it there under this class)
        return part

    def find(self, kind: type[T]) -> T | None:
        """The part, or None: a context that is switched off has not made it."""
        return self.part(kind) if kind in self._parts else None

    def begin_stop(self) -> None:
        """End the live streams and let the loops stop at their next step."""
        self.stopping.set()
        self.feeds.close()
        self.work.send()

    def close(self) -> None:
        """Close every part that has something to close, the newest first."""
        for part in reversed(list(self._parts.values())):
            close = getattr(part, "close", None)
            if callable(close):
                close()
        self.lines.close()
