from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, func, literal_column, select

from tsudoi.core.clock import JST, parse_utc, utc_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.models import Heartbeat
from tsudoi.notifications.notices.models import NotificationAttempt, NotificationJob
from tsudoi.notifications.notices.rules.deciding import DueNotice
from tsudoi.notifications.notices.rules.pulse import Pulse

# The heartbeat of the command that sends.
HEARTBEAT = "notifications"
_ATTEMPTS_LOOKED_AT = 200
# A literal, because SQLite uses the partial index only for a literal.
_PENDING: ColumnElement[bool] = NotificationJob.status == literal_column("'PENDING'")
_DUE = RawSql(
    """SELECT job_id, reservation_id, kind, revision, scheduled_at, maybe_sent, first_attempt_at, line_user_id
    FROM notification_jobs WHERE status = 'PENDING' AND scheduled_at <= :now
    ORDER BY scheduled_at, job_id LIMIT :most"""
)


@dataclass(frozen=True, slots=True)
class DueJob:
    """A job that the next run would try."""

    job_id: int
    reservation_id: int
    due: DueNotice


def due_jobs(tx: ReadTx, limit: int | None = None) -> list[DueJob]:
    """By the condition of the document, the oldest first."""
    rows = _DUE.all(tx, {"now": utc_text(tx.now), "most": 2**31 if limit is None else limit})
    return [
        DueJob(
            job_id,
            reservation_id,
            DueNotice(kind, revision, parse_utc(at), bool(maybe), None if first is None else parse_utc(first), user),
        )
        for job_id, reservation_id, kind, revision, at, maybe, first, user in rows
    ]


def promised_messages(tx: ReadTx) -> int:
    """Notices that will go out before LINE's count starts again, which is at the end of the month in Japan."""
    this_month = tx.now.astimezone(JST).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    next_month = (this_month + timedelta(days=32)).replace(day=1)
    number = select(func.count()).where(_PENDING, NotificationJob.scheduled_at < next_month)
    return int(tx.scalar(number))


def pulse(tx: ReadTx) -> Pulse:
    oldest = func.min(NotificationJob.scheduled_at).label("oldest")
    due = select(func.count().label("number"), oldest).where(_PENDING, NotificationJob.scheduled_at <= tx.now)
    waiting = tx.execute(due).one()
    last_run = tx.scalar(select(Heartbeat.at).where(Heartbeat.name == HEARTBEAT))
    attempts = select(NotificationAttempt.outcome, NotificationAttempt.error).order_by(NotificationAttempt.id.desc())
    newest = tx.execute(attempts.limit(_ATTEMPTS_LOOKED_AT)).all()
    outcomes = [attempt.outcome for attempt in newest]
    failures = outcomes.index("SENT") if "SENT" in outcomes else len(outcomes)
    return Pulse(waiting.number, waiting.oldest, last_run, failures, newest[0].error if failures else None)
