"""Makes an event from a date that is decided."""

from typing import Any

from sqlalchemy import Row, select, update

from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.roster.event_making import EventMaker, MemberEvent
from tsudoi.scheduling.organizing.errors import EventsAreOff, NoMembersTakePart, NotDecided
from tsudoi.scheduling.organizing.queries.eventing import participating_members
from tsudoi.scheduling.organizing.schemas.responses import EventMade
from tsudoi.scheduling.organizing.service.opening import locked
from tsudoi.scheduling.outcomes.service import touch
from tsudoi.scheduling.principals import Organizer
from tsudoi.scheduling.thread.models import SchedulingSlot, SchedulingThread, ThreadFinalize

_UNTITLED = "（題名なし）"


def make_event(tx: Tx, maker: EventMaker | None, organizer: Organizer, thread_id: str) -> EventMade:
    """Once for each thread: the second request gets the same event. The members know the date, so nothing is sent."""
    row = locked(tx, thread_id)
    if row.event_id is not None:
        return EventMade(event_id=row.event_id, created=False)
    if maker is None:
        raise EventsAreOff
    if row.status != "finalized":
        raise NotDecided
    members = participating_members(tx, thread_id)
    if not members:
        raise NoMembersTakePart
    event_id = maker.make(tx, _event(tx, organizer, row, members))
    tx.execute(update(SchedulingThread).where(SchedulingThread.id == thread_id).values(event_id=event_id))
    touch(tx, thread_id)
    new = {"made_event": event_id, "members": members}
    audit.record(tx, organizer.actor, "THREAD_EVENT", f"thread:{thread_id}", new=new)
    return EventMade(event_id=event_id, created=True)


def _event(tx: Tx, organizer: Organizer, row: Row[Any], members: list[int]) -> MemberEvent:
    slot = (
        select(SchedulingSlot.start_at)
        .join(ThreadFinalize, ThreadFinalize.selected_slot_id == SchedulingSlot.slot_id)
        .where(ThreadFinalize.thread_id == row.id)
    )
    lines = [row.description, f"場所：{row.place}" if row.place else None]
    return MemberEvent(
        title=row.title or _UNTITLED,
        body="\n\n".join(line for line in lines if line) or None,
        held_at=tx.scalar(slot),
        member_ids=tuple(members),
        admin_id=organizer.admin_id,
        actor=organizer.actor,
    )
