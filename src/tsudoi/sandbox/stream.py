"""Publishes what happens in the sandbox to everybody who listens, such as the phones page."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import orjson

QUEUE_LENGTH = 2000
HEARTBEAT_SECONDS = 15.0
_HEARTBEAT = b": still here\n\n"
_RESET: dict[str, Any] = {"type": "reset"}


class Stream:
    """The listeners of the live stream, with a queue for each."""

    def __init__(self) -> None:
        self._listeners: set[asyncio.Queue[dict[str, Any] | None]] = set()
        self.closing = asyncio.Event()

    @property
    def has_listeners(self) -> bool:
        """Lets callers skip rendering an event that nobody would receive."""
        return bool(self._listeners)

    def publish(self, kind: str, **fields: Any) -> None:
        for queue in self._listeners:
            event = {"type": kind, **fields}
            if queue.full():
                # A listener that is too slow gets a reset in place of what waits, so that it loads everything again.
                while not queue.empty():
                    queue.get_nowait()
                event = _RESET
            queue.put_nowait(event)

    def close(self) -> None:
        self.closing.set()
        for queue in self._listeners:
            while not queue.empty():
                queue.get_nowait()
            queue.put_nowait(None)

    async def listen(self) -> AsyncIterator[bytes]:
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue(QUEUE_LENGTH)
        self._listeners.add(queue)
        try:
            yield b": welcome\n\n"
            while not self.closing.is_set():
                chunk = await _next_chunk(queue)
                if chunk is None:
                    return
                yield chunk
        finally:
            self._listeners.discard(queue)


async def _next_chunk(queue: asyncio.Queue[dict[str, Any] | None]) -> bytes | None:
    try:
        async with asyncio.timeout(HEARTBEAT_SECONDS):
            event = await queue.get()
    except TimeoutError:
        return _HEARTBEAT
    return None if event is None else b"data: " + orjson.dumps(event) + b"\n\n"
