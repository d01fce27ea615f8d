from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base


class ReservationSlot(Base):
    """A time with a number of seats. The day is a Japanese calendar day, the time is in minutes since midnight."""

    __tablename__ = "reservation_slots"
    __table_args__ = (
        CheckConstraint("start_minute_of_day BETWEEN 0 AND 1439", name="start_minute_of_day"),
        CheckConstraint("duration_minutes >= 1", name="duration_minutes"),
        CheckConstraint("start_minute_of_day + duration_minutes <= 1440", name="ends_on_its_day"),
        CheckConstraint("capacity >= 1", name="capacity"),
        CheckConstraint("booked_count BETWEEN 0 AND capacity", name="booked_count"),
        CheckConstraint("status IN ('draft', 'published', 'closed')", name="known_status"),
        CheckConstraint("length(service_date_local) = 10", name="service_date_local"),
        # Reservations refer to both columns, so that their type cannot differ from the slot's.
        UniqueConstraint("id", "reservation_type_id"),
        Index("idx_reservation_slots_day", "service_date_local", "start_minute_of_day"),
        Index("idx_reservation_slots_type", "reservation_type_id"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    reservation_type_id: Mapped[int] = mapped_column(BigId, ForeignKey("reservation_types.id"))
    service_date_local: Mapped[str] = mapped_column(Text)
    start_minute_of_day: Mapped[int] = mapped_column(Integer)
    duration_minutes: Mapped[int] = mapped_column(Integer)
    capacity: Mapped[int] = mapped_column(Integer)
    # The number of live reservations. It changes in their transaction, and `tsudoi booking check` compares.
    booked_count: Mapped[int] = mapped_column(Integer, server_default="0")
    status: Mapped[str] = mapped_column(Text, server_default="draft")
    booking_start: Mapped[datetime | None] = mapped_column(UtcText)
    booking_end: Mapped[datetime | None] = mapped_column(UtcText)
    notes: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcText)
    updated_at: Mapped[datetime] = mapped_column(UtcText)


class SlotQuota(Base):
    """At most so many seats of a slot are for one department, so that no ward is empty at once."""

    __tablename__ = "slot_quotas"
    __table_args__ = (CheckConstraint("seats >= 0", name="seats"),)

    slot_id: Mapped[int] = mapped_column(
        BigId, ForeignKey("reservation_slots.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    )
    department_id: Mapped[str] = mapped_column(Text, ForeignKey("departments.id", onupdate="CASCADE"), primary_key=True)
    seats: Mapped[int] = mapped_column(Integer)
