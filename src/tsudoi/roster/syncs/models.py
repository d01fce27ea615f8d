from datetime import datetime
from typing import Any

from sqlalchemy import Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JsonText, JstText
from tsudoi.core.db.base import Base


class MemberSync(Base):
    """The result of one run of `tsudoi members sync`, which the office can read."""

    __tablename__ = "member_syncs"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    source: Mapped[str] = mapped_column(Text)
    created: Mapped[int] = mapped_column(Integer)
    changed: Mapped[int] = mapped_column(Integer)
    withdrawn: Mapped[int] = mapped_column(Integer)
    unchanged: Mapped[int] = mapped_column(Integer)
    refused: Mapped[int] = mapped_column(Integer)
    # The first refusals with row number and reason; the command prints them all.
    refusals: Mapped[list[dict[str, Any]]] = mapped_column(JsonText)
    finished_at: Mapped[datetime] = mapped_column(JstText)
