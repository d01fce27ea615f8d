from datetime import datetime

from sqlalchemy import CheckConstraint, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base


class NotificationTemplate(Base):
    """A text of a notice as the office wrote it. The newest row of a key counts; without one the built-in text does."""

    __tablename__ = "notification_templates"
    __table_args__ = (
        CheckConstraint(
            "key IN ('CONFIRMATION', 'MOVED', 'REMINDER', 'CANCEL_COMPLETED', 'REFUNDED')", name="known_key"
        ),
        Index("idx_notification_templates_key", "key", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    key: Mapped[str] = mapped_column(Text)
    # NULL: back to the built-in text.
    body: Mapped[str | None] = mapped_column(Text)
    created_by: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcText)
