"""What LINE said, as values: callers decide in pure code what to do about it."""

from dataclasses import dataclass
from datetime import datetime

# LINE is not asked in these cases, and nobody should look for the fault there.
NO_TOKEN = "アクセストークンが空です / the access token is empty"  # noqa: S105
BUSY = "too many calls to LINE are waiting"


@dataclass(frozen=True, slots=True)
class Accepted:
    """LINE took it. That is all LINE ever says: a blocked user's message is accepted and never seen."""

    request_id: str | None
    message_ids: tuple[str, ...] = ()
    earlier: bool = False  # True: an earlier try with the same retry key had gone through.


@dataclass(frozen=True, slots=True)
class Rejected:
    """LINE refused it for good; the same call will be refused again."""

    status: int
    reason: str
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class QuotaExhausted:
    """LINE refused it because this month's messages are used up."""

    reason: str
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class SendRateLimited:
    """LINE refused it because there were too many calls; the same call may succeed later."""

    reason: str
    request_id: str | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """No certain answer. `maybe_sent` is False when the connection never came about."""

    reason: str
    maybe_sent: bool
    request_id: str | None = None


SendOutcome = Accepted | Rejected | QuotaExhausted | SendRateLimited | Unknown


@dataclass(frozen=True, slots=True)
class Profile:
    """What a LINE user shows of himself to the accounts that he follows."""

    user_id: str
    display_name: str
    picture_url: str | None
    status_message: str | None


@dataclass(frozen=True, slots=True)
class NoProfile:
    """LINE does not show this person to us: unknown, no longer a friend, or blocking."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who an ID token speaks for, as LINE itself confirmed."""

    user_id: str
    display_name: str | None
    picture_url: str | None
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class TokenRefused:
    """LINE does not accept the ID token, or it speaks of somebody else's channel."""

    reason: str


@dataclass(frozen=True, slots=True)
class Quota:
    """`limit` is None when the plan has none. `used` is LINE's own approximation."""

    limit: int | None
    used: int

    @property
    def left(self) -> int | None:
        return None if self.limit is None else max(0, self.limit - self.used)


@dataclass(frozen=True, slots=True)
class LineUnreachable:
    """LINE could not be asked, or did not answer sensibly, after all retries."""

    reason: str


Refused = Rejected | LineUnreachable
