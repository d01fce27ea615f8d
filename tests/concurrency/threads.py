"""Many at once: threads that start together and hand back what each of them got."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

T = TypeVar("T")


def at_once(count: int, action: Callable[[int], T]) -> list[T]:
    """Run the action in `count` threads that all wait for the last one before they begin."""
    start = Barrier(count)

    def run(number: int) -> T:
        start.wait(20)
        return action(number)

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(run, range(count)))
