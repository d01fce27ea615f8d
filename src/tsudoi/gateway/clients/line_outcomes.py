"""The outcomes of calls to LINE as values, so that pure code can decide what to do next."""

from dataclasses import dataclass, field
from datetime import datetime

# In these cases LINE was not called.
NO_TOKEN = "アクセストークンが空です / the access token is empty"  # noqa: S105
BUSY = "too many calls to LINE are waiting"


# Of every ID token.
ISSUER = "https://access.line.me"


@dataclass(frozen=True, slots=True)
class LineAnswer:
    """An HTTP response to a message, for those who keep its whole text. Our access token is not in it."""

    status: int
    body: str
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """LINE accepted the message. LINE also accepts messages to users who have blocked us, and never delivers them."""

    request_id: str | None
    message_ids: tuple[str, ...] = ()
    earlier: bool = False  # True: an earlier attempt with the same retry key had succeeded.
    # None: no HTTP response came.
    answer: LineAnswer | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Rejected:
    """LINE refused the call, and would refuse it again."""

    status: int
    reason: str
    request_id: str | None = None
    answer: LineAnswer | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class QuotaExhausted:
    """LINE refused it because this month's messages are used up."""

    reason: str
    request_id: str | None = None
    answer: LineAnswer | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class SendRateLimited:
    """LINE refused it because there were too many calls; the same call may succeed later."""

    reason: str
    request_id: str | None = None
    answer: LineAnswer | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Unknown:
    """It is not known what LINE did. `maybe_sent` is False when there was no connection."""

    reason: str
    maybe_sent: bool
    request_id: str | None = None
    answer: LineAnswer | None = field(default=None, compare=False)


SendOutcome = Accepted | Rejected | QuotaExhausted | SendRateLimited | Unknown


@dataclass(frozen=True, slots=True)
class Profile:
    """The profile that a LINE user shows to the accounts that the user follows."""

    user_id: str
    display_name: str
    picture_url: str | None
    status_message: str | None


@dataclass(frozen=True, slots=True)
class NoProfile:
    """LINE does not show this person to us: unknown, no longer a friend, or blocking."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The user of an ID token, as LINE has confirmed."""

    user_id: str
    display_name: str | None
    picture_url: str | None
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class TokenRefused:
    """LINE does not accept the ID token, or the token is for another channel."""

    reason: str


@dataclass(frozen=True, slots=True)
class Quota:
    """The monthly message quota. `limit` is None when the plan has none. `used` is approximate."""

    limit: int | None
    used: int

    @property
    def left(self) -> int | None:
        return None if self.limit is None else max(0, self.limit - self.used)


@dataclass(frozen=True, slots=True)
class LineUnreachable:
    """LINE gave no usable response after all retries."""

    reason: str


Refused = Rejected | LineUnreachable
