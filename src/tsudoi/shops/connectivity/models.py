from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JsonText, UtcText
from tsudoi.core.db.base import Base


class ConnectivityCheck(Base):
    """The result of one check of the outside systems that a person asked for."""

    __tablename__ = "connectivity_checks"
    __table_args__ = (Index("idx_connectivity_checks_checked", "checked_at_utc"),)

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    checked_at_utc: Mapped[datetime] = mapped_column(UtcText)
    code: Mapped[str] = mapped_column(Text)
    results_json: Mapped[Any] = mapped_column(JsonText)
    asked_by: Mapped[str] = mapped_column(Text)
    request_id: Mapped[str] = mapped_column(Text)
