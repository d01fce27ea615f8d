from datetime import datetime

from sqlalchemy import CheckConstraint, Index, Integer, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base
from tsudoi.core.outbox.table import OutboxColumns


class MailMessage(OutboxColumns, Base):
    """A mail to one person, written in the transaction that decides it.

    `uncertain` is set immediately before the content is sent: from then on the mail may have arrived. SMTP has no
    retry key, so a mail whose sender died after that is parked as UNKNOWN and not sent again.
    """

    __tablename__ = "mail_messages"
    __table_args__ = (
        Index(
            "idx_mail_messages_waiting",
            "due_at",
            "id",
            sqlite_where=text("status = 'PENDING'"),
            postgresql_where=text("status = 'PENDING'"),
        ),
        # One decision is one mail: a repeated webhook or request writes nothing.
        Index("uq_mail_messages_once", "subject_kind", "subject_id", "purpose", "revision", unique=True),
        Index("idx_mail_messages_status", "status"),
        # For emptying old mails.
        Index("idx_mail_messages_created_at", "created_at"),
        CheckConstraint("status IN ('PENDING', 'DONE', 'FAILED', 'UNKNOWN', 'CALLED_OFF')", name="known_status"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    # What the mail is for, such as `CONFIRMATION`, and what it is about, such as `reservation` `12`.
    purpose: Mapped[str] = mapped_column(Text)
    subject_kind: Mapped[str] = mapped_column(Text)
    subject_id: Mapped[str] = mapped_column(Text)
    revision: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    to_address: Mapped[str] = mapped_column(Text)
    subject: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    html: Mapped[str | None] = mapped_column(Text)
    # An iCalendar object with its METHOD line.
    calendar: Mapped[str | None] = mapped_column(Text)
    # The address at which the person can stop such mails, for the header List-Unsubscribe.
    unsubscribe_url: Mapped[str | None] = mapped_column(Text)
    # Fixed when the mail is written, so that receivers can recognise a repeated mail.
    message_id: Mapped[str] = mapped_column(Text, unique=True)
    # After this time the mail would confuse people more than it helps.
    send_before: Mapped[datetime | None] = mapped_column(UtcText)
    # Set by `call_off` while a sender holds the mail: it is not tried again.
    called_off_at: Mapped[datetime | None] = mapped_column(UtcText)
    sent_at: Mapped[datetime | None] = mapped_column(UtcText)
    created_at: Mapped[datetime] = mapped_column(UtcText)


class MailBounce(Base):
    """A mail address to which mails could not be delivered, as a mail server reported later."""

    __tablename__ = "mail_bounces"

    # In the form in which we send to it, but in lower case: servers report it in either.
    address: Mapped[str] = mapped_column(Text, primary_key=True)
    # The enhanced status code, such as 5.1.1.
    status_code: Mapped[str] = mapped_column(Text)
    # How often a delivery was given up for a reason that may pass.
    soft_count: Mapped[int] = mapped_column(Integer, server_default="0")
    # Set when nothing is sent there any more.
    dead_at: Mapped[datetime | None] = mapped_column(UtcText)
    noted_at: Mapped[datetime] = mapped_column(UtcText)
