"""Argon2id for PINs, in a queue of their own, because a hash also costs 64 MiB of memory."""

import hashlib
import hmac
from collections.abc import Iterator
from contextlib import contextmanager

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from tsudoi.booking.pins.rules import PIN_VERSION
from tsudoi.core.hash_queue import HashQueue, PlaceInQueue, QueueLimits
from tsudoi.core.runtime import Runtime

ARGON2 = PasswordHasher(time_cost=3, memory_cost=65536, parallelism=1)
# No PIN has this hash. It is checked for an unknown number, so that the response takes as long as for a known one.
NOBODY = "$argon2id$v=19$m=65536,t=3,p=1$QUFBQUFBQUFBQUFBQUFBQQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
# A whole hospital may log in within the minute in which booking opens: three hundred at once must all get in. More than
# this are told to come again, and a hundred places are for devices that are known.
LIMITS = QueueLimits(strangers=400, all=500)


class PinHasher:
    """Hashes and verifies PINs; a part of the runtime. The hash depends on PIN, salt and pepper alone."""

    def __init__(self, pepper: str) -> None:
        self._pepper = pepper.encode()
        self.queue = HashQueue("pins", LIMITS)

    @staticmethod
    def of(runtime: Runtime) -> "PinHasher":
        pepper = runtime.settings.security_pin_pepper
        return PinHasher(pepper.get_secret_value() if pepper else "")

    @contextmanager
    def place(self, *, known: bool) -> Iterator["PinPlace"]:
        """A place in the queue (`HashQueue.place`)."""
        with self.queue.place(known=known) as place:
            yield PinPlace(self, place)

    async def hash(self, pin: str, *, known: bool) -> str:
        with self.place(known=known) as place:
            return await place.hash(pin)

    def hash_now(self, pin: str) -> str:
        """Like `hash`, for threads and commands that have no event loop."""
        return self.queue.run_now(self.compute_hash, pin)

    def verify_now(self, pin: str, stored: str | None) -> bool:
        return self.queue.run_now(self.compute_match, pin, stored)

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
        self.queue.close()

    def _peppered(self, pin: str) -> bytes:
        return hmac.new(self._pepper, pin.encode("utf-8", "replace"), hashlib.sha256).digest()


class PinPlace:
    """A place in the hasher's queue, for one request. It hashes one PIN after the other."""

    def __init__(self, hasher: PinHasher, place: PlaceInQueue) -> None:
        self._hasher, self._place = hasher, place

    async def hash(self, pin: str) -> str:
        return await self._place.run(self._hasher.compute_hash, pin)

    async def verify(self, pin: str, stored: str | None) -> bool:
        return await self._place.run(self._hasher.compute_match, pin, stored)


def needs_rehash(stored: str, version: int) -> bool:
    """Whether the hash has an older scheme or other parameters than today's."""
    return version != PIN_VERSION or ARGON2.check_needs_rehash(stored)
