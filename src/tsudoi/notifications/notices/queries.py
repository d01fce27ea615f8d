from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, func, literal_column, select

from tsudoi.core.clock import JST, parse_utc, utc_text
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.models import Heartbeat
from tsudoi.notifications.notices.models import NotificationAttempt, NotificationJob
from tsudoi.notifications.notices.rules.causes import cause_of
from tsudoi.notifications.notices.rules.deciding import DueNotice

# The heartbeat of the command that sends.
HEARTBEAT = "notifications"
# Failures of the last month are news, older ones are history.
RECENT = timedelta(days=31)
_ATTEMPTS_LOOKED_AT = 200
_CAUSE_LENGTH = 400
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


@dataclass(frozen=True, slots=True)
class FailedJob:
    """A job that failed within the last month, and why."""

    job_id: int
    reservation_id: int
    kind: str
    cause: str


@dataclass(frozen=True, slots=True)
class Pulse:
    """Whether notices go out: what waits, when the command ran last, and how the last attempts ended."""

    due: int
    oldest_due: datetime | None
    last_run: datetime | None
    failures_in_a_row: int
    last_error: str | None


@dataclass(frozen=True, slots=True)
class NoticeSummary:
    """The numbers above the list of notices. UNKNOWN is counted apart from FAILED."""

    counts: Mapping[str, int]
    pulse: Pulse
    # How many failed within the last month, by cause.
    causes: Mapping[str, int]


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


def failed_jobs(tx: ReadTx) -> list[FailedJob]:
    job = NotificationJob
    beginning = func.substr(job.last_error, 1, _CAUSE_LENGTH).label("error")
    recent = (job.status == "FAILED", job.updated_at >= tx.now - RECENT)
    statement = select(job.job_id, job.reservation_id, job.kind, beginning, job.outcome_unknown).where(*recent)
    return [
        FailedJob(
            row.job_id, row.reservation_id, row.kind, cause_of(row.error, outcome_unknown=bool(row.outcome_unknown))
        )
        for row in tx.execute(statement.order_by(job.job_id))
    ]


def summary(tx: ReadTx) -> NoticeSummary:
    unknown = NotificationJob.outcome_unknown
    counted = select(NotificationJob.status, unknown, func.count().label("number"))
    counts = dict.fromkeys(("PENDING", "SENT", "FAILED", "UNKNOWN", "DASH"), 0)
    for row in tx.execute(counted.group_by(NotificationJob.status, unknown)):
        counts["UNKNOWN" if row.status == "FAILED" and row.outcome_unknown else row.status] += row.number
    return NoticeSummary(counts, pulse(tx), Counter(failed.cause for failed in failed_jobs(tx)))
