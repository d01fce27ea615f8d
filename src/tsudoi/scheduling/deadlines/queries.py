"""Threads whose time has come. They are read again under their lock before anything is written."""

from datetime import datetime

from sqlalchemy import Select, func, or_, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.scheduling.deadlines.rules import REMIND_BEFORE
from tsudoi.scheduling.thread.models import SchedulingThread, ThreadAnswer, ThreadInvite


def _newest_answer() -> Select[int]:
    found = select(func.coalesce(func.max(ThreadAnswer.id), 0)).where(ThreadAnswer.thread_id == SchedulingThread.id)
    return found.correlate(SchedulingThread)


def threads_to_judge(tx: ReadTx, thread_id: str | None = None) -> list[str]:
    """The deadline is over, and the rule has not been asked at it, or an answer has come since."""
    thread = SchedulingThread
    unasked = or_(thread.judged_deadline_at.is_(None), thread.judged_deadline_at != thread.deadline_at)
    wanted = select(thread.id).where(
        thread.status == "active",
        thread.decide_at_deadline == 1,
        thread.deadline_at <= tx.now,
        or_(unasked, thread.judged_answer < _newest_answer().scalar_subquery()),
    )
    if thread_id is not None:
        wanted = wanted.where(thread.id == thread_id)
    return list(tx.execute(wanted).scalars())


def newest_answer(tx: ReadTx, thread_id: str) -> int:
    found: int = tx.scalar(
        select(func.coalesce(func.max(ThreadAnswer.id), 0)).where(ThreadAnswer.thread_id == thread_id)
    )
    return found


def invitations_to_remind(tx: ReadTx, thread_id: str | None = None) -> list[tuple[str, str]]:
    """Those whose own end is less than a day away and not looked at yet: the thread, and the invitation.

    Invitations of one thread end at different times, with a deadline too: people are invited later, and get more time.
    """
    thread, invite = SchedulingThread, ThreadInvite
    wanted = (
        select(invite.thread_id, invite.id)
        .join(thread, thread.id == invite.thread_id)
        .where(
            thread.status == "active",
            thread.remind_before_deadline == 1,
            # Somebody who accepted is open again where the chosen slots were removed.
            invite.status.in_(("pending", "accepted")),
            invite.expires_at > tx.now,
            invite.expires_at <= tx.now + REMIND_BEFORE,
            or_(invite.reminded_end_at.is_(None), invite.reminded_end_at != invite.expires_at),
        )
    )
    if thread_id is not None:
        wanted = wanted.where(invite.thread_id == thread_id)
    return [(row.thread_id, row.id) for row in tx.execute(wanted)]


def asked_at(tx: ReadTx, thread_id: str) -> dict[str, datetime]:
    """By invitation: when the person was asked. A draft's people are asked when it is sent."""
    wanted = select(ThreadInvite.id, ThreadInvite.created_at, SchedulingThread.sent_at).join(
        SchedulingThread, SchedulingThread.id == ThreadInvite.thread_id
    )
    rows = tx.execute(wanted.where(ThreadInvite.thread_id == thread_id))
    return {row.id: max(row.created_at, row.sent_at or row.created_at) for row in rows}
