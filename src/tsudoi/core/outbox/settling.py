"""Writes the outcome of a claimed row. Only the holder of its lease can do this."""

import random
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Column, Row

from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.outbox.policy import Outcome, RetryPolicy, TryAgain
from tsudoi.core.outbox.table import DONE, PENDING, Outbox


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
    written = {f"new_{name}": _stored(outbox.column(name), value) for name, value in new.items()}
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


def _stored(column: Column[Any], value: Any) -> Any:
    """Convert a value to its stored form, because `RawSql` does not use the column types."""
    convert = getattr(column.type, "process_bind_param", None)
    return convert(value, None) if convert else value
