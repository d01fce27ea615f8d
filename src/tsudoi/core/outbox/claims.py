"""The life of a row: claimed with a lease, tried, settled by the holder of the lease, or parked; and counted."""

import random
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Executable,
    Integer,
    Row,
    Text,
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

from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.installation import IS_HELD
from tsudoi.core.outbox.table import DONE, FAILED, PENDING, UNKNOWN, Outbox, Outcome, RetryPolicy, TryAgain

DROPPED = "DROPPED_AFTER_RESTORE"


def take(tx: Tx, outbox: Outbox, policy: RetryPolicy, lease: timedelta, limit: int) -> Sequence[Row[Any]]:
    """Claim what is due, after parking what must not be tried again.

    Workers may have been down for a day. LINE has then forgotten the retry key, and one more attempt could send a
    second message. Rows with too many attempts are parked too, because a row may crash every worker that claims it.
    """
    give_up(tx, outbox, policy)
    return claim(tx, outbox, lease, limit)


def give_up(tx: Tx, outbox: Outbox, policy: RetryPolicy) -> Sequence[Row[Any]]:
    """Park old rows and rows with too many attempts. Returns them as they are now."""
    limits: dict[str, Any] = {"too_old": tx.now - policy.give_up_after} if outbox.first_attempt else {}
    limits |= {"too_often": policy.most_attempts} if outbox.claims else {}
    return tx.execute(_give_up(outbox), {**_times(tx, "lease_until", outbox.updated), **limits}).all()


def claim(tx: Tx, /, outbox: Outbox, lease: timedelta, limit: int, **only: Any) -> Sequence[Row[Any]]:
    """Claim up to `limit` due rows that nobody holds; `only` those with such values in their columns.

    Each returned row has the `lease_token` that is needed to settle it.
    """
    times = _times(tx, "lease_until", outbox.due, outbox.next_try, outbox.first_attempt, outbox.updated)
    values = {**times, "until": tx.now + lease, "token": secrets.token_hex(16), "most": limit}
    wanted = {f"only_{name}": value for name, value in only.items()}
    rows = tx.execute(_claim(outbox, tuple(only)), values | wanted).all()
    return sorted(rows, key=lambda row: (row._mapping[outbox.due], row._mapping[outbox.key]))  # noqa: SLF001 (public by documentation)


def _times(tx: Tx, *columns: str | None) -> dict[str, Any]:
    return {f"now_{name}": tx.now for name in columns if name}


def _now(outbox: Outbox, name: str) -> ColumnElement[datetime]:
    """The current time in the format of this column, because some tables store JST and others UTC."""
    return bindparam(f"now_{name}", type_=outbox.column(name).type)


def _may_go_out(outbox: Outbox) -> tuple[ColumnElement[bool], ...]:
    """A restored copy that nobody has confirmed sends nothing; its rows stay as they are."""
    return (~literal_column(IS_HELD, Boolean()),) if outbox.goes_out else ()


def _nobody_holds(outbox: Outbox) -> ColumnElement[bool]:
    until = outbox.column("lease_until")
    return or_(until.is_(None), until <= _now(outbox, "lease_until"))


# The statements are cached, because they run for every few calls to LINE and building one takes longer than running it.
@cache
def _give_up(outbox: Outbox) -> Executable:
    limits: list[ColumnElement[bool]] = []
    if outbox.first_attempt is not None:
        first = outbox.column(outbox.first_attempt)
        limits.append(first <= bindparam("too_old", type_=first.type))
    if outbox.claims is not None:
        limits.append(outbox.column(outbox.claims) >= bindparam("too_often"))
    unknown, failed = outbox.final_values(UNKNOWN), outbox.final_values(FAILED)
    maybe_done: ColumnElement[bool] = outbox.column("lease_token").is_not(None)
    if outbox.uncertain is not None:
        maybe_done = or_(outbox.column(outbox.uncertain), maybe_done)
    return (
        update(outbox.table)
        .where(outbox.is_pending, _nobody_holds(outbox), or_(false(), *limits), *_may_go_out(outbox))
        .values(
            {
                **{name: case((maybe_done, unknown[name]), else_=failed[name]) for name in unknown},
                outbox.error: func.coalesce(outbox.column(outbox.error), "gave up"),
                **_one_more(outbox, outbox.failures),
                **_updated(outbox),
                "lease_token": None,
                "lease_until": None,
            }
        )
        .returning(outbox.table)
    )


@cache
def _claim(outbox: Outbox, only: tuple[str, ...]) -> Executable:
    key, due = outbox.column(outbox.key), outbox.column(outbox.due)
    next_try_has_come: list[ColumnElement[bool]] = []
    if outbox.next_try is not None:
        at = outbox.column(outbox.next_try)
        next_try_has_come = [or_(at.is_(None), at <= _now(outbox, outbox.next_try))]
    started: dict[str, Any] = {}
    if (name := outbox.first_attempt) is not None:
        started[name] = func.coalesce(outbox.column(name), _now(outbox, name))
    if (name := outbox.uncertain) is not None:
        # The lease of such a row ran out: its last worker may have done the work before it died.
        held_before = outbox.column("lease_token").is_not(None)
        started[name] = case((held_before, true()), else_=outbox.column(name))
    free = (
        select(key)
        .where(
            outbox.is_pending,
            due <= _now(outbox, outbox.due),
            *next_try_has_come,
            _nobody_holds(outbox),
            *(outbox.column(name) == bindparam(f"only_{name}") for name in only),
            *(() if outbox.waits is None else (~outbox.waits,)),
            *_may_go_out(outbox),
        )
        .order_by(due, key)
        .limit(bindparam("most", type_=Integer()))
        .with_for_update(skip_locked=True)
        .cte("free")
        # Without this keyword PostgreSQL may run the inner query again for each row and claim more than the limit.
        .prefix_with("MATERIALIZED")
    )
    return (
        update(outbox.table)
        .where(key.in_(select(free.c[outbox.key])))
        .values(
            {
                "lease_token": bindparam("token", type_=Text()),
                "lease_until": bindparam("until", type_=outbox.column("lease_until").type),
                **_one_more(outbox, outbox.claims),
                **started,
                **_updated(outbox),
            }
        )
        .returning(outbox.table)
    )


def _one_more(outbox: Outbox, counter: str | None) -> dict[str, Any]:
    return {} if counter is None else {counter: outbox.column(counter) + 1}


def _updated(outbox: Outbox) -> dict[str, Any]:
    return {} if outbox.updated is None else {outbox.updated: _now(outbox, outbox.updated)}


def settle(
    tx: Tx, outbox: Outbox, row: Row[Any], outcome: Outcome, policy: RetryPolicy, error: str | None = None
) -> str | None:
    """Write what the policy decides about a claimed row. Returns its new state, or None when the lease was lost."""
    held = row._mapping  # noqa: SLF001 (public by documentation)
    decision = policy.decide(
        outcome,
        held[outbox.claims] if outbox.claims else 1,
        held[outbox.first_attempt] if outbox.first_attempt else tx.now,
        tx.now,
        random.random(),  # noqa: S311 (spreads retries; no secret)
        uncertain=bool(outbox.uncertain and held[outbox.uncertain]),
    )
    key, token = held[outbox.key], held["lease_token"]
    if isinstance(decision, TryAgain):
        doubt = outcome is Outcome.UNKNOWN
        return PENDING if retry(tx, outbox, key, token, decision.at, error or outcome, uncertain=doubt) else None
    return decision.state if complete(tx, outbox, key, token, decision.state, error) else None


def complete(
    tx: Tx, /, outbox: Outbox, key: Any, token: str, state: str, error: str | None = None, **more: Any
) -> bool:
    """End a row as DONE, FAILED or UNKNOWN. False: the lease ran out and another worker claimed the row.

    `more` are columns of the table's own that are written together with the outcome.
    """
    counter = None if state == DONE else outbox.failures
    return _write(tx, outbox, key, token, {**outbox.final_values(state), outbox.error: error, **more}, counter)


def retry(
    tx: Tx, outbox: Outbox, key: Any, token: str, at: datetime, error: str | None, *, uncertain: bool = False
) -> bool:
    """Give a row back for another attempt at that time. False: the lease was lost."""
    doubt = {outbox.uncertain: True} if uncertain and outbox.uncertain else {}
    return _write(tx, outbox, key, token, {outbox.next_try or outbox.due: at, outbox.error: error, **doubt})


def _write(tx: Tx, outbox: Outbox, key: Any, token: str, values: dict[str, Any], one_more: str | None = None) -> bool:
    updated = {outbox.updated: tx.now} if outbox.updated else {}
    new = {**values, **updated, "lease_token": None, "lease_until": None}
    written: dict[str, Any] = {}
    for name, value in new.items():
        # `RawSql` does not use the column types, so each value is converted to its stored form here.
        convert = getattr(outbox.table.c[name].type, "process_bind_param", None)
        written[f"new_{name}"] = convert(value, None) if convert else value
    statement = _statement(outbox, tuple(new), one_more)
    return statement.changed(tx, {"the_key": key, "the_token": token, **written}) == 1


@cache
def _statement(outbox: Outbox, names: tuple[str, ...], one_more: str | None) -> RawSql:
    counted = [] if one_more is None else [f"{one_more} = {one_more} + 1"]
    assignments = ", ".join([*(f"{name} = :new_{name}" for name in names), *counted])
    return RawSql(
        f"UPDATE {outbox.table.name} SET {assignments}"  # noqa: S608 (names of ours)
        f" WHERE {outbox.key} = :the_key AND lease_token = :the_token AND {outbox.status} = '{outbox.words.pending}'"
    )


def drop_due(tx: Tx, outbox: Outbox) -> int:
    """A person decided not to send what was due in a backup, because the original has probably sent it already."""
    if outbox.dropped is None or not outbox.goes_out:
        return 0
    due = outbox.column(outbox.due)
    times = {outbox.updated: tx.now} if outbox.updated else {}
    flag = {} if outbox.outcome_unknown is None else {outbox.outcome_unknown: False}
    ended = {outbox.status: outbox.dropped, outbox.error: DROPPED, "lease_token": None, "lease_until": None}
    return tx.execute(
        update(outbox.table).where(outbox.is_pending, due <= tx.now).values({**ended, **times, **flag})
    ).rowcount


def due_now(tx: ReadTx, outbox: Outbox) -> tuple[int, datetime | None]:
    """How many rows could go out at once, and since when the oldest of them has been due."""
    key, due = outbox.column(outbox.key), outbox.column(outbox.due)
    counted = select(func.count(key).label("number"), func.min(due).label("since"))
    found = tx.execute(counted.where(outbox.is_pending, due <= tx.now)).mappings().one()
    return found["number"], found["since"]


def waiting(tx: ReadTx, outbox: Outbox) -> dict[str, int]:
    """Count the rows in each state except done, which nobody has to act on."""
    status = outbox.column(outbox.status)
    flag = false() if outbox.outcome_unknown is None else outbox.column(outbox.outcome_unknown)
    words = {getattr(outbox.words, state.lower()): state for state in (UNKNOWN, FAILED, PENDING)}
    counted = (
        select(status.label("word"), flag.label("unknown"), func.count().label("rows"))
        .where(status.in_([literal_column(f"'{word}'") for word in words]))
        .group_by(status, *(() if outbox.outcome_unknown is None else (flag,)))
    )
    found = {PENDING: 0, FAILED: 0, UNKNOWN: 0}
    for row in tx.execute(counted).mappings():
        found[UNKNOWN if row["unknown"] else words[row["word"]]] += row["rows"]
    return found


def oldest_due(tx: ReadTx, outbox: Outbox) -> datetime | None:
    """Not among rows that have to wait for something else."""
    due = outbox.column(outbox.due)
    waits = () if outbox.waits is None else (~outbox.waits,)
    found: datetime | None = tx.scalar(select(func.min(due)).where(outbox.is_pending, due <= tx.now, *waits))
    return found
