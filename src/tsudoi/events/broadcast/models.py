from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, CheckConstraint, ForeignKey, Index, Integer, Text, UniqueConstraint, false, text, true
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JsonText, JstText
from tsudoi.core.db.base import Base
from tsudoi.core.outbox.table import OutboxColumns

_PENDING = text("status = 'PENDING'")
_NOT_DONE = text("status IN ('PENDING', 'FAILED', 'UNKNOWN')")
_UNLOGGED = (text("logged = 0"), text("NOT logged"))
_IS_RESENT = text("resent_by IS NOT NULL")
_STATES = "status IN ('WAITING', 'PENDING', 'DONE', 'FAILED', 'UNKNOWN')"


class EventPushStats(Base):
    """The summary that the screens show: how many invitations LINE accepted, and how many it refused."""

    __tablename__ = "event_push_stats"

    event_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("events.id", onupdate="CASCADE", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    success_count: Mapped[int] = mapped_column(Integer, server_default="0")
    fail_count: Mapped[int] = mapped_column(Integer, server_default="0")
    last_sent_at: Mapped[datetime] = mapped_column(JstText)


class EventBroadcast(Base):
    """One decision to send messages to people. The messages are stored, because a retry must repeat them exactly."""

    __tablename__ = "event_broadcasts"
    __table_args__ = (
        CheckConstraint("kind IN ('invite', 'late', 'reminder', 'change', 'cancel')", name="known_kind"),
        Index("idx_event_broadcasts_event", "event_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    event_id: Mapped[int] = mapped_column(BigId, ForeignKey("events.id", onupdate="CASCADE", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(Text)
    messages: Mapped[list[dict[str, Any]]] = mapped_column(JsonText)
    recipients: Mapped[int] = mapped_column(Integer)
    created_by: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(JstText)


class EventChunk(OutboxColumns, Base):
    """Up to 500 recipients of one multicast call with one retry key."""

    __tablename__ = "event_chunks"
    __table_args__ = (
        CheckConstraint(_STATES, name="known_status"),
        Index("idx_event_chunks_due", "due_at", "id", sqlite_where=_PENDING, postgresql_where=_PENDING),
        Index("idx_event_chunks_broadcast", "broadcast_id"),
        Index("idx_event_chunks_unlogged", "id", sqlite_where=_UNLOGGED[0], postgresql_where=_UNLOGGED[1]),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    broadcast_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("event_broadcasts.id", onupdate="CASCADE", ondelete="CASCADE")
    )
    retry_key: Mapped[str] = mapped_column(Text, unique=True)
    request_id: Mapped[str | None] = mapped_column(Text)
    # The lines of all its recipients are in the push log, or each of its deliveries has a `logged` of its own.
    logged: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())


class EventDelivery(OutboxColumns, Base):
    """One recipient of one broadcast.

    WAITING means that the status of the chunk applies. Only when LINE refused the chunk does each delivery get a status
    of its own, beginning with PENDING. Use `queries.state` to read the status of a recipient.
    """

    __tablename__ = "event_deliveries"
    __table_args__ = (
        CheckConstraint(_STATES, name="known_status"),
        CheckConstraint(
            "resent_by IS NULL OR (resent_by > broadcast_id AND status IN ('WAITING', 'FAILED'))", name="resent_later"
        ),
        UniqueConstraint("broadcast_id", "member_id"),
        Index("idx_event_deliveries_due", "due_at", "id", sqlite_where=_PENDING, postgresql_where=_PENDING),
        # For sending one broadcast: without it SQLite would read all of its deliveries each time.
        Index(
            "idx_event_deliveries_due_of", "broadcast_id", "due_at", sqlite_where=_PENDING, postgresql_where=_PENDING
        ),
        # For deliveries with a push of their own, which `outbox.waiting` counts for monitoring.
        Index("idx_event_deliveries_not_done", "status", sqlite_where=_NOT_DONE, postgresql_where=_NOT_DONE),
        Index("idx_event_deliveries_chunk", "chunk_id"),
        Index("idx_event_deliveries_resent", "resent_by", sqlite_where=_IS_RESENT, postgresql_where=_IS_RESENT),
        Index("idx_event_deliveries_event", "event_id", "broadcast_id"),
        Index("idx_event_deliveries_unlogged", "id", sqlite_where=_UNLOGGED[0], postgresql_where=_UNLOGGED[1]),
        # Allows one reminder per event, member and day.
        Index(
            "uq_event_deliveries_reminder_day",
            "event_id",
            "member_id",
            "reminder_day",
            unique=True,
            sqlite_where=text("reminder_day IS NOT NULL"),
            postgresql_where=text("reminder_day IS NOT NULL"),
        ),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    broadcast_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("event_broadcasts.id", onupdate="CASCADE", ondelete="CASCADE")
    )
    chunk_id: Mapped[int] = mapped_column(BigId, ForeignKey("event_chunks.id", onupdate="CASCADE", ondelete="CASCADE"))
    event_id: Mapped[int] = mapped_column(BigId, ForeignKey("events.id", onupdate="CASCADE", ondelete="CASCADE"))
    member_id: Mapped[int] = mapped_column(BigId, ForeignKey("members.id", onupdate="CASCADE", ondelete="CASCADE"))
    # The link at the time of the decision, because a LINE account that is linked later did not get this message.
    line_user_id: Mapped[str] = mapped_column(Text)
    retry_key: Mapped[str] = mapped_column(Text, unique=True)
    request_id: Mapped[str | None] = mapped_column(Text)
    message_id: Mapped[str | None] = mapped_column(Text)
    reminder_day: Mapped[str | None] = mapped_column(Text)
    # False: sent by a push of its own, and its line is not in the push log yet. Otherwise see the chunk's `logged`.
    logged: Mapped[bool] = mapped_column(Boolean, default=True, server_default=true())
    # The later broadcast that repeated this message, which LINE's monthly limit had kept back. The other columns still
    # say what happened to this one; the event counts the member with the later one.
    resent_by: Mapped[int | None] = mapped_column(BigId, ForeignKey("event_broadcasts.id"))
