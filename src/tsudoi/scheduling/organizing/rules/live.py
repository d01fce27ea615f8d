"""What is followed live about a thread. Pure."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class ThreadPulse:
    """Values that are cheap to read and change whenever a screen has to load the thread again."""

    revision: int
    status: str
    answered: int
    # How many messages are in which state.
    messages: tuple[tuple[str, int], ...]


def body(state: ThreadPulse, _items: Sequence[None]) -> dict[str, object]:
    """The JSON of a message, as `ThreadLive` describes it."""
    return {**asdict(state), "messages": dict(state.messages)}
