from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, func, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.events.event.errors import NoSuchEvent
from tsudoi.events.event.models import Event, EventTarget
from tsudoi.roster.members.models import Member
from tsudoi.roster.members.queries import roster_order


def event_of(tx: ReadTx, event_id: int, *, lock: bool = False) -> Row[Any]:
    """The event's row. With `lock`, two people who change it do so one after the other.

    The lock leaves the key alone (`FOR NO KEY UPDATE`), so that answers, which refer to the event, do not wait.
    """
    statement = select(Event.__table__).where(Event.id == event_id)
    found = tx.execute(statement.with_for_update(key_share=True) if lock else statement).first()
    if found is None:
        raise NoSuchEvent
    return found


def targets_total(tx: ReadTx, event_id: int) -> int:
    counted: int = tx.scalar(select(func.count()).where(EventTarget.event_id == event_id))
    return counted


def targets(tx: ReadTx, event_id: int) -> Sequence[Row[Any]]:
    """The members who are invited, in roster order, with what is needed to reach them."""
    statement = (
        select(Member.id, Member.name, Member.line_user_id, Member.is_target, Member.withdrawn_at)
        .join(EventTarget, EventTarget.member_id == Member.id)
        .where(EventTarget.event_id == event_id)
        .order_by(*roster_order())
    )
    return tx.execute(statement).all()
