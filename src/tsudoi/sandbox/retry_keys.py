"""Retry keys, which LINE does not accept again for 24 hours, and reply tokens, which can be used once."""

from dataclasses import dataclass, field
from typing import Any

from tsudoi.sandbox.clock import iso
from tsudoi.sandbox.errors import invalid_reply_token
from tsudoi.sandbox.ids import new_token

_RETRY_LIFE_MS = 24 * 60 * 60 * 1000


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
        return found if found is not None and now - found.at < _RETRY_LIFE_MS else None

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


_REPLY_LIFE_MS = 60_000


@dataclass
class ReplyTokens:
    """The tokens that were not used yet, with the user and the time of issue of each."""

    _open: dict[str, tuple[str, int]] = field(default_factory=dict)

    def issue(self, user_id: str, now: int) -> str:
        # The oldest tokens come first, so this stops at the first one that is still valid.
        while self._open and now - next(iter(self._open.values()))[1] > _REPLY_LIFE_MS:
            del self._open[next(iter(self._open))]
        token = new_token()
        self._open[token] = (user_id, now)
        return token

    def redeem(self, token: str, now: int) -> str:
        """Uses the token up, and returns the id of its user."""
        user_id, issued = self._open.pop(token, ("", -_REPLY_LIFE_MS))
        if not user_id or not 0 <= now - issued <= _REPLY_LIFE_MS:
            raise invalid_reply_token()
        return user_id
