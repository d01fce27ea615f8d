from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, ForeignKeyConstraint, Index, Integer, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base

# A seat that is held until it is paid for. A row that was written by hand has neither time, and counts as confirmed.
HELD = "canceled_at IS NULL AND confirmed_at IS NULL AND hold_expires_at IS NOT NULL"
# What takes up the year where the type allows one reservation: not an absence that was freed.
ONCE_PER_YEAR = "canceled_at IS NULL AND once_per_year = 1 AND frees_year = 0"
# Why the system cancelled a reservation: it was not paid for in time.
HOLD_EXPIRED = "HOLD_EXPIRED"


class Reservation(Base):
    """A seat of a slot for one person. A cancelled one stays as a row with `canceled_at`."""

    __tablename__ = "reservations"
    __table_args__ = (
        CheckConstraint("once_per_year IN (0, 1)", name="once_per_year"),
        CheckConstraint("attendance IN ('came', 'absent')", name="known_attendance"),
        CheckConstraint("revision >= 0", name="revision"),
        CheckConstraint("price_jpy >= 1", name="price_jpy"),
        ForeignKeyConstraint(
            ["slot_id", "reservation_type_id"],
            ["reservation_slots.id", "reservation_slots.reservation_type_id"],
            name="fk_reservations_slot_and_type",
        ),
        CheckConstraint("frees_year IN (0, 1)", name="frees_year"),
        CheckConstraint("frees_year = 0 OR attendance = 'absent'", name="only_an_absence_frees_the_year"),
        # Once per fiscal year, over live reservations. A type with another limit clears `once_per_year` on its rows.
        Index(
            "uq_reservations_year",
            "staff_uid",
            "reservation_type_id",
            "period_key",
            unique=True,
            sqlite_where=text(ONCE_PER_YEAR),
            postgresql_where=text(ONCE_PER_YEAR),
        ),
        Index(
            "uq_reservations_slot",
            "slot_id",
            "staff_uid",
            unique=True,
            sqlite_where=text("canceled_at IS NULL"),
            postgresql_where=text("canceled_at IS NULL"),
        ),
        Index("idx_reservations_staff", "staff_uid", "service_date_local"),
        Index("idx_reservations_day", "service_date_local", "start_minute_of_day"),
        Index("idx_reservations_coverage", "reservation_type_id", "period_key", "staff_uid"),
        # Seats that are held until they are paid for; there are few of them at any time.
        Index(
            "idx_reservations_holds",
            "hold_expires_at",
            sqlite_where=text(HELD),
            postgresql_where=text(HELD),
        ),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    staff_uid: Mapped[str] = mapped_column(Text, ForeignKey("staffs.staff_uid"))
    # Copies of the person's number and of the slot's values, for searching.
    staff_id: Mapped[str] = mapped_column(Text)
    reservation_type_id: Mapped[int] = mapped_column(BigId, ForeignKey("reservation_types.id"))
    slot_id: Mapped[int] = mapped_column(BigId, ForeignKey("reservation_slots.id"))
    service_date_local: Mapped[str] = mapped_column(Text)
    start_minute_of_day: Mapped[int] = mapped_column(Integer)
    duration_minutes: Mapped[int] = mapped_column(Integer)
    # The fiscal year of the day, such as `FY2025`.
    period_key: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcText)
    updated_at: Mapped[datetime] = mapped_column(UtcText)
    canceled_at: Mapped[datetime | None] = mapped_column(UtcText)
    once_per_year: Mapped[int] = mapped_column(Integer, server_default="1")
    # The person's department when the seat was taken: quotas per department count it.
    department_id: Mapped[str | None] = mapped_column(Text, ForeignKey("departments.id", onupdate="CASCADE"))
    # Grows with each move, so that a notice says which state it is about.
    revision: Mapped[int] = mapped_column(Integer, server_default="0")
    # What the reception noted: NULL means that nobody has noted anything yet.
    attendance: Mapped[str | None] = mapped_column(Text)
    attendance_at: Mapped[datetime | None] = mapped_column(UtcText)
    # 1: the person did not come, and this does not count for the year and the days between. The record stays.
    frees_year: Mapped[int] = mapped_column(Integer, server_default="0")
    canceled_by: Mapped[str | None] = mapped_column(Text)
    cancel_reason: Mapped[str | None] = mapped_column(Text)
    # When the seat became certain: at once, or with the payment.
    confirmed_at: Mapped[datetime | None] = mapped_column(UtcText)
    # A seat of a type with a price is held until then, and given back if it is not paid for.
    hold_expires_at: Mapped[datetime | None] = mapped_column(UtcText)
    # The price at the time of the booking; NULL: nothing has to be paid online.
    price_jpy: Mapped[int | None] = mapped_column(Integer)


class WaitingPlace(Base):
    """A place in the line for a full slot. A freed seat is given to the first person in line for whom it fits."""

    __tablename__ = "waiting_places"
    __table_args__ = (
        CheckConstraint("outcome IN ('promoted', 'left', 'withdrawn', 'expired')", name="known_outcome"),
        CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", name="ended_with_outcome"),
        Index(
            "uq_waiting_places_slot",
            "slot_id",
            "staff_uid",
            unique=True,
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
        Index("idx_waiting_places_line", "slot_id", "id"),
        Index("idx_waiting_places_staff", "staff_uid"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    slot_id: Mapped[int] = mapped_column(BigId, ForeignKey("reservation_slots.id"))
    staff_uid: Mapped[str] = mapped_column(Text, ForeignKey("staffs.staff_uid"))
    created_at: Mapped[datetime] = mapped_column(UtcText)
    ended_at: Mapped[datetime | None] = mapped_column(UtcText)
    # promoted: got a seat. left: gave the place up. withdrawn: booked elsewhere or left. expired: too late.
    outcome: Mapped[str | None] = mapped_column(Text)
    reservation_id: Mapped[int | None] = mapped_column(BigId, ForeignKey("reservations.id"))
    # Why this place was passed over the last time a seat was free, such as `DEPARTMENT_FULL`.
    skipped_because: Mapped[str | None] = mapped_column(Text)
    skipped_at: Mapped[datetime | None] = mapped_column(UtcText)
