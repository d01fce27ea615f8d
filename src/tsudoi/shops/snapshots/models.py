from datetime import datetime

from sqlalchemy import ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base


class SessionSnapshot(Base):
    """What STORES said about the customer of a session, encrypted for this session. It goes with the session."""

    __tablename__ = "session_snapshots"

    session_hash: Mapped[str] = mapped_column(
        Text, ForeignKey("sessions.id_hash", ondelete="CASCADE"), primary_key=True
    )
    shop_id: Mapped[int] = mapped_column(BigId, ForeignKey("shops.id"), primary_key=True)
    sealed: Mapped[str] = mapped_column(Text)
    taken_at_utc: Mapped[datetime] = mapped_column(UtcText)
