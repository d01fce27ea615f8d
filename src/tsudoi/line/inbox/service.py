from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Row, update

from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.forgetting import delete_some
from tsudoi.core.outbox.claims import settle
from tsudoi.core.outbox.table import DONE, IS_PENDING, PENDING, Outbox, Outcome, RetryPolicy
from tsudoi.line.inbox.models import LineEvent
from tsudoi.line.inbox.rules import WebhookEvent, storable

INBOX = Outbox(LineEvent.metadata.tables["line_events"], goes_out=False)


def store(tx: Tx, events: Sequence[WebhookEvent], handled: Collection[str]) -> set[str]:
    """Keep each event once and return the keys that are new; a repeated delivery changes nothing.

    `handled`: the event types that some context handles. Of other events only that they came is kept, so that a
    repeated delivery is known: what people write in their chats is nobody's business here.
    """
    if not events:
        return set()
    rows = [
        {
            "event_key": event.key,
            "type": event.type,
            "user_id": event.user_id,
            "event_ms": event.event_ms,
            "redelivered": event.redelivered,
            "payload": storable(event.payload) if _is_handled(event, handled) else {},
            "received_at": tx.now,
            "status": PENDING if _is_handled(event, handled) else DONE,
            "due_at": tx.now,
            "updated_at": tx.now,
        }
        for event in {event.key: event for event in events}.values()
    ]
    # The rows are parameters, because a large body has more values than one statement may contain.
    statement = upsert(tx, LineEvent).on_conflict_do_nothing().returning(LineEvent.event_key)
    return set(tx.execute(statement, rows).scalars())


def _is_handled(event: WebhookEvent, handled: Collection[str]) -> bool:
    return event.type in handled and event.user_id is not None


def settle_event(tx: Tx, row: Row[Any], outcome: Outcome, policy: RetryPolicy, error: str | None) -> str | None:
    """Write the outcome. An event that is done needs its content no more."""
    state = settle(tx, INBOX, row, outcome, policy, error)
    if state == DONE:
        tx.execute(update(LineEvent).where(LineEvent.id == row.id).values(payload={}))
    return state


def forget_old_events(tx: Tx, kept_for: timedelta) -> int:
    """Delete some of the events that are older, whatever became of them. LINE repeats an event for a day at most."""
    return delete_some(tx, LineEvent, LineEvent.received_at < tx.now - kept_for, LineEvent.status != IS_PENDING)


def record_reply(tx: Tx, event_id: int, reply: str | None) -> None:
    tx.execute(update(LineEvent).where(LineEvent.id == event_id).values(reply=reply))
