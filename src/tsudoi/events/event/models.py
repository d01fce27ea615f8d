from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JstText
from tsudoi.core.db.base import Base


class Event(Base):
    """One thing that people are asked to come to, with the picture that is sent along."""

    __tablename__ = "events"
    __table_args__ = (
        CheckConstraint("extra_text_enabled IN (0, 1)", name="extra_text_enabled"),
        CheckConstraint("extra_text_attend_only IN (0, 1)", name="extra_text_attend_only"),
        Index("idx_events_held_at", "held_at", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    title: Mapped[str] = mapped_column(Text)
    body: Mapped[str | None] = mapped_column(Text)
    held_at: Mapped[datetime] = mapped_column(JstText)
    deadline_at: Mapped[datetime | None] = mapped_column(JstText)
    image_url: Mapped[str | None] = mapped_column(Text)
    image_size: Mapped[int | None] = mapped_column(Integer)
    image_preview_url: Mapped[str | None] = mapped_column(Text)
    image_preview_size: Mapped[int | None] = mapped_column(Integer)
    extra_text_enabled: Mapped[int] = mapped_column(Integer, server_default="0")
    extra_text_label: Mapped[str | None] = mapped_column(Text, server_default="備考")
    extra_text_attend_only: Mapped[int] = mapped_column(Integer, server_default="1")
    created_by_admin: Mapped[int] = mapped_column(BigId, ForeignKey("admin_users.id", onupdate="CASCADE"))
    created_at: Mapped[datetime] = mapped_column(JstText)
    updated_at: Mapped[datetime] = mapped_column(JstText)
    # Where its pictures lie in the media store; nothing there that no event points at is kept.
    media_key: Mapped[str | None] = mapped_column(Text, unique=True)
    # Lets a calendar program, which has no session, fetch the one thing that it may know.
    calendar_key: Mapped[str | None] = mapped_column(Text)
    # How often what a calendar shows has changed (iCalendar's SEQUENCE).
    sequence: Mapped[int] = mapped_column(Integer, server_default="0")
    cancelled_at: Mapped[datetime | None] = mapped_column(JstText)
    cancel_reason: Mapped[str | None] = mapped_column(Text)


class EventTarget(Base):
    """Who is asked: the list as the office confirmed it, and who was added later."""

    __tablename__ = "event_targets"
    __table_args__ = (Index("idx_evt_targets_member", "member_id"),)

    event_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("events.id", onupdate="CASCADE", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    member_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("members.id", onupdate="CASCADE", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    # Empty: from the beginning. Otherwise the moment of being added, so that the past can be shown as it was.
    added_at: Mapped[datetime | None] = mapped_column(JstText)
