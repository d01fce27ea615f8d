"""Decides after each attempt whether a row is finished or is tried again later. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from tsudoi.core.outbox.table import DONE, FAILED, UNKNOWN


class Outcome(StrEnum):
    """What is known after an attempt. UNKNOWN: after a time-out, for example, the work may have been done."""

    OK = "ok"
    REFUSED = "refused"
    NOT_NOW = "not_now"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Finish:
    """No further attempt; the row ends in this state."""

    state: str


@dataclass(frozen=True, slots=True)
class TryAgain:
    """One more attempt, not before this time."""

    at: datetime


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often, how far apart and for how long to try.

    LINE forgets a retry key after 24 hours, so an unknown outcome must not be tried again after 23.
    """

    first_delay: timedelta = timedelta(seconds=2)
    factor: float = 2.0
    longest_delay: timedelta = timedelta(minutes=15)
    most_attempts: int = 60
    give_up_after: timedelta = timedelta(hours=23)

    def delay(self, attempt: int, jitter: float) -> timedelta:
        """The delay grows up to `longest_delay`. Jitter in 0..1 shortens it by up to half, to spread the retries."""
        seconds = self.first_delay.total_seconds() * self.factor ** min(attempt - 1, 40)
        return timedelta(seconds=min(seconds, self.longest_delay.total_seconds()) * (1 - jitter / 2))

    def decide(
        self,
        outcome: Outcome,
        attempt: int,
        first_attempt_at: datetime,
        now: datetime,
        jitter: float,
        *,
        uncertain: bool = False,
    ) -> Finish | TryAgain:
        """`uncertain`: an earlier attempt may have gone through, so that giving up does not mean "not done"."""
        if outcome is Outcome.OK:
            return Finish(DONE)
        if outcome is Outcome.REFUSED:
            return Finish(FAILED)
        at = now + self.delay(attempt, jitter)
        if attempt < self.most_attempts and at - first_attempt_at < self.give_up_after:
            return TryAgain(at)
        return Finish(UNKNOWN if uncertain or outcome is Outcome.UNKNOWN else FAILED)
