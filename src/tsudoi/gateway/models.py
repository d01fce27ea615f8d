from datetime import datetime

from sqlalchemy import Index, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base


class ApiCallLog(Base):
    """One call to an outside system, without personal data and secrets."""

    __tablename__ = "api_call_logs"
    __table_args__ = (
        Index("idx_api_call_logs_created", "created_at_utc"),
        Index("idx_api_call_logs_target", "target", "created_at_utc"),
        Index("idx_api_call_logs_request", "request_id"),
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    request_id: Mapped[str | None] = mapped_column(Text)
    target: Mapped[str] = mapped_column(Text)
    operation: Mapped[str] = mapped_column(Text)
    method: Mapped[str] = mapped_column(Text)
    url: Mapped[str] = mapped_column(Text)
    attempt: Mapped[int] = mapped_column(Integer)
    status_code: Mapped[int | None] = mapped_column(Integer)
    error: Mapped[str | None] = mapped_column(Text)
    latency_ms: Mapped[int] = mapped_column(Integer)
    external_request_id: Mapped[str | None] = mapped_column(Text)
    request_body: Mapped[str | None] = mapped_column(Text)
    response_body: Mapped[str | None] = mapped_column(Text)
    # On whose behalf the call was made, and what became of it: filled in by `gateway/api_comm`.
    channel: Mapped[str | None] = mapped_column(Text)
    component: Mapped[str | None] = mapped_column(Text)
    shop_id: Mapped[int | None] = mapped_column(BigId)
    error_code: Mapped[str | None] = mapped_column(Text)
    created_at_utc: Mapped[datetime] = mapped_column(UtcText)
