from collections.abc import Collection, Sequence

from sqlalchemy import update

from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.outbox.table import DONE, PENDING, Outbox
from tsudoi.line.inbox.models import LineEvent
from tsudoi.line.inbox.rules import Incoming, storable

INBOX = Outbox(LineEvent.metadata.tables["line_events"])


def store(tx: Tx, events: Sequence[Incoming], handled: Collection[str]) -> set[str]:
    """Keep each event once and return the keys that are new; a repeated delivery changes nothing.

    `handled`: the types that some context handles. The others are kept as a record, with nothing left to do.
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
    # Rows as parameters, not as values of one statement: a crowded body has more values than a statement may have.
    statement = upsert(tx, LineEvent).on_conflict_do_nothing().returning(LineEvent.event_key)
    return set(tx.execute(statement, rows).scalars())


def note_reply(tx: Tx, event_id: int, reply: str | None) -> None:
    tx.execute(update(LineEvent).where(LineEvent.id == event_id).values(reply=reply))
