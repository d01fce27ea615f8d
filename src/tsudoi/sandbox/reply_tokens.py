"""Reply tokens, which can be used once and within about a minute."""

from dataclasses import dataclass, field

from tsudoi.sandbox.errors import invalid_reply_token
from tsudoi.sandbox.ids import new_token

LIFE_MS = 60_000


@dataclass
class ReplyTokens:
    """The tokens that were not used yet, with the user and the time of issue of each."""

    _open: dict[str, tuple[str, int]] = field(default_factory=dict)

    def issue(self, user_id: str, now: int) -> str:
        # The oldest tokens come first, so this stops at the first one that is still valid.
        while self._open and now - next(iter(self._open.values()))[1] > LIFE_MS:
            del self._open[next(iter(self._open))]
        token = new_token()
        self._open[token] = (user_id, now)
        return token

    def redeem(self, token: str, now: int) -> str:
        """Uses the token up, and returns the id of its user."""
        user_id, issued = self._open.pop(token, ("", -LIFE_MS))
        if not user_id or not 0 <= now - issued <= LIFE_MS:
            raise invalid_reply_token()
        return user_id
