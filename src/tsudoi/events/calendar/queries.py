from typing import Any

from sqlalchemy import Row

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.settings import Settings
from tsudoi.core.tokens import same
from tsudoi.events.answers.queries import invited_event, member_of
from tsudoi.events.calendar.rules import CalendarEntry, calendar_file, uid_of
from tsudoi.events.event.errors import NoSuchEvent
from tsudoi.events.event.queries import event_of
from tsudoi.events.event.rules import Links


def for_office(tx: ReadTx, event_id: int, settings: Settings) -> bytes:
    return _file(tx, event_of(tx, event_id), settings)


def for_member(tx: ReadTx, event_id: int, line_user_id: str, settings: Settings) -> bytes:
    return _file(tx, invited_event(tx, event_id, member_of(tx, line_user_id).id), settings)


def for_calendar_program(tx: ReadTx, event_id: int, key: str, settings: Settings) -> bytes:
    """A wrong key gives the same error as an unknown event, so that a guesser learns nothing."""
    event = event_of(tx, event_id)
    if not event.calendar_key or not same(key, event.calendar_key):
        raise NoSuchEvent
    return _file(tx, event, settings)


def _file(tx: ReadTx, event: Row[Any], settings: Settings) -> bytes:
    entry = CalendarEntry(
        uid=uid_of(event.id, event.created_at, event.calendar_key),
        title=event.title,
        body=event.body,
        held_at=event.held_at,
        updated_at=event.updated_at,
        sequence=event.sequence,
        cancelled=event.cancelled_at is not None,
        cancel_reason=event.cancel_reason,
    )
    return calendar_file(entry, Links(settings.liff_base, settings.liff_id).to(event.id), tx.now)
