"""An outbox is a table whose rows are work. This module describes its columns, its states and when to try again.

A row is pending, done, failed, or parked as unknown until a person decides. Our own tables have `OutboxColumns`. For a
table whose columns a document prescribes, the `Outbox` says what each column means.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Any

from sqlalchemy import Boolean, Column, ColumnElement, Integer, Table, Text, false, literal_column, or_
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import UtcText

# The states. A table may use other words for them (`StatusWords`).
PENDING, DONE, FAILED, UNKNOWN = "PENDING", "DONE", "FAILED", "UNKNOWN"
# A literal and not a parameter, because SQLite uses a partial index only for a literal.
IS_PENDING: ColumnElement[str] = literal_column("'PENDING'")


class OutboxColumns:
    """The columns of an outbox of our own."""

    status: Mapped[str] = mapped_column(Text, default=PENDING, server_default=PENDING)
    due_at: Mapped[datetime] = mapped_column(UtcText)
    attempt_count: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    first_attempt_at: Mapped[datetime | None] = mapped_column(UtcText)
    lease_token: Mapped[str | None] = mapped_column(Text)
    lease_until: Mapped[datetime | None] = mapped_column(UtcText)
    last_error: Mapped[str | None] = mapped_column(Text)
    # An earlier attempt may have succeeded: it timed out, or its worker died before it wrote the outcome.
    uncertain: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    updated_at: Mapped[datetime] = mapped_column(UtcText)


@dataclass(frozen=True, slots=True)
class StatusWords:
    """What a table writes into its status column for each state."""

    pending: str = PENDING
    done: str = DONE
    failed: str = FAILED
    unknown: str = UNKNOWN


@dataclass(frozen=True, slots=True, eq=False)
class Outbox:
    """A table of work, with the meaning of its columns and its status words. None: the table has no such column.

    Every outbox has `lease_token` and `lease_until`. Outboxes are compared by identity, so that two of them on one
    table never share a prepared statement; each is made once, as a constant of its module.
    """

    table: Table
    key: str = "id"
    due: str = "due_at"
    # Where the time of the next attempt is written, if `due` has to stay as it is; it may be NULL.
    next_try: str | None = None
    status: str = "status"
    words: StatusWords = StatusWords()
    # Counts every claim. Without it only `RetryPolicy.give_up_after` ends the attempts.
    claims: str | None = "attempt_count"
    # Counts the attempts that ended as failed, for tables whose document counts nothing else.
    failures: str | None = None
    # Without it the age of a row does not end its attempts.
    first_attempt: str | None = "first_attempt_at"
    # Without it a table cannot remember that an earlier attempt may have succeeded.
    uncertain: str | None = "uncertain"
    # A flag for "unknown", for a table whose status has no such word and says failed.
    outcome_unknown: str | None = None
    error: str = "last_error"
    updated: str | None = "updated_at"
    # Rows for which this is true are not claimed, because something else has to be sent first.
    waits: ColumnElement[bool] | None = None
    # False: its work reaches nobody outside, so that a restored copy of the database does it too.
    goes_out: bool = True
    # The status of a row that a person decided not to send after a restore. None: such rows are always done, because
    # doing them twice has no effect.
    dropped: str | None = FAILED
    # These rows wait too while `NOTIFICATION_CRON_DRY_RUN` is on, because they tell somebody about reservations.
    waits_in_dry_run: ColumnElement[bool] | None = None

    def column(self, name: str) -> Column[Any]:
        return self.table.c[name]

    @property
    def is_pending(self) -> ColumnElement[bool]:
        return self.column(self.status) == literal_column(f"'{self.words.pending}'")

    def final_values(self, state: str) -> dict[str, Any]:
        """The columns that say that a row is in this final state."""
        flag = {} if self.outcome_unknown is None else {self.outcome_unknown: state == UNKNOWN}
        return {self.status: getattr(self.words, state.lower()), **flag}


@cache
def held_back(outbox: Outbox) -> Outbox:
    """The outbox as it is claimed while `NOTIFICATION_CRON_DRY_RUN` is on."""
    conditions = [one for one in (outbox.waits, outbox.waits_in_dry_run) if one is not None]
    return outbox if outbox.waits_in_dry_run is None else replace(outbox, waits=or_(*conditions))


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
