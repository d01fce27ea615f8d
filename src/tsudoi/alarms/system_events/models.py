from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JsonText, UtcText
from tsudoi.core.db.base import Base


class SysEvent(Base):
    """Something that happened to the system itself, without personal data."""

    __tablename__ = "sys_events"
    __table_args__ = (
        Index("idx_sys_events_occurred", "occurred_at_utc"),
        Index("idx_sys_events_type", "event_type", "occurred_at_utc"),
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    occurred_at_utc: Mapped[datetime] = mapped_column(UtcText)
    event_type: Mapped[str] = mapped_column(Text)
    channel: Mapped[str | None] = mapped_column(Text)
    shop_id: Mapped[int | None] = mapped_column(BigId)
    payload_json: Mapped[Any] = mapped_column(JsonText)
