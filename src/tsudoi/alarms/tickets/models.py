from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JsonText, UtcText
from tsudoi.core.db.base import Base

_NOT_CLOSED = text("status <> 'closed'")


class Ticket(Base):
    """A trouble that somebody has to look at. The same trouble has one ticket until it is closed."""

    __tablename__ = "tickets"
    __table_args__ = (
        CheckConstraint("status IN ('open', 'acknowledged', 'closed')", name="known_status"),
        CheckConstraint("(status = 'closed') = (closed_at_utc IS NOT NULL)", name="closed_whole"),
        CheckConstraint("occurrences >= 1", name="happened"),
        Index(
            "uniq_ticket_not_closed", "dedupe_key", unique=True, sqlite_where=_NOT_CLOSED, postgresql_where=_NOT_CLOSED
        ),
        Index("idx_tickets_status", "status", "last_seen_at_utc"),
        Index("idx_tickets_cause", "dedupe_key", "id"),
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    shop_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("shops.id"))
    source: Mapped[str] = mapped_column(Text)
    rule_code: Mapped[str | None] = mapped_column(Text)
    dedupe_key: Mapped[str] = mapped_column(Text)
    severity: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text)
    details_json: Mapped[Any] = mapped_column(JsonText)
    status: Mapped[str] = mapped_column(Text, server_default="open")
    occurrences: Mapped[int] = mapped_column(Integer, server_default="1")
    # The request during which it was seen last: it leads to the calls in `api_call_logs`.
    request_id: Mapped[str | None] = mapped_column(Text)
    opened_at_utc: Mapped[datetime] = mapped_column(UtcText)
    last_seen_at_utc: Mapped[datetime] = mapped_column(UtcText)
    # When the channels of its rule were last told. The next alarm waits for the rule's throttle after that.
    alarmed_at_utc: Mapped[datetime | None] = mapped_column(UtcText)
    acknowledged_at_utc: Mapped[datetime | None] = mapped_column(UtcText)
    acknowledged_by: Mapped[str | None] = mapped_column(Text)
    closed_at_utc: Mapped[datetime | None] = mapped_column(UtcText)
    closed_by: Mapped[str | None] = mapped_column(Text)
    # When the channels were told that the trouble is over.
    all_clear_at_utc: Mapped[datetime | None] = mapped_column(UtcText)
