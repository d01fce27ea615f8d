"""Whether notices go out. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

# The last run of the command is too long ago to trust that somebody runs it.
LONGEST_SILENCE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Pulse:
    """What waits, when the command ran last, and how the last attempts ended."""

    due: int
    oldest_due: datetime | None
    last_run: datetime | None
    failures_in_a_row: int
    # Of the newest attempt, if it failed.
    last_error: str | None

    def is_silent(self, now: datetime) -> bool:
        """Whether nobody sends what is due. Before the first run ever, a job may wait as long as between two runs."""
        if self.oldest_due is None:
            return False
        return now - (self.last_run or self.oldest_due) > LONGEST_SILENCE
