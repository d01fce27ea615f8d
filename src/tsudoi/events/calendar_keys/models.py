from datetime import datetime

from sqlalchemy import ForeignKey, Integer
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JstText
from tsudoi.core.db.base import Base


class CalendarRenewal(Base):
    """How often a member has renewed the keys of the own calendar files. No row: never."""

    __tablename__ = "calendar_renewals"

    member_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("members.id", onupdate="CASCADE", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    times: Mapped[int] = mapped_column(Integer)
    renewed_at: Mapped[datetime] = mapped_column(JstText)
