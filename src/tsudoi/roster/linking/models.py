from datetime import datetime

from sqlalchemy import ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JstText
from tsudoi.core.db.base import Base


class UndoneLink(Base):
    """A link that the office removed. This LINE user and member are not linked by name again, only by hand."""

    __tablename__ = "undone_links"

    member_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("members.id", onupdate="CASCADE", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    user_id: Mapped[str] = mapped_column(Text, primary_key=True)
    created_at: Mapped[datetime] = mapped_column(JstText)
