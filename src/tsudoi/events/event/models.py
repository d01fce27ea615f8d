from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JstText
from tsudoi.core.db.base import Base


class Event(Base):
    """An event that members are invited to, with the picture that is sent along."""

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
    # The folder of its pictures in the media store. Folders that no event points at are removed.
    media_key: Mapped[str | None] = mapped_column(Text, unique=True)
    # A calendar program has no session; with this key it may fetch this one event.
    calendar_key: Mapped[str | None] = mapped_column(Text)
    # Counts the changes that a calendar shows (iCalendar's SEQUENCE).
    sequence: Mapped[int] = mapped_column(Integer, server_default="0")
    cancelled_at: Mapped[datetime | None] = mapped_column(JstText)
    cancel_reason: Mapped[str | None] = mapped_column(Text)
    place: Mapped[str | None] = mapped_column(Text)
    # NULL: calendars show one hour.
    end_at: Mapped[datetime | None] = mapped_column(JstText)
    # The UID of the calendar entry that another context gave to the members before. NULL: the event has its own.
    calendar_uid: Mapped[str | None] = mapped_column(Text)


class EventTarget(Base):
    """A member who is invited: on the list that the office confirmed, or added later."""

    __tablename__ = "event_targets"
    __table_args__ = (Index("idx_evt_targets_member", "member_id"),)

    event_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("events.id", onupdate="CASCADE", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    member_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("members.id", onupdate="CASCADE", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    # When the member was added, so that the past can be shown as it was. NULL: invited from the beginning.
    added_at: Mapped[datetime | None] = mapped_column(JstText)
