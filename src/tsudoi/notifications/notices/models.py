from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JsonText, UtcText
from tsudoi.core.db.base import Base

# Notices that the person certainly does not read in LINE, and for which nobody has decided about a mail. LINE may have
# taken a notice with `maybe_sent`: with a mail the person could get it twice, unless it is `unseen`.
UNHEARD_JOB = text(
    "mail_decided = 0 AND ((status = 'FAILED' AND outcome_unknown = 0 AND maybe_sent = 0)"
    " OR (unseen = 1 AND status IN ('SENT', 'FAILED')))"
)
UNHEARD_SKIP = text("reason = 'NO_LINE_LINK' AND mail_decided = 0")


def _is_utc(column: str) -> CheckConstraint:
    """Japanese time and time without an offset are refused, because the text is compared as it is stored."""
    return CheckConstraint(f"{column} LIKE '%T%+00:00' AND length({column}) IN (25, 32)", name=column)


class NotificationJob(Base):
    """One notice about a reservation by LINE. The columns down to `updated_at` are the document's."""

    __tablename__ = "notification_jobs"
    __table_args__ = (
        CheckConstraint("kind IN ('CONFIRMATION', 'REMINDER', 'CANCEL_COMPLETED')", name="known_kind"),
        CheckConstraint("status IN ('PENDING', 'SENT', 'FAILED', 'DASH')", name="known_status"),
        _is_utc("scheduled_at"),
        _is_utc("created_at"),
        _is_utc("updated_at"),
        CheckConstraint("attempt_count >= 0", name="attempt_count"),
        CheckConstraint("outcome_unknown IN (0, 1)", name="outcome_unknown"),
        CheckConstraint("maybe_sent IN (0, 1)", name="maybe_sent"),
        CheckConstraint("unseen IN (0, 1)", name="unseen"),
        # Over all states: a failed notice is sent again by a person, and never by a second job.
        Index("uq_notification_jobs_notice", "reservation_id", "kind", "revision", unique=True),
        Index(
            "idx_notification_jobs_due",
            "scheduled_at",
            "job_id",
            sqlite_where=text("status = 'PENDING'"),
            postgresql_where=text("status = 'PENDING'"),
        ),
        Index("idx_notification_jobs_status", "status", "updated_at"),
        # How many notices a person has got today.
        Index(
            "idx_notification_jobs_person",
            "line_user_id",
            "first_attempt_at",
            sqlite_where=text("line_user_id IS NOT NULL"),
            postgresql_where=text("line_user_id IS NOT NULL"),
        ),
        Index("idx_notification_jobs_mail", "updated_at", sqlite_where=UNHEARD_JOB, postgresql_where=UNHEARD_JOB),
        {"sqlite_autoincrement": True},
    )

    job_id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    reservation_id: Mapped[int] = mapped_column(BigId, ForeignKey("reservations.id"))
    kind: Mapped[str] = mapped_column(Text)
    scheduled_at: Mapped[datetime] = mapped_column(UtcText)
    status: Mapped[str] = mapped_column(Text, server_default="PENDING")
    # Attempts that ended as FAILED.
    attempt_count: Mapped[int] = mapped_column(Integer, server_default="0")
    last_error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcText)
    updated_at: Mapped[datetime] = mapped_column(UtcText)
    # The `revision` of the reservation that the notice is about. A move raises it.
    revision: Mapped[int] = mapped_column(Integer, server_default="0")
    # NULL in a row that was written by hand; then the first attempt makes the key.
    retry_key: Mapped[str | None] = mapped_column(Text)
    # Recipient and content are fixed at the first attempt, because a retry key is valid for one content only.
    line_user_id: Mapped[str | None] = mapped_column(Text)
    messages: Mapped[list[dict[str, Any]] | None] = mapped_column(JsonText)
    claim_count: Mapped[int] = mapped_column(Integer, server_default="0")
    lease_token: Mapped[str | None] = mapped_column(Text)
    lease_until: Mapped[datetime | None] = mapped_column(UtcText)
    first_attempt_at: Mapped[datetime | None] = mapped_column(UtcText)
    # FAILED, and nobody knows whether LINE took it.
    outcome_unknown: Mapped[int] = mapped_column(Integer, server_default="0")
    # An attempt ended without a certain answer, so LINE may have taken it.
    maybe_sent: Mapped[int] = mapped_column(Integer, server_default="0")
    dash_reason: Mapped[str | None] = mapped_column(Text)
    # LINE was called for somebody who was no friend of the account then: it takes the notice and shows it to nobody.
    unseen: Mapped[int] = mapped_column(Integer, server_default="0")
    # 1: it was decided whether a mail goes out in its place.
    mail_decided: Mapped[int] = mapped_column(Integer, server_default="0")


class NotificationSkip(Base):
    """The decision not to make a job, with its reason. Where there is neither a job nor a skip, something is wrong."""

    __tablename__ = "notification_skips"
    __table_args__ = (
        CheckConstraint("kind IN ('CONFIRMATION', 'REMINDER', 'CANCEL_COMPLETED')", name="known_kind"),
        Index("idx_notification_skips_mail", "at", sqlite_where=UNHEARD_SKIP, postgresql_where=UNHEARD_SKIP),
    )

    reservation_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("reservations.id"), primary_key=True, autoincrement=False
    )
    kind: Mapped[str] = mapped_column(Text, primary_key=True)
    revision: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    reason: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(UtcText)
    # 1: it was decided whether a mail goes out instead.
    mail_decided: Mapped[int] = mapped_column(Integer, server_default="0")


class NotificationAttempt(Base):
    """One attempt to send a job and what became of it. Rows are only added."""

    __tablename__ = "notification_attempts"
    __table_args__ = (
        CheckConstraint("caller IN ('command', 'initial')", name="known_caller"),
        Index("idx_notification_attempts_job", "job_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    job_id: Mapped[int] = mapped_column(BigId, ForeignKey("notification_jobs.job_id", ondelete="CASCADE"))
    at: Mapped[datetime] = mapped_column(UtcText)
    # The command, or the first attempt right after the reservation.
    caller: Mapped[str] = mapped_column(Text)
    # SENT, FAILED, NO_ANSWER, or why LINE was not called.
    outcome: Mapped[str] = mapped_column(Text)
    # LINE's id of the request, to ask LINE about it.
    request_id: Mapped[str | None] = mapped_column(Text)
    error: Mapped[str | None] = mapped_column(Text)
