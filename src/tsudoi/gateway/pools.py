"""Separate connections and threads for each purpose, so that one silent target cannot block calls to another."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

T = TypeVar("T")
D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class Pool:
    """Calls of one purpose to one target: at most `size` connections, and at most `size` threads for requests."""

    name: str
    size: int
    # How long an HTTP request of ours waits for a free thread and for the result together.
    longest_wait: timedelta = timedelta(seconds=10)


class ThreadPools:
    """One bounded executor per `Pool`, created by the first request that needs it.

    Calls to the outside do not run in the default executor of asyncio: it has few threads, and everything else that
    blocks for a moment shares them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._executors: dict[str, ThreadPoolExecutor] = {}

    async def run(self, pool: Pool, function: Callable[..., T], *args: Any, if_busy: D) -> T | D:
        """The function's result, or `if_busy` when it is not there within the pool's longest wait.

        A function that has not begun by then is never run. One that has begun ends at the deadline of its own call.
        """
        future = self._executor(pool).submit(copy_context().run, function, *args)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), pool.longest_wait.total_seconds())
        except TimeoutError:
            return if_busy

    def close(self) -> None:
        """Waits for the calls that have begun, so that their outcome is written before the database is closed."""
        with self._lock:
            for executor in self._executors.values():
                executor.shutdown(wait=True, cancel_futures=True)

    def _executor(self, pool: Pool) -> ThreadPoolExecutor:
        with self._lock:
            if pool.name not in self._executors:
                self._executors[pool.name] = ThreadPoolExecutor(pool.size, thread_name_prefix=pool.name)
            return self._executors[pool.name]
