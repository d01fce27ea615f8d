from typing import Any

from sqlalchemy import Row, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.settings import Settings
from tsudoi.core.tokens import same
from tsudoi.events.answers.queries import invited_event, member_of
from tsudoi.events.calendar.rules import CalendarEntry, calendar_file, uid_of
from tsudoi.events.calendar_keys.queries import renewals_of
from tsudoi.events.calendar_keys.rules import member_key, member_of_key
from tsudoi.events.event.errors import NoSuchEvent
from tsudoi.events.event.models import EventTarget
from tsudoi.events.event.queries import event_of
from tsudoi.events.event.rules import Links
from tsudoi.roster.members.models import Member


def for_office(tx: ReadTx, event_id: int, settings: Settings) -> bytes:
    return _file(tx, event_of(tx, event_id), settings)


def for_member(tx: ReadTx, event_id: int, line_user_id: str, settings: Settings) -> bytes:
    return _file(tx, invited_event(tx, event_id, member_of(tx, line_user_id).id), settings)


def for_calendar_program(tx: ReadTx, event_id: int, key: str, settings: Settings) -> bytes:
    """A wrong key gives the same error as an unknown event, so that a guesser learns nothing.

    A member who has withdrawn, was erased or is no longer invited has no key any more.
    """
    event, member_id = event_of(tx, event_id), member_of_key(key)
    if not event.calendar_key or member_id is None or not _may_read(tx, event_id, member_id):
        raise NoSuchEvent
    if not same(key, member_key(event.calendar_key, member_id, renewals_of(tx, member_id))):
        raise NoSuchEvent
    return _file(tx, event, settings)


def _may_read(tx: ReadTx, event_id: int, member_id: int) -> bool:
    invited = (
        select(EventTarget.member_id)
        .join(Member, Member.id == EventTarget.member_id)
        .where(EventTarget.event_id == event_id, EventTarget.member_id == member_id, Member.withdrawn_at.is_(None))
    )
    return tx.scalar(invited) is not None


def _file(tx: ReadTx, event: Row[Any], settings: Settings) -> bytes:
    entry = CalendarEntry(
        uid=event.calendar_uid or uid_of(event.id, event.created_at, event.calendar_key),
        title=event.title,
        body=event.body,
        held_at=event.held_at,
        updated_at=event.updated_at,
        sequence=event.sequence,
        cancelled=event.cancelled_at is not None,
        cancel_reason=event.cancel_reason,
        place=event.place,
        end_at=event.end_at,
    )
    return calendar_file(entry, Links(settings.liff_base, settings.liff_id).to(event.id), tx.now)
