from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base


class RefreshSession(Base):
    """One refresh token. A refresh revokes it and creates its successor in the same family."""

    __tablename__ = "refresh_sessions"
    __table_args__ = (
        CheckConstraint("transport IN ('body', 'cookie')", name="known_transport"),
        Index("idx_refresh_sessions_staff_uid", "staff_uid"),
        Index("idx_refresh_sessions_family_id", "family_id"),
        # Both are for deleting old sessions; a deleted one is looked for among the successors.
        Index("idx_refresh_sessions_expires_at", "expires_at"),
        Index("idx_refresh_sessions_successor_id", "successor_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    staff_uid: Mapped[str] = mapped_column(Text, ForeignKey("staffs.staff_uid"))
    staff_id_snapshot: Mapped[str | None] = mapped_column(Text)
    # HMAC-SHA-256 of the token with REFRESH_SECRET.
    refresh_token_hash: Mapped[str] = mapped_column(Text, unique=True)
    expires_at: Mapped[datetime] = mapped_column(UtcText)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcText)
    last_used_at: Mapped[datetime | None] = mapped_column(UtcText)
    user_agent: Mapped[str | None] = mapped_column(Text)
    ip_address: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcText)
    updated_at: Mapped[datetime] = mapped_column(UtcText)
    # All sessions that come from one log-in share a random id. An access token is valid while its family has a live
    # session, so that a second tab keeps working after the first one refreshed.
    family_id: Mapped[str | None] = mapped_column(Text)
    # The next session, when this one was revoked by a refresh.
    successor_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("refresh_sessions.id"))
    # Why it was revoked: rotated, logout, reuse, pin_change, pin_reset, office, locked.
    revoked_because: Mapped[str | None] = mapped_column(Text)
    transport: Mapped[str] = mapped_column(Text, server_default="body")
