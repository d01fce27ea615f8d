"""Argon2id for PINs, on two threads of their own.

A hash costs a quarter of a second of a core and 64 MiB of memory, so at most two run at a time, and requests that find
a long queue get 503 instead of waiting.
"""

import asyncio
import hashlib
import hmac
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from tsudoi.booking.pins.errors import HasherBusy
from tsudoi.booking.pins.rules import PIN_VERSION
from tsudoi.core.runtime import Runtime

T = TypeVar("T")

ARGON2 = PasswordHasher(time_cost=3, memory_cost=65536, parallelism=1)
# No PIN has this hash. It is checked for an unknown number, so that the response takes as long as for a known one.
NOBODY = "$argon2id$v=19$m=65536,t=3,p=1$QUFBQUFBQUFBQUFBQUFBQQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
_THREADS = 2
# A whole hospital may log in within the minute in which booking opens: three hundred at once must all get in. More than
# this are told to come again.
LONGEST_QUEUE = 400


class PinHasher:
    """Hashes and verifies PINs; a part of the runtime. The hash depends on PIN, salt and pepper alone."""

    def __init__(self, pepper: str) -> None:
        self._pepper = pepper.encode()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="pins")
        self._queued = 0

    @staticmethod
    def of(runtime: Runtime) -> "PinHasher":
        pepper = runtime.settings.security_pin_pepper
        return PinHasher(pepper.get_secret_value() if pepper else "")

    @contextmanager
    def place(self) -> Iterator["PlaceInQueue"]:
        """Take a place in the queue before an attempt is counted, so that a full queue costs nobody an attempt.

        Only the event loop calls this, so the count needs no lock.
        """
        if self._queued >= LONGEST_QUEUE:
            raise HasherBusy
        self._queued += 1
        try:
            yield PlaceInQueue(self)
        finally:
            self._queued -= 1

    async def hash(self, pin: str) -> str:
        with self.place() as place:
            return await place.hash(pin)

    async def verify(self, pin: str, stored: str | None) -> bool:
        with self.place() as place:
            return await place.verify(pin, stored)

    def hash_now(self, pin: str) -> str:
        """Like `hash`, for threads and commands that have no event loop."""
        return self._threads.submit(self.compute_hash, pin).result()

    def verify_now(self, pin: str, stored: str | None) -> bool:
        return self._threads.submit(self.compute_match, pin, stored).result()

    async def on_thread(self, compute: Callable[..., T], *args: str | None) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, compute, *args)

    def compute_hash(self, pin: str) -> str:
        return ARGON2.hash(self._peppered(pin))

    def compute_match(self, pin: str, stored: str | None) -> bool:
        """Whether the PIN has this hash. None (nobody has the number) is False after the same amount of work."""
        try:
            ARGON2.verify(NOBODY if stored is None else stored, self._peppered(pin))
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None

    def close(self) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _peppered(self, pin: str) -> bytes:
        return hmac.new(self._pepper, pin.encode("utf-8", "replace"), hashlib.sha256).digest()


class PlaceInQueue:
    """A place in the hasher's queue, for one request. It hashes one PIN after the other."""

    def __init__(self, hasher: PinHasher) -> None:
        self._hasher = hasher

    async def hash(self, pin: str) -> str:
        return await self._hasher.on_thread(self._hasher.compute_hash, pin)

    async def verify(self, pin: str, stored: str | None) -> bool:
        return await self._hasher.on_thread(self._hasher.compute_match, pin, stored)


def needs_rehash(stored: str, version: int) -> bool:
    """Whether the hash has an older scheme or other parameters than today's."""
    return version != PIN_VERSION or ARGON2.check_needs_rehash(stored)
