"""What an event needs to know of a thread that is decided."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.roster.members.models import Member
from tsudoi.scheduling.delivery.queries.people import late_answers
from tsudoi.scheduling.organizing.schemas.responses import LeftOut
from tsudoi.scheduling.thread.models import (
    SchedulingSlot,
    ThreadFinalize,
    ThreadInvite,
    ThreadSelection,
    ThreadSelectionSlot,
)


@dataclass(frozen=True, slots=True)
class EventPeople:
    """The members whom an event takes, in the order of their invitation, and what they said about its date."""

    members: tuple[int, ...] = ()
    attending: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def participating_members(tx: ReadTx, thread_id: str) -> list[int]:
    """The members among the final participants who have not left, in the order of their invitation."""
    participants = tx.scalar(select(ThreadFinalize.final_participants).where(ThreadFinalize.thread_id == thread_id))
    if not isinstance(participants, list):
        return []
    statement = (
        select(ThreadInvite.invitee_key, Member.id)
        .join(Member, Member.id == ThreadInvite.member_id)
        .where(ThreadInvite.thread_id == thread_id, Member.withdrawn_at.is_(None))
        .order_by(ThreadInvite.created_at, ThreadInvite.id)
    )
    taking_part = set(map(str, participants))
    return [row.id for row in tx.execute(statement) if row.invitee_key in taking_part]


def participants_only(tx: ReadTx, thread_id: str) -> EventPeople:
    members = tuple(participating_members(tx, thread_id))
    return EventPeople(members, attending=members)


def everybody(tx: ReadTx, thread_id: str) -> EventPeople:
    """All members who were asked: ○ for the decided date attends, × is absent, and △ or nothing is not answered.

    What somebody said after the decision counts more than what they said before it.
    """
    rows, late = list(_rows(tx, thread_id)), late_answers(tx, thread_id)
    members = [
        (row.member_id, _answer(row, late.get(row.invitee_key)))
        for row in rows
        if row.member_id is not None and row.withdrawn_at is None
    ]
    return EventPeople(
        members=tuple(one for one, _ in members),
        attending=tuple(one for one, said in members if said == "attend"),
        absent=tuple(one for one, said in members if said == "absent"),
        left_out=tuple(
            LeftOut(
                invitee_key=row.invitee_key,
                name=row.candidate_name,
                reason="NOT_A_MEMBER" if row.member_id is None else "WITHDRAWN",
            )
            for row in rows
            if row.member_id is None or row.withdrawn_at is not None
        ),
    )


def _rows(tx: ReadTx, thread_id: str) -> Iterator[Any]:
    invite, own, chosen, final = ThreadInvite, ThreadSelection, ThreadSelectionSlot, ThreadFinalize
    statement = (
        select(
            *(invite.invitee_key, invite.candidate_name, Member.id.label("member_id"), Member.withdrawn_at),
            *(own.status, own.selected_slot_id, own.responded_at, chosen.answer),
            *(final.selected_slot_id.label("final_slot_id"), SchedulingSlot.created_at.label("offered_at")),
        )
        .join(final, final.thread_id == invite.thread_id)
        .join(SchedulingSlot, SchedulingSlot.slot_id == final.selected_slot_id)
        .outerjoin(Member, Member.id == invite.member_id)
        .outerjoin(own, and_(own.thread_id == invite.thread_id, own.invitee_key == invite.invitee_key))
        .outerjoin(chosen, and_(chosen.selection_id == own.selection_id, chosen.slot_id == final.selected_slot_id))
        .where(invite.thread_id == thread_id, invite.invitee_key.is_not(None))
        .order_by(invite.created_at, invite.id)
    )
    return iter(tx.execute(statement))


def _answer(row: Any, late: Any) -> str | None:
    """None: not answered, or only "if need be", or the date was added after the answer."""
    if late is not None:
        return "attend" if late.coming else "absent"
    if row.status == "declined":
        return "absent"
    if row.status != "selected" or row.answer == "maybe":
        return None
    # Another program may have stored the chosen slot in the documented column alone.
    if row.answer == "yes" or row.selected_slot_id == row.final_slot_id:
        return "attend"
    return "absent" if row.responded_at is not None and row.offered_at <= row.responded_at else None
