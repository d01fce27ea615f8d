"""Slow hashes of passwords and PINs: a few threads, a bounded queue, and known devices first.

A hash costs a quarter of a second of a core on purpose. So requests that find a long queue get 503 instead of waiting,
and somebody who has logged in on this device before neither waits behind strangers nor finds the queue full of them.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from tsudoi.core.errors import Unavailable

T = TypeVar("T")

_THREADS = 2


class HasherBusy(Unavailable):
    """Too many log-ins wait to be checked. Nothing was counted."""

    default_message = "ただいまログインが混み合っています。少し待ってからもう一度お試しください。"


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """How many requests may wait: strangers, and with them those from known devices."""

    strangers: int
    all: int


class HashQueue:
    """Requests that wait for a thread. Only the event loop takes places and turns, so that the counts need no lock."""

    def __init__(self, name: str, limits: QueueLimits) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix=name)
        self.limits = limits
        self._places = 0
        self._free = _THREADS
        self._known: deque[asyncio.Future[None]] = deque()
        self._strangers: deque[asyncio.Future[None]] = deque()

    @contextmanager
    def place(self, *, known: bool) -> Iterator["PlaceInQueue"]:
        """Take a place before an attempt is counted, so that a full queue costs nobody an attempt.

        `known`: the person has logged in on this device before, or has a session.
        """
        if self._places >= (self.limits.all if known else self.limits.strangers):
            raise HasherBusy
        self._places += 1
        try:
            yield PlaceInQueue(self, known=known)
        finally:
            self._places -= 1

    async def run(self, compute: Callable[..., T], *args: Any, known: bool) -> T:
        """Compute on a thread, when it is this request's turn."""
        await self._turn(known=known)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, compute, *args)
        finally:
            self._give_turn()

    def run_now(self, compute: Callable[..., T], *args: Any) -> T:
        """For threads and commands that have no event loop."""
        return self._threads.submit(compute, *args).result()

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def _turn(self, *, known: bool) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        (self._known if known else self._strangers).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # The turn came in the moment in which the client went.
                self._give_turn()
            raise

    def _give_turn(self) -> None:
        """To the first who waits, known devices before strangers."""
        for waiting in (self._known, self._strangers):
            while waiting:
                turn = waiting.popleft()
                if not turn.done():
                    turn.set_result(None)
                    return
        self._free += 1


class PlaceInQueue:
    """A place in the queue, for one request. It computes one hash after the other."""

    def __init__(self, queue: HashQueue, *, known: bool) -> None:
        self._queue, self._known = queue, known

    async def run(self, compute: Callable[..., T], *args: Any) -> T:
        return await self._queue.run(compute, *args, known=self._known)
