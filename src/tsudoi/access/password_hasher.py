"""bcrypt for passwords, in a queue of their own."""

from tsudoi.core.hash_queue import HashQueue, PlaceInQueue, QueueLimits
from tsudoi.core.passwords import check_password
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

    def close(self) -> None:
        self.queue.close()
