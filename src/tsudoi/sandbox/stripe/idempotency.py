"""Idempotency keys: the first answer to a key is stored and given again, whatever it was."""

from dataclasses import dataclass, field
from typing import Any

from tsudoi.sandbox.stripe.refusals import key_in_use, other_endpoint, other_parameters

_LIFE_MS = 24 * 60 * 60 * 1000


@dataclass
class StoredAnswer:
    """The first answer to a key."""

    path: str
    parameters: list[tuple[str, str]]
    status: int
    body: Any
    request_id: str
    at: int


@dataclass
class IdempotencyKeys:
    """The answers of the last 24 hours, and the keys whose first request still runs."""

    answers: dict[str, StoredAnswer] = field(default_factory=dict)
    running: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Nothing runs any more after a restart."""
        self.running = []

    def begin(self, key: str, path: str, parameters: list[tuple[str, str]], now: int) -> StoredAnswer | None:
        """The stored answer, or None when the request is to be executed."""
        if key in self.running:
            raise key_in_use(key)
        found = self.answers.get(key)
        if found is None or now - found.at >= _LIFE_MS:
            self.running.append(key)
            return None
        if found.path != path:
            raise other_endpoint(key, found.path, path)
        if found.parameters != parameters:
            raise other_parameters(key)
        return found

    def end(self, key: str, answer: StoredAnswer | None) -> None:
        """Without an answer the key stays free: nothing was executed."""
        self.running.remove(key)
        if answer is not None:
            self.answers[key] = answer
