from sqlalchemy import func, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.organizing.rules.live import ThreadPulse
from tsudoi.scheduling.thread.errors import NoSuchThread
from tsudoi.scheduling.thread.models import SchedulingThread, ThreadSelection


def thread_pulse(tx: ReadTx, thread_id: str) -> ThreadPulse:
    found = tx.execute(
        select(SchedulingThread.revision, SchedulingThread.status).where(SchedulingThread.id == thread_id)
    ).one_or_none()
    if found is None:
        raise NoSuchThread
    answered = (ThreadSelection.thread_id == thread_id, ThreadSelection.status != "pending")
    # A message by mail has its state in the table of mails.
    state = func.coalesce(MailMessage.status, ThreadMessage.status)
    counted = (
        select(state.label("state"), func.count().label("number"))
        .select_from(ThreadMessage)
        .outerjoin(MailMessage, MailMessage.id == ThreadMessage.mail_id)
        .where(ThreadMessage.thread_id == thread_id)
        .group_by(state)
    )
    return ThreadPulse(
        revision=found.revision,
        status=found.status or "draft",
        answered=int(tx.scalar(select(func.count()).where(*answered)) or 0),
        messages=tuple(sorted((row.state, row.number) for row in tx.execute(counted))),
    )
