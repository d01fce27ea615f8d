"""Counts how the calls to outside systems go, in the database, because all processes count together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select, update

from tsudoi.alarms.escalation.queries import channels_of_settings, rule_of
from tsudoi.alarms.outages.models import OutsideState
from tsudoi.alarms.outages.queries import channels_out
from tsudoi.alarms.outages.rules import FAILURES, NO_SHOP, SUCCESSES, Outage
from tsudoi.alarms.tickets import service as tickets
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.db.upsert import upsert
from tsudoi.core.settings import Settings
from tsudoi.gateway.api_comm.shop_data import (
    AlarmChannel,
    AlarmDraft,
    AlarmRule,
    ClearedTicket,
    NotedAlarm,
    cause_of,
)

_COUNT_FAILURE = RawSql(
    """INSERT INTO outside_states (shop_id, system, failures_in_a_row, last_failure_at_utc, last_error)
    VALUES (:shop_id, :system, 1, :now, :error)
    ON CONFLICT (shop_id, system) DO UPDATE SET failures_in_a_row = outside_states.failures_in_a_row + 1,
        successes_in_a_row = 0, last_failure_at_utc = excluded.last_failure_at_utc, last_error = excluded.last_error
    RETURNING failures_in_a_row"""
)


@dataclass(frozen=True, slots=True)
class NotedOutage:
    """A ticket of an outage, and on which channels this process has to tell it. No channels: it tells nobody."""

    rule: AlarmRule
    alarm: NotedAlarm
    channels: tuple[AlarmChannel, ...]


@dataclass(frozen=True, slots=True)
class EndedOutage:
    """The all-clear, for those who heard the alarm."""

    rule: AlarmRule
    ticket: ClearedTicket
    failures: int


def count_failure(tx: Tx, shop_id: int, system: str, error: str) -> int:
    """How many there are in a row now."""
    values = {"shop_id": shop_id, "system": system, "now": utc_text(tx.now), "error": error}
    row = _COUNT_FAILURE.first(tx, values)
    assert row is not None  # noqa: S101 (the statement returns the row that it wrote)
    return int(row[0])


def note_working(tx: Tx, shop_id: int, system: str) -> None:
    """Remember when it last worked, without counting it."""
    _note_state(tx, shop_id, system, {"last_success_at_utc": tx.now})


def note_trouble(tx: Tx, shop_id: int, system: str, error: str) -> None:
    """Remember what went wrong for the lights of the office, without counting it."""
    _note_state(tx, shop_id, system, {"last_failure_at_utc": tx.now, "last_error": error})


def _note_state(tx: Tx, shop_id: int, system: str, values: dict[str, Any]) -> None:
    row = upsert(tx, OutsideState).values(shop_id=shop_id, system=system, **values)
    tx.execute(row.on_conflict_do_update(index_elements=["shop_id", "system"], set_=values))


def note_failure(tx: Tx, settings: Settings, outage: Outage, error: str) -> NotedOutage | None:
    """None: it is no outage yet. Which of many processes tells the channels is decided in this transaction."""
    failures = count_failure(tx, NO_SHOP, outage.system, error)
    rule = rule_of(tx, settings, outage.cause) if failures >= FAILURES else None
    if rule is None:
        return None
    details = {"system": outage.system, "reason": error, "failures": failures}
    draft = AlarmDraft(rule, None, "", outage.title, details, None, "system")
    noted = tickets.note_alarm(tx, draft)
    return NotedOutage(rule, noted, _channels_for(tx, settings, rule) if noted.may_send else ())


def _channels_for(tx: Tx, settings: Settings, rule: AlarmRule) -> tuple[AlarmChannel, ...]:
    """Those of the rule; if all of them are out themselves, those of the settings."""
    out = channels_out(tx)
    left = _without(rule.channels, out)
    if left or not rule.channels:
        return left
    return _without(channels_of_settings(settings), out)


def _without(channels: Sequence[AlarmChannel], out: frozenset[AlarmChannel]) -> tuple[AlarmChannel, ...]:
    return tuple(one for one in channels if one not in out)


def note_success(tx: Tx, settings: Settings, outage: Outage) -> EndedOutage | None:
    """A run that was no outage yet ends with its first success; an outage ends with the second one."""
    mine = (OutsideState.shop_id == NO_SHOP, OutsideState.system == outage.system)
    counts = select(OutsideState.failures_in_a_row, OutsideState.successes_in_a_row).where(*mine)
    state = tx.execute(counts.with_for_update()).one_or_none()
    if state is None or state.failures_in_a_row == 0:
        return None
    failures, successes = state.failures_in_a_row, state.successes_in_a_row + 1
    if failures >= FAILURES and successes < SUCCESSES:
        tx.execute(update(OutsideState).where(*mine).values(successes_in_a_row=successes, last_success_at_utc=tx.now))
        return None
    calm = {"failures_in_a_row": 0, "successes_in_a_row": 0, "last_success_at_utc": tx.now}
    tx.execute(update(OutsideState).where(*mine).values(**calm))
    cleared = tickets.clear_tickets(tx, [cause_of(outage.cause, None, "")]) if failures >= FAILURES else []
    rule = rule_of(tx, settings, outage.cause)
    return EndedOutage(rule, cleared[0], failures) if cleared and rule is not None else None
