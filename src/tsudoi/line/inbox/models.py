from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, CheckConstraint, Index, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JsonText, JstText
from tsudoi.core.db.base import Base
from tsudoi.core.outbox.table import OutboxColumns


class LineEvent(OutboxColumns, Base):
    """A webhook event, stored once before LINE gets the 200 response. The worker handles it from this table."""

    __tablename__ = "line_events"
    __table_args__ = (
        Index(
            "idx_line_events_waiting",
            "due_at",
            "id",
            sqlite_where=text("status = 'PENDING'"),
            postgresql_where=text("status = 'PENDING'"),
        ),
        CheckConstraint("status IN ('PENDING', 'DONE', 'FAILED', 'UNKNOWN')", name="known_status"),
        CheckConstraint("reply IN ('trying', 'sent', 'failed', 'unknown')", name="known_reply"),
        Index("idx_line_events_status", "status"),
        Index("idx_line_events_user", "user_id", "id"),
        # For deleting old events.
        Index("idx_line_events_received_at", "received_at"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    event_key: Mapped[str] = mapped_column(Text, unique=True)
    type: Mapped[str] = mapped_column(Text)
    user_id: Mapped[str | None] = mapped_column(Text)
    event_ms: Mapped[int] = mapped_column(BigId)
    redelivered: Mapped[bool] = mapped_column(Boolean)
    # What the handler needs. Empty for events that nobody handles, and once the event is done: a chat text is not kept.
    payload: Mapped[dict[str, Any]] = mapped_column(JsonText)
    # The state of the reply to this event. A reply has no retry key, so its state is stored before it is sent.
    reply: Mapped[str | None] = mapped_column(Text)
    received_at: Mapped[datetime] = mapped_column(JstText)
