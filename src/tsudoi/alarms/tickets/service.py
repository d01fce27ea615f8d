"""What becomes of a ticket: the product counts a trouble and clears it; people take it on and close it.

A ticket that the product opened by itself is closed by the all-clear of its own cause, or by a person. One that
somebody asked for has a cause of its own, which no all-clear ends.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import orjson
from sqlalchemy import func, insert, select, update

from tsudoi.alarms.escalation.models import EscalationAttempt
from tsudoi.alarms.system_events.service import note_event
from tsudoi.alarms.tickets.errors import NoSuchTicket, TicketClosed
from tsudoi.alarms.tickets.models import Ticket
from tsudoi.core import audit
from tsudoi.core.clock import parse_utc, utc_text
from tsudoi.core.db.interface import ReadTx, Tx
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

# Who closes a ticket when its trouble is over.
BY_ITSELF = "system"
# An alarm that surely reached nobody is tried again with the first occurrence after this time.
_NEXT_TRY = timedelta(minutes=1)

# A system that fails and recovers every minute has one ticket, and keeps the time of its last alarm.
_OPEN_AGAIN = RawSql(
    """UPDATE tickets SET closed_at_utc = NULL, closed_by = NULL,
        status = CASE WHEN acknowledged_at_utc IS NULL THEN 'open' ELSE 'acknowledged' END
    WHERE id = (SELECT MAX(id) FROM tickets WHERE dedupe_key = :dedupe_key) AND status = 'closed'
        AND closed_by = :closed_by AND closed_at_utc > :before"""
)
# The row is locked from here to the commit, so that those who come at the same moment are counted one by one.
_COUNT_ALARM = RawSql(
    """INSERT INTO tickets (shop_id, source, rule_code, dedupe_key, severity, title, details_json, status, occurrences,
        request_id, opened_at_utc, last_seen_at_utc)
    VALUES (:shop_id, :source, :rule_code, :dedupe_key, :severity, :title, :details, 'open', 1,
        :request_id, :now, :now)
    ON CONFLICT (dedupe_key) WHERE status <> 'closed' DO UPDATE SET occurrences = tickets.occurrences + 1,
        severity = excluded.severity, title = excluded.title, details_json = excluded.details_json,
        request_id = excluded.request_id, last_seen_at_utc = excluded.last_seen_at_utc
    RETURNING id, occurrences, opened_at_utc"""
)
_TAKE_ALARM = RawSql(
    """UPDATE tickets SET alarmed_at_utc = :now
    WHERE id = :id AND (alarmed_at_utc IS NULL OR alarmed_at_utc <= :before)"""
)


def note_alarm(tx: Tx, draft: AlarmDraft) -> NotedAlarm:
    """Count the trouble and decide, in the same transaction, whether this call tells the channels.

    The same trouble of a shop has one ticket until somebody closes it. Its alarm is repeated after the rule's throttle
    at the earliest, so that a system that fails and recovers every minute does not ring every minute.
    """
    rule = draft.rule
    again = {"dedupe_key": draft.cause, "closed_by": BY_ITSELF, "before": utc_text(tx.now - rule.throttle)}
    _OPEN_AGAIN.changed(tx, again)
    row = _COUNT_ALARM.first(
        tx,
        {
            "shop_id": draft.shop_id,
            "rule_code": rule.rule_code,
            "source": "asked" if draft.asked_for else "api_comm",
            "dedupe_key": draft.cause,
            "severity": rule.severity,
            "title": draft.title,
            "details": orjson.dumps(dict(draft.details)).decode(),
            "request_id": draft.request_id,
            "now": utc_text(tx.now),
        },
    )
    assert row is not None  # noqa: S101 (the statement returns the row that it wrote)
    ticket_id, occurrences, since = row[0], row[1], parse_utc(row[2])
    snoozed = rule.snoozed_until is not None and tx.now < rule.snoozed_until
    may_send = False
    if rule.active and not snoozed:
        times = {"now": utc_text(tx.now), "before": utc_text(tx.now - rule.throttle)}
        may_send = _TAKE_ALARM.changed(tx, {"id": ticket_id, **times}) == 1
    seen = {"rule_code": rule.rule_code, "ticket_id": ticket_id, "occurrences": occurrences, "alarm": may_send}
    note_event(tx, "escalation_triggered", draft.channel, draft.shop_id, seen)
    return NotedAlarm(ticket_id, occurrences, may_send, since)


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


def clear_tickets(tx: Tx, causes: Sequence[str]) -> list[ClearedTicket]:
    """Close the tickets of these causes, and say who heard the alarm and waits for the all-clear."""
    statement = select(Ticket.id, Ticket.rule_code, Ticket.alarmed_at_utc, Ticket.all_clear_at_utc)
    of_causes = statement.where(Ticket.dedupe_key.in_(causes), Ticket.status != "closed").order_by(Ticket.id)
    rows = tx.execute(of_causes.with_for_update(key_share=True)).all()
    done = {"status": "closed", "closed_at_utc": tx.now, "closed_by": BY_ITSELF, "all_clear_at_utc": tx.now}
    tx.execute(update(Ticket).where(Ticket.id.in_([row.id for row in rows])).values(**done))
    return [_cleared(tx, row) for row in rows]


def _cleared(tx: Tx, ticket: Any) -> ClearedTicket:
    alarmed_at, cleared_at = ticket.alarmed_at_utc, ticket.all_clear_at_utc
    if alarmed_at is None or (cleared_at is not None and cleared_at >= alarmed_at):
        return ClearedTicket(ticket.id, ticket.rule_code, ())
    return ClearedTicket(ticket.id, ticket.rule_code, channels_told(tx, ticket.id, alarmed_at), alarmed_at)


def is_being_told(tx: ReadTx, ticket_id: int, since: datetime) -> bool:
    """The alarm of that moment is still on its way: no channel has an outcome yet."""
    done = (EscalationAttempt.ticket_id == ticket_id, EscalationAttempt.attempted_at_utc >= since)
    return not tx.scalar(select(func.count()).where(*done, EscalationAttempt.kind == "alarm"))


def channels_told(tx: ReadTx, ticket_id: int, since: datetime) -> tuple[Any, ...]:
    """The channels that took the alarm of that moment. Only they hear the all-clear."""
    told = select(EscalationAttempt.channel).where(
        EscalationAttempt.ticket_id == ticket_id,
        EscalationAttempt.kind == "alarm",
        EscalationAttempt.outcome.in_(("sent", "unknown")),
        EscalationAttempt.attempted_at_utc >= since,
    )
    found = set(tx.execute(told).scalars())
    return tuple(one for one in ALARM_CHANNELS if one in found)


def acknowledge(tx: Tx, ticket_id: int, note: str | None, actor: str) -> None:
    """Somebody looks at it. Who was first stays written; a second person changes nothing."""
    status = _locked_status(tx, ticket_id)
    if status == "closed":
        raise TicketClosed
    if status == "acknowledged":
        return
    values = {"status": "acknowledged", "acknowledged_at_utc": tx.now, "acknowledged_by": actor}
    tx.execute(update(Ticket).where(Ticket.id == ticket_id).values(**values))
    _record(tx, ticket_id, "TICKET_ACKNOWLEDGE", note, (status, "acknowledged"), actor)


def close(tx: Tx, ticket_id: int, note: str | None, actor: str) -> None:
    status = _locked_status(tx, ticket_id)
    if status == "closed":
        raise TicketClosed
    values = {"status": "closed", "closed_at_utc": tx.now, "closed_by": actor}
    tx.execute(update(Ticket).where(Ticket.id == ticket_id).values(**values))
    _record(tx, ticket_id, "TICKET_CLOSE", note, (status, "closed"), actor)


def _locked_status(tx: Tx, ticket_id: int) -> str:
    statement = select(Ticket.status).where(Ticket.id == ticket_id).with_for_update(key_share=True)
    status = tx.scalar(statement)
    if status is None:
        raise NoSuchTicket
    return str(status)


def _record(tx: Tx, ticket_id: int, action: str, note: str | None, change: tuple[str, str], actor: str) -> None:
    old, new = ({"status": value} for value in change)
    audit.record(tx, actor, action, f"ticket:{ticket_id}", reason=note, old=old, new=new)
