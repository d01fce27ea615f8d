"""What an event needs to know of a thread that is decided."""

from sqlalchemy import select

from tsudoi.core.db.interface import ReadTx
from tsudoi.roster.members.models import Member
from tsudoi.scheduling.thread.models import ThreadFinalize, ThreadInvite


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
