from datetime import datetime

from sqlalchemy import CheckConstraint, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import UtcText
from tsudoi.core.db.base import Base


class Department(Base):
    """A department of the hospital, by a code that people read and write, such as `3A`."""

    __tablename__ = "departments"
    __table_args__ = (CheckConstraint("active IN (0, 1)", name="active"),)

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    active: Mapped[int] = mapped_column(Integer, server_default="1")
    # The code without case and width, so that `3A`, `3a` and `３Ａ` cannot be three departments. NULL only in a row
    # that was written by hand.
    folded_id: Mapped[str | None] = mapped_column(Text, unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcText)
    updated_at: Mapped[datetime] = mapped_column(UtcText)
