"""The office has failed notices sent again: these, or all that failed for one reason."""

from collections.abc import Sequence

from tsudoi.booking.notices.queries.summary import resendable_jobs
from tsudoi.booking.notices.schemas import MOST_JOBS, QueuedNotices, RefusedNotice, ResendMany
from tsudoi.core.db.interface import Tx
from tsudoi.notifications.notices.errors import RESEND_REFUSALS
from tsudoi.notifications.notices.service.reading import NoticeReader
from tsudoi.notifications.notices.service.resending import ResendDecision, resend_all


def resend_many(tx: Tx, reader: NoticeReader, body: ResendMany, actor: str) -> QueuedNotices:
    job_ids: Sequence[int] = body.job_ids or ()
    if body.cause is not None:
        job_ids = resendable_jobs(tx, body.cause, MOST_JOBS + 1)
    chosen = list(dict.fromkeys(job_ids[:MOST_JOBS]))
    refused = resend_all(tx, reader, chosen, ResendDecision(body.reason, actor))
    shown = [
        RefusedNotice(job_id=job_id, code=code, message=RESEND_REFUSALS[code].default_message)
        for job_id, code in refused.items()
    ]
    return QueuedNotices(queued=len(chosen) - len(refused), refused=shown, more=len(job_ids) > MOST_JOBS)
