"""What people are told about a thread: one row for each message to one person, whichever way it goes."""

from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, CheckConstraint, ForeignKey, Index, Text, false, text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JsonText, UtcText
from tsudoi.core.db.base import Base
from tsudoi.core.outbox.table import OutboxColumns

_PENDING = text("status = 'PENDING'")
_NOT_LOGGED = (text("logged = 0"), text("NOT logged"))
_HAS_DAY = text("reminder_day IS NOT NULL")


class ThreadMessage(OutboxColumns, Base):
    """A message to one person, written in the transaction that decides it.

    `channel` is the way it goes now: `line` (this table is its outbox), `mail` (the mail has its own state in
    `mail_messages`), or `call`: the person can only be reached by telephone. A message that LINE certainly did not
    deliver goes on by mail, if an address is known.
    """

    __tablename__ = "thread_messages"
    __table_args__ = (
        CheckConstraint("channel IN ('line', 'mail', 'call')", name="known_channel"),
        CheckConstraint(
            "status IN ('PENDING', 'DONE', 'FAILED', 'UNKNOWN', 'MAILED', 'CALL', 'CALLED_OFF')", name="known_status"
        ),
        Index("idx_thread_messages_due", "due_at", "id", sqlite_where=_PENDING, postgresql_where=_PENDING),
        Index("idx_thread_messages_status", "status"),
        Index("idx_thread_messages_thread", "thread_id", "id"),
        Index("idx_thread_messages_unlogged", "id", sqlite_where=_NOT_LOGGED[0], postgresql_where=_NOT_LOGGED[1]),
        # At most one reminder for each person and Japanese day.
        Index(
            "uq_thread_messages_day",
            "thread_id",
            "invitee_key",
            "reminder_day",
            unique=True,
            sqlite_where=_HAS_DAY,
            postgresql_where=_HAS_DAY,
        ),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    # `invite-<invite id>`, `reminder-<invite id>-<day>`, `decision-<invite id>-<sequence>` and so on: once only.
    job_id: Mapped[str] = mapped_column(Text, unique=True)
    # invite, reminder, slots_added, decision, reopened, cancelled, added, late.
    type: Mapped[str] = mapped_column(Text)
    thread_id: Mapped[str] = mapped_column(Text, ForeignKey("scheduling_threads.id", ondelete="CASCADE"))
    # No foreign key: what was sent stays on record when an invitee is removed.
    invite_id: Mapped[str] = mapped_column(Text)
    invitee_key: Mapped[str] = mapped_column(Text)
    channel: Mapped[str] = mapped_column(Text)
    # The mail address, or '' where none is known.
    to: Mapped[str] = mapped_column(Text)
    subject: Mapped[str] = mapped_column(Text)
    # `token`, `inviter_name`, `relation_type`, `thread_title`, as document 001 names them.
    data: Mapped[dict[str, Any]] = mapped_column(JsonText)
    line_user_id: Mapped[str | None] = mapped_column(Text)
    messages: Mapped[list[dict[str, Any]] | None] = mapped_column(JsonText)
    retry_key: Mapped[str] = mapped_column(Text, unique=True)
    mail_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("mail_messages.id"))
    # Why it did not go by LINE, for the office.
    not_by_line: Mapped[str | None] = mapped_column(Text)
    # The Japanese day of a reminder. NULL for all else, and once it is certain that the person did not get it.
    reminder_day: Mapped[str | None] = mapped_column(Text)
    request_id: Mapped[str | None] = mapped_column(Text)
    message_id: Mapped[str | None] = mapped_column(Text)
    logged: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    created_at: Mapped[datetime] = mapped_column(UtcText)
