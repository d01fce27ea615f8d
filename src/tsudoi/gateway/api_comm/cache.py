"""What one request has already asked. It lives in this process, for a short time, and never serves another request."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import orjson

from tsudoi.gateway.api_comm.results import OperationResult

_MOST_ENTRIES = 1_000
_LONGEST_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class CacheKey:
    """Everything that must be equal: the request, the shop, the operation and the normalised payload."""

    request_id: str
    shop_id: int | None
    operation: str
    payload: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A stored result. Its data is kept as JSON, so that nobody can change it through an earlier result."""

    result: OperationResult
    data: bytes = field(repr=False)
    stored_at: float


class _Turn:
    """Those who ask the same thing at the same moment: one after the other."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.waiting = 0


class RequestCache:
    """A bounded memory of results. The oldest entry goes first."""

    def __init__(
        self,
        most: int = _MOST_ENTRIES,
        seconds: float = _LONGEST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._lock = threading.Lock()
        self._entries: OrderedDict[CacheKey, _Entry] = OrderedDict()
        self._turns: dict[CacheKey, _Turn] = {}

    def __len__(self) -> int:
        return len(self._entries)

    @contextmanager
    def turn(self, key: CacheKey) -> Iterator[None]:
        """The second one waits, and finds what the first one has stored."""
        with self._lock:
            turn = self._turns.setdefault(key, _Turn())
            turn.waiting += 1
        try:
            with turn.lock:
                yield
        finally:
            with self._lock:
                turn.waiting -= 1
                if not turn.waiting:
                    del self._turns[key]

    def get(self, key: CacheKey) -> OperationResult | None:
        with self._lock:
            self._drop_old()
            entry = self._entries.get(key)
        return None if entry is None else replace(entry.result, data=orjson.loads(entry.data))

    def put(self, key: CacheKey, result: OperationResult) -> None:
        data = orjson.dumps(result.data)
        with self._lock:
            self._drop_old()
            self._entries.pop(key, None)
            self._entries[key] = _Entry(replace(result, data=None), data, self._clock())
            while len(self._entries) > self._most:
                self._entries.popitem(last=False)

    def forget(self, request_id: str) -> None:
        """The request is over."""
        with self._lock:
            for key in [key for key in self._entries if key.request_id == request_id]:
                del self._entries[key]

    def _drop_old(self) -> None:
        """Entries are in the order of their age, because a stored one moves to the end."""
        limit = self._clock() - self._seconds
        while self._entries and next(iter(self._entries.values())).stored_at <= limit:
            self._entries.popitem(last=False)
