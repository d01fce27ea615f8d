from collections.abc import Sequence

from sqlalchemy import select

from tsudoi.core.db.interface import ReadTx
from tsudoi.core.outbox.table import FAILED
from tsudoi.events.answers.queries import unanswered
from tsudoi.events.broadcast.models import EventChunk, EventDelivery
from tsudoi.events.broadcast.queries import state
from tsudoi.events.event.models import Event, EventTarget
from tsudoi.events.planning.rules.reach import Person
from tsudoi.line.friends.models import LineFriend
from tsudoi.roster.members.models import Member
from tsudoi.roster.members.queries import roster_order

# The number of values in a statement is limited; beyond this it is faster to read the whole roster.
_MOST_ASKED_FOR = 2_000


def people(tx: ReadTx, member_ids: Sequence[int]) -> list[Person]:
    """The members with these ids who exist, in roster order."""
    wanted = set(member_ids)
    statement = (
        select(Member.id, Member.name, Member.line_user_id, Member.is_target, Member.withdrawn_at, LineFriend.following)
        .outerjoin(LineFriend, LineFriend.user_id == Member.line_user_id)
        .order_by(*roster_order())
    )
    if len(wanted) <= _MOST_ASKED_FOR:
        statement = statement.where(Member.id.in_(wanted))
    return [
        Person(
            row.id,
            row.name,
            row.line_user_id,
            bool(row.is_target),
            withdrawn=row.withdrawn_at is not None,
            blocked=row.following is not True,
        )
        for row in tx.execute(statement)
        if row.id in wanted
    ]


def target_ids(tx: ReadTx, event_id: int) -> set[int]:
    return set(tx.execute(select(EventTarget.member_id).where(EventTarget.event_id == event_id)).scalars())


def is_picture_of_an_event(tx: ReadTx, media_key: str) -> bool:
    return tx.scalar(select(Event.id).where(Event.media_key == media_key)) is not None


def reminded_on(tx: ReadTx, event_id: int, day: str) -> set[int]:
    statement = select(EventDelivery.member_id).where(
        EventDelivery.event_id == event_id, EventDelivery.reminder_day == day
    )
    return set(tx.execute(statement).scalars())


def never_notified(tx: ReadTx, event_id: int) -> set[int]:
    """Members who certainly got no message about the event and have not answered: they need no notice of a change."""
    statement = (
        select(EventDelivery.member_id, state().label("status"))
        .join(EventChunk, EventChunk.id == EventDelivery.chunk_id)
        .where(EventDelivery.event_id == event_id)
    )
    rows = tx.execute(statement).all()
    reached = {row.member_id for row in rows if row.status != FAILED}
    return ({row.member_id for row in rows} - reached) & unanswered(tx, event_id)
