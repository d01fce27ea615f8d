from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, JstMoment
from tsudoi.core.db.base import Base


class EventResponse(Base):
    """An answer of a member. The newest by (`responded_at`, `id`) counts; triggers refuse changes and removals."""

    __tablename__ = "event_responses"
    __table_args__ = (
        CheckConstraint("status IN ('attend','absent')", name="known_status"),
        CheckConstraint("via IN ('liff','admin')", name="known_via"),
        # For the history, which is sorted by time.
        Index("idx_evtrsp_event_id", "event_id", "id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    event_id: Mapped[int] = mapped_column(BigId, ForeignKey("events.id", onupdate="CASCADE", ondelete="CASCADE"))
    member_id: Mapped[int] = mapped_column(BigId, ForeignKey("members.id", onupdate="CASCADE", ondelete="CASCADE"))
    status: Mapped[str] = mapped_column(Text)
    extra_text: Mapped[str | None] = mapped_column(Text)
    via: Mapped[str] = mapped_column(Text)
    responded_at: Mapped[datetime] = mapped_column(JstMoment)


# The id decides which of two answers with the same time is newer.
Index(
    "idx_evtrsp_event_member_time",
    EventResponse.event_id,
    EventResponse.member_id,
    EventResponse.responded_at.desc(),
    EventResponse.id.desc(),
)
