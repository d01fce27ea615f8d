from datetime import datetime

from sqlalchemy import CheckConstraint, Index, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JstText
from tsudoi.core.db.base import Base


class Member(Base):
    """A member, copied from the roster sheet. The id is the one in the sheet."""

    __tablename__ = "members"
    __table_args__ = (
        CheckConstraint("is_target IN (0, 1)", name="is_target"),
        CheckConstraint("role IN ('member', 'admin')", name="known_role"),
        Index("idx_members_name_key", "name_key"),
        Index("idx_members_display_order", "display_order"),
        Index("idx_members_is_target", "is_target"),
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(Text)
    name_key: Mapped[str] = mapped_column(Text)
    # The reading of the name, where the sheet has a column for it. It is searched, and never used for linking.
    kana: Mapped[str | None] = mapped_column(Text)
    display_order: Mapped[int | None] = mapped_column(Integer)
    line_user_id: Mapped[str | None] = mapped_column(Text, unique=True)
    line_display_name: Mapped[str | None] = mapped_column(Text)
    is_target: Mapped[int] = mapped_column(Integer, server_default="0")
    role: Mapped[str] = mapped_column(Text, server_default="member")
    email: Mapped[str | None] = mapped_column(Text)
    # Set when the member left the organisation. The row is kept for the history and gets no invitations.
    withdrawn_at: Mapped[datetime | None] = mapped_column(JstText)
    # Set when the personal data were erased. The row stays for the counts, and no sync uses its number again.
    erased_at: Mapped[datetime | None] = mapped_column(JstText)
    created_at: Mapped[datetime] = mapped_column(JstText)
    updated_at: Mapped[datetime] = mapped_column(JstText)
