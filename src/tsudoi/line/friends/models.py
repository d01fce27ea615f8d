from datetime import datetime

from sqlalchemy import Boolean, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JstText
from tsudoi.core.db.base import Base


class LineFriend(Base):
    """A LINE user who has added the account at least once, with the last known profile."""

    __tablename__ = "line_friends"
    __table_args__ = (
        Index("idx_line_friends_contact", "last_contact_at", "user_id"),
        Index("idx_line_friends_following", "following"),
    )

    user_id: Mapped[str] = mapped_column(Text, primary_key=True)
    display_name: Mapped[str | None] = mapped_column(Text)
    picture_url: Mapped[str | None] = mapped_column(Text)
    following: Mapped[bool] = mapped_column(Boolean)
    # The moment of the newest follow or unfollow that was applied: older ones that arrive late are ignored.
    state_ms: Mapped[int] = mapped_column(BigId)
    first_contact_at: Mapped[datetime] = mapped_column(JstText)
    last_contact_at: Mapped[datetime] = mapped_column(JstText)
    updated_at: Mapped[datetime] = mapped_column(JstText)
