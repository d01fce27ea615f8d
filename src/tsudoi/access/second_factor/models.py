from datetime import datetime

from sqlalchemy import ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JstText
from tsudoi.core.db.base import Base


class AdminTotp(Base):
    """The second factor of an administrator. It counts from `confirmed_at` on."""

    __tablename__ = "admin_totps"

    admin_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("admin_users.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    secret: Mapped[str | None] = mapped_column(Text)
    # A secret that is being set up takes the place of `secret` when a code made with it arrives.
    draft_secret: Mapped[str | None] = mapped_column(Text)
    confirmed_at: Mapped[datetime | None] = mapped_column(JstText)
    # The time step of the newest code that was accepted. No code of this step or an earlier one is accepted again.
    last_step: Mapped[int | None] = mapped_column(BigId)
    updated_at: Mapped[datetime] = mapped_column(JstText)


class RecoveryCode(Base):
    """A code that replaces the second factor once, for somebody who has lost the telephone. Only its hash is stored."""

    __tablename__ = "admin_recovery_codes"

    admin_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("admin_users.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    code_hash: Mapped[str] = mapped_column(Text, primary_key=True)
    created_at: Mapped[datetime] = mapped_column(JstText)
    used_at: Mapped[datetime | None] = mapped_column(JstText)
