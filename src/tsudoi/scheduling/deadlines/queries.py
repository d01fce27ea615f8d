"""Threads whose time has come. They are read again under their lock before anything is written."""

from datetime import datetime

from sqlalchemy import Select, func, or_, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.scheduling.deadlines.rules import REMIND_BEFORE
from tsudoi.scheduling.thread.models import SchedulingThread, ThreadAnswer, ThreadInvite


def _newest_answer() -> Select[int]:
    found = select(func.coalesce(func.max(ThreadAnswer.id), 0)).where(ThreadAnswer.thread_id == SchedulingThread.id)
    return found.correlate(SchedulingThread)


def _next_end(now: datetime) -> Select[datetime]:
    """Without a deadline each invitation has an end of its own: the next one counts."""
    own, waits = ThreadInvite.thread_id == SchedulingThread.id, ThreadInvite.status == "pending"
    found = select(func.min(ThreadInvite.expires_at)).where(own, waits, ThreadInvite.expires_at > now)
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


def threads_to_remind(tx: ReadTx, thread_id: str | None = None) -> list[tuple[str, datetime]]:
    """Those whose end is less than a day away and not reminded of, with that end."""
    thread = SchedulingThread
    end = func.coalesce(thread.deadline_at, _next_end(tx.now).scalar_subquery(), type_=thread.deadline_at.type)
    wanted = select(thread.id, end.label("end")).where(
        thread.status == "active",
        thread.remind_before_deadline == 1,
        end > tx.now,
        end <= tx.now + REMIND_BEFORE,
        or_(thread.reminded_deadline_at.is_(None), thread.reminded_deadline_at != end),
    )
    if thread_id is not None:
        wanted = wanted.where(thread.id == thread_id)
    return [(row.id, row.end) for row in tx.execute(wanted)]


def asked_at(tx: ReadTx, thread_id: str) -> dict[str, datetime]:
    """By invitation: when the person was asked. A draft's people are asked when it is sent."""
    wanted = select(ThreadInvite.id, ThreadInvite.created_at, SchedulingThread.sent_at).join(
        SchedulingThread, SchedulingThread.id == ThreadInvite.thread_id
    )
    rows = tx.execute(wanted.where(ThreadInvite.thread_id == thread_id))
    return {row.id: max(row.created_at, row.sent_at or row.created_at) for row in rows}
