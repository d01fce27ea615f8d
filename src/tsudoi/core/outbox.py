"""The one way to take work from a table: claim with a lease, then complete only while the lease is still mine.

Any table with the columns of `OutboxColumns` (or columns of the same meaning) is an outbox. There is no framework that
resends by its own will: a row is PENDING, done, FAILED, or parked as UNKNOWN where a person can see it.
"""

import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Executable,
    Integer,
    Row,
    Table,
    Text,
    and_,
    bindparam,
    case,
    false,
    func,
    literal_column,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import UtcText
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql

PENDING, DONE, FAILED, UNKNOWN = "PENDING", "DONE", "FAILED", "UNKNOWN"
# Spelt out in the statement: SQLite takes an index of pending rows only where it reads that word, not a parameter.
IS_PENDING: ColumnElement[str] = literal_column("'PENDING'")
_NOT_DONE: list[ColumnElement[str]] = [literal_column(f"'{word}'") for word in (PENDING, FAILED, UNKNOWN)]


class OutboxColumns:
    status: Mapped[str] = mapped_column(Text, default=PENDING, server_default=PENDING)
    due_at: Mapped[datetime] = mapped_column(UtcText)
    attempt_count: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    first_attempt_at: Mapped[datetime | None] = mapped_column(UtcText)
    lease_token: Mapped[str | None] = mapped_column(Text)
    lease_until: Mapped[datetime | None] = mapped_column(UtcText)
    last_error: Mapped[str | None] = mapped_column(Text)
    # An earlier try may have gone through: it timed out, or its worker never came back to say.
    uncertain: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    updated_at: Mapped[datetime] = mapped_column(UtcText)


@dataclass(frozen=True, slots=True)
class Outbox:
    """Which table, and which of its columns tell a row's name and when it is due."""

    table: Table
    key: str = "id"
    due: str = "due_at"
    # Rows for which this holds are left alone until it does not: something else has to go first.
    waits: ColumnElement[bool] | None = field(default=None, compare=False)

    def column(self, name: str) -> Column[Any]:
        return self.table.c[name]


def take(tx: Tx, outbox: Outbox, policy: "RetryPolicy", lease: timedelta, limit: int) -> Sequence[Row[Any]]:
    """Claim what is due, after parking what must not be tried again.

    Workers may have been away for a day. By then LINE has forgotten the retry key, and one more try could be a second
    message; and a row that kills every worker that takes it has to stop somewhere.
    """
    give_up(tx, outbox, policy)
    return claim(tx, outbox, lease, limit)


def give_up(tx: Tx, outbox: Outbox, policy: "RetryPolicy") -> Sequence[Row[Any]]:
    """The rows that were parked, as they are now: what hangs on them may have to be parked too."""
    limits = {"too_old": tx.now - policy.give_up_after, "too_often": policy.most_attempts}
    return tx.execute(_give_up(outbox), {"the_time": tx.now, **limits}).all()


def claim(tx: Tx, /, outbox: Outbox, lease: timedelta, limit: int, **only: Any) -> Sequence[Row[Any]]:
    """Take up to `limit` due rows that nobody holds; `only` those with such values in their columns.

    Each returned row carries its `lease_token`: the fence.
    """
    values = {"the_time": tx.now, "until": tx.now + lease, "token": secrets.token_hex(16), "most": limit}
    wanted = {f"only_{name}": value for name, value in only.items()}
    rows = tx.execute(_claim(outbox, tuple(only)), values | wanted).all()
    return sorted(rows, key=lambda row: (row._mapping[outbox.due], row._mapping[outbox.key]))  # noqa: SLF001 (public by documentation)


# These statements run for every call to LINE, and putting one together takes longer than running it.
_THE_TIME = bindparam("the_time", type_=UtcText())


def _nobody_holds(outbox: Outbox) -> ColumnElement[bool]:
    until = outbox.column("lease_until")
    return or_(until.is_(None), until <= _THE_TIME)


@cache
def _give_up(outbox: Outbox) -> Executable:
    too_old = outbox.column("first_attempt_at") <= bindparam("too_old", type_=UtcText())
    too_often = outbox.column("attempt_count") >= bindparam("too_often")
    maybe_done = or_(outbox.column("uncertain"), outbox.column("lease_token").is_not(None))
    return (
        update(outbox.table)
        .where(outbox.column("status") == IS_PENDING, _nobody_holds(outbox), or_(too_old, too_often))
        .values(
            status=case((maybe_done, UNKNOWN), else_=FAILED),
            last_error=func.coalesce(outbox.column("last_error"), "gave up"),
            lease_token=None,
            lease_until=None,
            updated_at=_THE_TIME,
        )
        .returning(outbox.table)
    )


@cache
def _claim(outbox: Outbox, only: tuple[str, ...]) -> Executable:
    key, due = outbox.column(outbox.key), outbox.column(outbox.due)
    free = (
        select(key)
        .where(
            outbox.column("status") == IS_PENDING,
            due <= _THE_TIME,
            _nobody_holds(outbox),
            *(outbox.column(name) == bindparam(f"only_{name}") for name in only),
            *(() if outbox.waits is None else (~outbox.waits,)),
        )
        .order_by(due, key)
        .limit(bindparam("most", type_=Integer()))
        .with_for_update(skip_locked=True)
        .cte("free")
        # Without this word PostgreSQL may run the inner query again for each row and claim more than the limit.
        .prefix_with("MATERIALIZED")
    )
    return (
        update(outbox.table)
        .where(key.in_(select(free.c[outbox.key])))
        .values(
            lease_token=bindparam("token", type_=Text()),
            lease_until=bindparam("until", type_=UtcText()),
            attempt_count=outbox.column("attempt_count") + 1,
            first_attempt_at=func.coalesce(outbox.column("first_attempt_at"), _THE_TIME),
            # A lease that was never given back: whoever held it may have done the work before it died.
            uncertain=case((outbox.column("lease_token").is_not(None), true()), else_=outbox.column("uncertain")),
            updated_at=_THE_TIME,
        )
        .returning(outbox.table)
    )


def complete(
    tx: Tx, /, outbox: Outbox, key: Any, token: str, status: str, error: str | None = None, **more: Any
) -> bool:
    """False: the lease ran out and another took the row, so this worker's word no longer counts.

    `more` are columns of the table's own that are written together with the outcome.
    """
    return _settle(tx, outbox, key, token, {"status": status, "last_error": error, **more})


def retry(
    tx: Tx, outbox: Outbox, key: Any, token: str, at: datetime, error: str | None, *, uncertain: bool = False
) -> bool:
    doubt = {"uncertain": True} if uncertain else {}
    return _settle(tx, outbox, key, token, {outbox.due: at, "last_error": error, **doubt})


def _settle(tx: Tx, outbox: Outbox, key: Any, token: str, values: dict[str, Any]) -> bool:
    new = {**values, "lease_token": None, "lease_until": None, "updated_at": tx.now}
    written = {f"new_{name}": _stored(outbox.column(name), value) for name, value in new.items()}
    return _settled(outbox, tuple(new)).changed(tx, {"the_key": key, "the_token": token, **written}) == 1


@cache
def _settled(outbox: Outbox, names: tuple[str, ...]) -> RawSql:
    return RawSql(
        f"UPDATE {outbox.table.name} SET {', '.join(f'{name} = :new_{name}' for name in names)}"  # noqa: S608 (names of ours)
        f" WHERE {outbox.key} = :the_key AND lease_token = :the_token AND status = 'PENDING'"
    )


def _stored(column: Column[Any], value: Any) -> Any:
    """Times and the like are stored as texts, the same on every database."""
    convert = getattr(column.type, "process_bind_param", None)
    return convert(value, None) if convert else value


class Outcome(StrEnum):
    """What is known after a try. UNKNOWN is the honest answer to a time-out: it may have happened."""

    OK = "ok"
    REFUSED = "refused"
    NOT_NOW = "not_now"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Finish:
    status: str


@dataclass(frozen=True, slots=True)
class TryAgain:
    at: datetime


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """A policy is a value. LINE forgets a retry key after 24 h, so an unknown outcome must not be tried beyond 23."""

    first_delay: timedelta = timedelta(seconds=2)
    factor: float = 2.0
    longest_delay: timedelta = timedelta(minutes=15)
    most_attempts: int = 60
    give_up_after: timedelta = timedelta(hours=23)

    def delay(self, attempt: int, jitter: float) -> timedelta:
        """Grows up to `longest_delay`; jitter in 0..1 takes away up to half of it, so that crowds disperse."""
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
        """`uncertain`: an earlier try may have gone through, so that giving up now is not the same as "not done"."""
        if outcome is Outcome.OK:
            return Finish(DONE)
        if outcome is Outcome.REFUSED:
            return Finish(FAILED)
        at = now + self.delay(attempt, jitter)
        if attempt < self.most_attempts and at - first_attempt_at < self.give_up_after:
            return TryAgain(at)
        return Finish(UNKNOWN if uncertain or outcome is Outcome.UNKNOWN else FAILED)


def settle(
    tx: Tx, outbox: Outbox, row: Row[Any], outcome: Outcome, policy: RetryPolicy, error: str | None = None
) -> bool:
    """Write what the policy decides about a claimed row."""
    held = row._mapping  # noqa: SLF001 (public by documentation)
    jitter = random.random()  # noqa: S311 (spreads retries; no secret)
    verdict = policy.decide(
        outcome, held["attempt_count"], held["first_attempt_at"], tx.now, jitter, uncertain=held["uncertain"]
    )
    if isinstance(verdict, TryAgain):
        return retry(
            tx,
            outbox,
            held[outbox.key],
            held["lease_token"],
            verdict.at,
            error or outcome,
            uncertain=outcome is Outcome.UNKNOWN,
        )
    return complete(tx, outbox, held[outbox.key], held["lease_token"], verdict.status, error)


def waiting(tx: ReadTx, outbox: Outbox) -> dict[str, int]:
    """How many rows stand in each state that a person may want to know of (finished ones are not counted)."""
    status = outbox.column("status")
    counted = select(status.label("state"), func.count().label("rows")).where(status.in_(_NOT_DONE)).group_by(status)
    return {PENDING: 0, FAILED: 0, UNKNOWN: 0} | {row["state"]: row["rows"] for row in tx.execute(counted).mappings()}


def oldest_due(tx: ReadTx, outbox: Outbox) -> datetime | None:
    due = outbox.column(outbox.due)
    found: datetime | None = tx.scalar(
        select(func.min(due)).where(and_(outbox.column("status") == IS_PENDING, due <= tx.now))
    )
    return found
