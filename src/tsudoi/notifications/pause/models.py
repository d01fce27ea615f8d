from datetime import datetime

from sqlalchemy import CheckConstraint, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base


class NotificationPause(Base):
    """A time during which no notice is sent."""

    __tablename__ = "notification_pauses"
    __table_args__ = (
        CheckConstraint("(resumed_at IS NULL) = (resumed_by IS NULL)", name="resumed"),
        CheckConstraint("(going_on IS NULL) = (resumed_at IS NOT NULL) AND going_on = 1", name="going_on"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    # 1 until it is resumed, then NULL. It is unique, so that there is one pause at a time.
    going_on: Mapped[int | None] = mapped_column(Integer, unique=True)
    paused_at: Mapped[datetime] = mapped_column(UtcText)
    paused_by: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    resumed_at: Mapped[datetime | None] = mapped_column(UtcText)
    resumed_by: Mapped[str | None] = mapped_column(Text)
