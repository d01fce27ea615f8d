from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, CheckConstraint, ForeignKey, Index, Integer, Text, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JsonText, UtcText
from tsudoi.core.db.base import Base
from tsudoi.core.outbox.table import OutboxColumns

_PENDING = text("status = 'PENDING'")
_NOT_LOGGED = (text("logged = 0"), text("NOT logged"))
_HAS_DAY = text("reminder_day IS NOT NULL")


class CoverageReminder(Base):
    """One decision of the office to remind those who have not booked. The messages are stored, because a retry must
    repeat them exactly.
    """

    __tablename__ = "coverage_reminders"
    __table_args__ = (
        Index("idx_coverage_reminders_type", "reservation_type_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    reservation_type_id: Mapped[int] = mapped_column(BigId, ForeignKey("reservation_types.id"))
    period_key: Mapped[str] = mapped_column(Text)
    # NULL: of all departments.
    department_id: Mapped[str | None] = mapped_column(Text, ForeignKey("departments.id", onupdate="CASCADE"))
    # As the office wrote it; the messages have the link too.
    text: Mapped[str] = mapped_column(Text)
    messages: Mapped[list[dict[str, Any]]] = mapped_column(JsonText)
    recipients: Mapped[int] = mapped_column(Integer)
    # How many people had not booked either, and could not be reached.
    unreachable: Mapped[int] = mapped_column(Integer)
    created_by: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcText)


class CoverageReminderRecipient(OutboxColumns, Base):
    """One recipient of one reminder. SKIPPED: the person had booked, left or unlinked before it went out."""

    __tablename__ = "coverage_reminder_recipients"
    __table_args__ = (
        CheckConstraint("status IN ('PENDING', 'DONE', 'FAILED', 'UNKNOWN', 'SKIPPED')", name="known_status"),
        CheckConstraint("channel IN ('line', 'mail')", name="known_channel"),
        UniqueConstraint("reminder_id", "staff_uid"),
        Index("idx_coverage_reminder_recipients_due", "due_at", "id", sqlite_where=_PENDING, postgresql_where=_PENDING),
        Index("idx_coverage_reminder_recipients_status", "status"),
        Index("idx_coverage_reminder_recipients_staff", "staff_uid"),
        Index(
            "idx_coverage_reminder_recipients_unlogged",
            "id",
            sqlite_where=_NOT_LOGGED[0],
            postgresql_where=_NOT_LOGGED[1],
        ),
        # Allows one reminder per person, type and day.
        Index(
            "uq_coverage_reminder_recipients_day",
            "staff_uid",
            "reservation_type_id",
            "reminder_day",
            unique=True,
            sqlite_where=_HAS_DAY,
            postgresql_where=_HAS_DAY,
        ),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    reminder_id: Mapped[int] = mapped_column(BigId, ForeignKey("coverage_reminders.id", ondelete="CASCADE"))
    # A copy of the reminder's, for the unique index.
    reservation_type_id: Mapped[int] = mapped_column(BigId, ForeignKey("reservation_types.id"))
    staff_uid: Mapped[str] = mapped_column(Text, ForeignKey("staffs.staff_uid"))
    # By LINE or by mail, never both. A mail is a row of `mail_messages`, and its outcome is copied here.
    channel: Mapped[str] = mapped_column(Text, default="line", server_default="line")
    # The link at the time of the decision. NULL for a mail, and once the person's data were masked.
    line_user_id: Mapped[str | None] = mapped_column(Text)
    retry_key: Mapped[str] = mapped_column(Text, unique=True)
    # The Japanese day of the decision. NULL once it is certain that the person did not get the reminder.
    reminder_day: Mapped[str | None] = mapped_column(Text)
    request_id: Mapped[str | None] = mapped_column(Text)
    message_id: Mapped[str | None] = mapped_column(Text)
    # Whether its line is in the push log.
    logged: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
