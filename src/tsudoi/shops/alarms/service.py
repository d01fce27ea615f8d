"""Troubles: their tickets, who is told about them and when they are over; events of the system; connectivity checks."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import orjson
from sqlalchemy import insert, or_, select, update

from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.gateway.api_comm.shop_data import (
    ALARM_CHANNELS,
    AlarmDraft,
    AlarmRule,
    AttemptKind,
    ChannelAttempt,
    ClearedTicket,
    NotedAlarm,
)
from tsudoi.shops.connectivity.models import ConnectivityCheck
from tsudoi.alarms.escalation.models import EscalationAttempt
from tsudoi.alarms.system_events.models import SysEvent
from tsudoi.alarms.tickets.models import Ticket

# An alarm that surely reached nobody is tried again with the first occurrence after this time.
_NEXT_TRY = timedelta(minutes=1)

# The row is locked from here to the commit, so that those who come at the same moment are counted one by one.
_COUNT_ALARM = RawSql(
    """INSERT INTO tickets (shop_id, source, rule_code, dedupe_key, severity, title, details_json, status, occurrences,
        request_id, opened_at_utc, last_seen_at_utc)
    VALUES (:shop_id, 'api_comm', :rule_code, :dedupe_key, :severity, :title, :details, 'open', 1,
        :request_id, :now, :now)
    ON CONFLICT (dedupe_key) WHERE status <> 'closed' DO UPDATE SET occurrences = tickets.occurrences + 1,
        severity = excluded.severity, title = excluded.title, details_json = excluded.details_json,
        request_id = excluded.request_id, last_seen_at_utc = excluded.last_seen_at_utc
    RETURNING id, occurrences"""
)
_TAKE_ALARM = RawSql(
    """UPDATE tickets SET alarmed_at_utc = :now
    WHERE id = :id AND (alarmed_at_utc IS NULL OR alarmed_at_utc <= :before)"""
)


def note_event(tx: Tx, event_type: str, channel: str | None, shop_id: int | None, payload: Mapping[str, Any]) -> None:
    """The payload holds ids and codes, and no personal data."""
    tx.execute(
        insert(SysEvent).values(
            occurred_at_utc=tx.now, event_type=event_type, channel=channel, shop_id=shop_id, payload_json=dict(payload)
        )
    )


def note_alarm(tx: Tx, draft: AlarmDraft) -> NotedAlarm:
    """Count the trouble and decide, in the same transaction, whether this call tells the channels.

    The same trouble of a shop has one ticket until somebody closes it. Its alarm is repeated after the rule's throttle
    at the earliest, so that a system that fails and recovers every minute does not ring every minute.
    """
    rule = draft.rule
    row = _COUNT_ALARM.first(
        tx,
        {
            "shop_id": draft.shop_id,
            "rule_code": rule.rule_code,
            "dedupe_key": f"{rule.rule_code}|{draft.shop_id or 0}|{draft.component}",
            "severity": rule.severity,
            "title": draft.title,
            "details": orjson.dumps(dict(draft.details)).decode(),
            "request_id": draft.request_id,
            "now": utc_text(tx.now),
        },
    )
    assert row is not None  # noqa: S101 (the statement returns the row that it wrote)
    ticket_id, occurrences = row[0], row[1]
    snoozed = rule.snoozed_until is not None and tx.now < rule.snoozed_until
    may_send = False
    if rule.active and not snoozed:
        times = {"now": utc_text(tx.now), "before": utc_text(tx.now - rule.throttle)}
        may_send = _TAKE_ALARM.changed(tx, {"id": ticket_id, **times}) == 1
    seen = {"rule_code": rule.rule_code, "ticket_id": ticket_id, "occurrences": occurrences, "alarm": may_send}
    note_event(tx, "escalation_triggered", draft.channel, draft.shop_id, seen)
    return NotedAlarm(ticket_id, occurrences, may_send)


def note_attempts(
    tx: Tx, ticket_id: int, rule: AlarmRule, kind: AttemptKind, request_id: str, attempts: Sequence[ChannelAttempt]
) -> None:
    rows = [
        {
            "ticket_id": ticket_id,
            "kind": kind,
            "channel": one.channel,
            "outcome": one.outcome,
            "reason": one.reason,
            "request_id": request_id,
            "attempted_at_utc": tx.now,
        }
        for one in attempts
    ]
    if rows:
        tx.execute(insert(EscalationAttempt), rows)
    lost = bool(rows) and all(one.outcome == "failed" for one in attempts)
    if kind == "alarm" and lost and rule.throttle > _NEXT_TRY:
        again = tx.now - rule.throttle + _NEXT_TRY
        tx.execute(update(Ticket).where(Ticket.id == ticket_id).values(alarmed_at_utc=again))


def cleared_tickets(tx: Tx, shop_id: int, rule_codes: Sequence[str]) -> list[ClearedTicket]:
    cleared = (
        update(Ticket)
        .where(Ticket.shop_id == shop_id, Ticket.rule_code.in_(rule_codes), Ticket.status != "closed")
        .where(Ticket.alarmed_at_utc.is_not(None))
        .where(or_(Ticket.all_clear_at_utc.is_(None), Ticket.all_clear_at_utc < Ticket.alarmed_at_utc))
        .values(all_clear_at_utc=tx.now)
        .returning(Ticket.id, Ticket.rule_code, Ticket.alarmed_at_utc)
    )
    rows = tx.execute(cleared).all()
    return [
        ClearedTicket(row.id, row.rule_code, _channels_told(tx, row.id, row.alarmed_at_utc))
        for row in sorted(rows, key=lambda row: int(row.id))
    ]


def _channels_told(tx: Tx, ticket_id: int, since: datetime) -> tuple[Any, ...]:
    told = select(EscalationAttempt.channel).where(
        EscalationAttempt.ticket_id == ticket_id,
        EscalationAttempt.kind == "alarm",
        EscalationAttempt.outcome.in_(("sent", "unknown")),
        EscalationAttempt.attempted_at_utc >= since,
    )
    found = set(tx.execute(told).scalars())
    return tuple(one for one in ALARM_CHANNELS if one in found)


def note_check(tx: Tx, code: str, results: Mapping[str, Any], asked_by: str, request_id: str) -> None:
    tx.execute(
        insert(ConnectivityCheck).values(
            checked_at_utc=tx.now, code=code, results_json=dict(results), asked_by=asked_by, request_id=request_id
        )
    )
