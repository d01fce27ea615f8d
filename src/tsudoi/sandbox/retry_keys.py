"""Retry keys: LINE does not accept a request with the same key again for 24 hours."""

from dataclasses import dataclass, field
from typing import Any

from tsudoi.sandbox.clock import iso

LIFE_MS = 24 * 60 * 60 * 1000


@dataclass(slots=True)
class AcceptedKey:
    """The request that was accepted under a retry key."""

    endpoint: str
    request_id: str
    at: int
    sent_messages: list[dict[str, str]]
    accepted: int = 1


@dataclass
class RetryKeys:
    """Every retry key that was accepted."""

    _keys: dict[str, AcceptedKey] = field(default_factory=dict)

    def accepted(self, key: str, now: int) -> AcceptedKey | None:
        """After 24 hours LINE has forgotten the key and would accept the request again."""
        found = self._keys.get(key)
        return found if found is not None and now - found.at < LIFE_MS else None

    def accept(self, key: str, accepted: AcceptedKey) -> None:
        """The count outlives the 24 hours: a test wants to see that a key was accepted twice."""
        before = self._keys.get(key)
        accepted.accepted = 1 if before is None else before.accepted + 1
        self._keys[key] = accepted

    def as_json(self) -> dict[str, Any]:
        return {
            key: {"endpoint": one.endpoint, "request_id": one.request_id, "at": iso(one.at), "accepted": one.accepted}
            for key, one in self._keys.items()
        }
