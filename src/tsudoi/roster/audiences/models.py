from datetime import datetime

from sqlalchemy import ForeignKey, Index, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JstText
from tsudoi.core.db.base import Base


class Audience(Base):
    """A group of members for choosing recipients, for example 理事会."""

    __tablename__ = "audiences"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    name: Mapped[str] = mapped_column(Text, unique=True)
    sort_order: Mapped[int | None] = mapped_column(Integer)
    created_at: Mapped[datetime] = mapped_column(JstText)
    updated_at: Mapped[datetime] = mapped_column(JstText)


class AudienceMember(Base):
    """One member of one group."""

    __tablename__ = "audience_members"
    __table_args__ = (Index("idx_audmem_member", "member_id"),)

    audience_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("audiences.id", onupdate="CASCADE", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    member_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("members.id", onupdate="CASCADE", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
