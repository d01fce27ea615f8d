"""bcrypt for passwords, in a queue of their own."""

from typing import Annotated

from fastapi import Depends

from tsudoi.access.guard import RuntimeDep
from tsudoi.core.hash_queue import HashQueue, PlaceInQueue, QueueLimits
from tsudoi.core.passwords import check_password, hash_password
from tsudoi.core.runtime import Runtime

# An office has few administrators, so a longer queue is somebody else's. Two hashes take a quarter of a second.
LIMITS = QueueLimits(strangers=40, all=60)


class PasswordHasher:
    """Checks passwords; a part of the runtime."""

    def __init__(self) -> None:
        self.queue = HashQueue("passwords", LIMITS)

    @staticmethod
    def of(_runtime: Runtime) -> "PasswordHasher":
        return PasswordHasher()

    @staticmethod
    async def verify(place: PlaceInQueue, password: str, stored: str | None) -> bool:
        """Whether the password has this hash. None (nobody has the name) is False after the same amount of work."""
        return await place.run(check_password, password, stored)

    async def matches(self, password: str, stored: str) -> bool:
        """The same for an administrator who is logged in, and who is never told that the queue is full."""
        return await self.queue.run(check_password, password, stored, known=True)

    async def hashed(self, password: str) -> str:
        """The hash of a new password, for an administrator who is logged in."""
        return await self.queue.run(hash_password, password, known=True)

    def close(self) -> None:
        self.queue.close()


def _hasher_of(runtime: RuntimeDep) -> PasswordHasher:
    return runtime.part(PasswordHasher)


HasherDep = Annotated[PasswordHasher, Depends(_hasher_of)]
