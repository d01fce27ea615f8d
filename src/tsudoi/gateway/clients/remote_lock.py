"""RemoteLOCK is not connected yet. Its client has the interface that the real one will have, and calls nobody."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class KeyInfo:
    """The key of one reservation: the number that opens the door, and what the lock says about it."""

    pin: str
    status: str


@dataclass(frozen=True, slots=True)
class StubOnly:
    """No lock was asked, because there is no connection to RemoteLOCK."""


class RemoteLockClient(Protocol):
    """Asks RemoteLOCK about the key of a reservation."""

    def key_info(self, reservation_id: str) -> KeyInfo | StubOnly: ...


class RemoteLockStub:
    """Stands in for the real client until there is one. It has no address and no credentials."""

    def key_info(self, reservation_id: str) -> KeyInfo | StubOnly:
        del reservation_id  # The real client will need it.
        return StubOnly()
