from collections.abc import Collection, Sequence

from sqlalchemy import update

from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.outbox.table import DONE, PENDING, Outbox
from tsudoi.line.inbox.models import LineEvent
from tsudoi.line.inbox.rules import WebhookEvent, storable

INBOX = Outbox(LineEvent.metadata.tables["line_events"])


def store(tx: Tx, events: Sequence[WebhookEvent], handled: Collection[str]) -> set[str]:
    """Keep each event once and return the keys that are new; a repeated delivery changes nothing.

    `handled`: the event types that some context handles. Other events are stored as DONE, for the record only.
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
            "payload": storable(event.payload),
            "received_at": tx.now,
            "status": PENDING if event.type in handled and event.user_id else DONE,
            "due_at": tx.now,
            "updated_at": tx.now,
        }
        for event in {event.key: event for event in events}.values()
    ]
    # The rows are parameters, because a large body has more values than one statement may contain.
    statement = upsert(tx, LineEvent).on_conflict_do_nothing().returning(LineEvent.event_key)
    return set(tx.execute(statement, rows).scalars())


def record_reply(tx: Tx, event_id: int, reply: str | None) -> None:
    tx.execute(update(LineEvent).where(LineEvent.id == event_id).values(reply=reply))
