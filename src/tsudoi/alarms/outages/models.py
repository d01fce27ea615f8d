from datetime import datetime

from sqlalchemy import CheckConstraint, Integer, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base


class OutsideState(Base):
    """How the latest calls of one shop (or of nobody's shop) to one outside system went, and its circuit breaker."""

    __tablename__ = "outside_states"
    __table_args__ = (UniqueConstraint("shop_id", "system"), CheckConstraint("failures_in_a_row >= 0", name="counted"))

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    # 0 for calls that are made for no shop.
    shop_id: Mapped[int] = mapped_column(BigId)
    system: Mapped[str] = mapped_column(Text)
    failures_in_a_row: Mapped[int] = mapped_column(Integer, server_default="0")
    # Of a system that is out; two of them are the all-clear.
    successes_in_a_row: Mapped[int] = mapped_column(Integer, server_default="0")
    last_success_at_utc: Mapped[datetime | None] = mapped_column(UtcText)
    last_failure_at_utc: Mapped[datetime | None] = mapped_column(UtcText)
    last_error: Mapped[str | None] = mapped_column(Text)
    # Until then calls are answered at once with a failure. After it one call is let through as a probe.
    open_until_utc: Mapped[datetime | None] = mapped_column(UtcText)
    probe_until_utc: Mapped[datetime | None] = mapped_column(UtcText)
