"""Taking work from a table: rows are claimed with a lease, and parked when they must not be tried again."""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Executable,
    Integer,
    Row,
    Text,
    bindparam,
    case,
    false,
    func,
    or_,
    select,
    true,
    update,
)

from tsudoi.core.db.interface import Tx
from tsudoi.core.outbox.policy import RetryPolicy
from tsudoi.core.outbox.table import FAILED, UNKNOWN, Outbox


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
        .where(outbox.is_pending, _nobody_holds(outbox), or_(false(), *limits))
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
    free = (
        select(key)
        .where(
            outbox.is_pending,
            due <= _now(outbox, outbox.due),
            *_next_try_has_come(outbox),
            _nobody_holds(outbox),
            *(outbox.column(name) == bindparam(f"only_{name}") for name in only),
            *(() if outbox.waits is None else (~outbox.waits,)),
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
                **_first_attempt(outbox),
                **_doubt(outbox),
                **_updated(outbox),
            }
        )
        .returning(outbox.table)
    )


def _next_try_has_come(outbox: Outbox) -> list[ColumnElement[bool]]:
    if outbox.next_try is None:
        return []
    at = outbox.column(outbox.next_try)
    return [or_(at.is_(None), at <= _now(outbox, outbox.next_try))]


def _one_more(outbox: Outbox, counter: str | None) -> dict[str, Any]:
    return {} if counter is None else {counter: outbox.column(counter) + 1}


def _first_attempt(outbox: Outbox) -> dict[str, Any]:
    name = outbox.first_attempt
    return {} if name is None else {name: func.coalesce(outbox.column(name), _now(outbox, name))}


def _doubt(outbox: Outbox) -> dict[str, Any]:
    """Mark a row whose lease ran out: its last worker may have done the work before it died."""
    name = outbox.uncertain
    held_before = outbox.column("lease_token").is_not(None)
    return {} if name is None else {name: case((held_before, true()), else_=outbox.column(name))}


def _updated(outbox: Outbox) -> dict[str, Any]:
    return {} if outbox.updated is None else {outbox.updated: _now(outbox, outbox.updated)}
