from typing import Any

from sqlalchemy import exists, null, or_, select

from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.notifications.fallback.rules import UnheardNotice
from tsudoi.notifications.notices.models import UNHEARD_JOB, UNHEARD_SKIP, NotificationJob, NotificationSkip
from tsudoi.notifications.notices.rules.making import Kind
from tsudoi.notifications.pause.queries import is_paused


def has_unheard(tx: ReadTx) -> bool:
    """Whether there is something to decide. Nothing is decided while notices are paused."""
    skip, job = exists().select_from(NotificationSkip), exists().select_from(NotificationJob)
    found = tx.scalar(select(or_(skip.where(UNHEARD_SKIP), job.where(UNHEARD_JOB))))
    return bool(found) and not is_paused(tx)


def unheard(tx: Tx, limit: int) -> list[UnheardNotice]:
    """The oldest notices for which nobody has decided about a mail yet, locked until the commit."""
    skip, job = NotificationSkip, NotificationJob
    skips = select(skip.reservation_id, skip.kind, skip.revision, skip.at, null().label("job_id"))
    jobs = select(job.reservation_id, job.kind, job.revision, job.updated_at.label("at"), job.job_id)
    return [
        *_locked(tx, skips.where(UNHEARD_SKIP).order_by(skip.at).limit(limit)),
        *_locked(tx, jobs.where(UNHEARD_JOB).order_by(job.updated_at).limit(limit)),
    ]


def _locked(tx: Tx, statement: Any) -> list[UnheardNotice]:
    rows = tx.execute(statement.with_for_update(skip_locked=True))
    return [UnheardNotice(row.reservation_id, row.kind, row.revision, row.at, row.job_id) for row in rows]


def goes_by_line(tx: ReadTx, reservation_id: int, kind: Kind, revision: int) -> bool:
    """Whether the person reads the notice in LINE: it was linked meanwhile, or somebody has it sent again."""
    job = NotificationJob
    same = (job.reservation_id == reservation_id, job.kind == kind, job.revision == revision)
    seen = (job.status.in_(("PENDING", "SENT")), job.unseen == 0)
    return tx.scalar(select(job.job_id).where(*same, *seen)) is not None
