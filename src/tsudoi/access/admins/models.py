from datetime import datetime

from sqlalchemy import ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JstText
from tsudoi.core.db.base import Base


class AdminUser(Base):
    """An administrator. A disabled one stays in the audit trail and cannot log in."""

    __tablename__ = "admin_users"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    username: Mapped[str] = mapped_column(Text, unique=True)
    password_hash: Mapped[str] = mapped_column(Text)
    member_id: Mapped[int | None] = mapped_column(
        BigId, ForeignKey("members.id", onupdate="CASCADE", ondelete="SET NULL")
    )
    created_at: Mapped[datetime] = mapped_column(JstText)
    updated_at: Mapped[datetime] = mapped_column(JstText)
    disabled_at: Mapped[datetime | None] = mapped_column(JstText)
    # Set while the password is one that another administrator was shown: until then it opens a session in which the
    # administrator can only choose a new one.
    one_time_until: Mapped[datetime | None] = mapped_column(JstText)


class TrustedDevice(Base):
    """A browser in which this administrator has logged in before.

    It has a failure count of its own, so that wrong passwords from elsewhere do not lock the administrator out here.
    """

    __tablename__ = "trusted_devices"

    token_hash: Mapped[str] = mapped_column(Text, primary_key=True)
    admin_id: Mapped[int] = mapped_column(BigId, ForeignKey("admin_users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(JstText)
