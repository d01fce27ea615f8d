"""Makes an event from a date that is decided."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, select, update

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import Detail, InvalidInput
from tsudoi.roster.event_making import EventMaker, MemberEvent
from tsudoi.scheduling.delivery.rules.calendar import uid_of
from tsudoi.scheduling.organizing.errors import EventsAreOff, NoMembersTakePart, NotDecided
from tsudoi.scheduling.organizing.queries.eventing import EventPeople, everybody, participants_only
from tsudoi.scheduling.organizing.schemas.requests import EventOrder
from tsudoi.scheduling.organizing.schemas.responses import EventMade
from tsudoi.scheduling.organizing.service.opening import locked
from tsudoi.scheduling.outcomes.service import touch
from tsudoi.scheduling.principals import Organizer
from tsudoi.scheduling.thread.models import SchedulingSlot, SchedulingThread, ThreadFinalize

_LONGEST = timedelta(days=7)
_UNTITLED = "（題名なし）"


def make_event(tx: Tx, maker: EventMaker | None, organizer: Organizer, thread_id: str, order: EventOrder) -> EventMade:
    """Once for each thread: the second request gets the same event. The members know the date, so nothing is sent."""
    row = locked(tx, thread_id)
    take = everybody if order.take == "everybody" else participants_only
    people = take(tx, thread_id)
    if row.event_id is not None:
        return _made(row.event_id, people, order, created=False)
    if maker is None:
        raise EventsAreOff
    if row.status != "finalized":
        raise NotDecided
    if not people.members:
        raise NoMembersTakePart
    event_id = maker.make(tx, _event(tx, organizer, row, people, order))
    tx.execute(update(SchedulingThread).where(SchedulingThread.id == thread_id).values(event_id=event_id))
    touch(tx, thread_id)
    new = {"made_event": event_id, "members": list(people.members)}
    audit.record(tx, organizer.actor, "THREAD_EVENT", f"thread:{thread_id}", new=new)
    return _made(event_id, people, order, created=True)


def _made(event_id: int, people: EventPeople, order: EventOrder, *, created: bool) -> EventMade:
    if order.take == "participants":
        return EventMade(event_id=event_id, created=created)
    return EventMade(event_id=event_id, created=created, left_out=list(people.left_out))


def _event(tx: Tx, organizer: Organizer, row: Row[Any], people: EventPeople, order: EventOrder) -> MemberEvent:
    wanted = (
        select(SchedulingSlot.start_at, SchedulingSlot.end_at)
        .join(ThreadFinalize, ThreadFinalize.selected_slot_id == SchedulingSlot.slot_id)
        .where(ThreadFinalize.thread_id == row.id)
    )
    slot = tx.execute(wanted).one()
    end_at, place = order.end_at or slot.end_at, order.place or row.place
    _check_end(slot.start_at, end_at)
    # Without `everybody` the text is what it was before events had a place of their own.
    lines = [row.description, f"場所：{place}" if place and order.take == "participants" else None]
    return MemberEvent(
        title=row.title or _UNTITLED,
        body="\n\n".join(line for line in lines if line) or None,
        held_at=slot.start_at,
        member_ids=people.members,
        attending=people.attending,
        absent=people.absent,
        admin_id=organizer.admin_id,
        actor=organizer.actor,
        place=place,
        end_at=end_at,
        calendar_uid=uid_of(row.id),
        sequence=row.sequence + 1,
    )


def _check_end(start_at: datetime, end_at: datetime) -> None:
    if end_at <= start_at:
        raise InvalidInput("終了は、開始よりあとにしてください。", [Detail("end_at", "BEFORE_START")])
    if end_at > start_at + _LONGEST:
        raise InvalidInput("終了は、開始から7日以内にしてください。", [Detail("end_at", "TOO_LATE")])
