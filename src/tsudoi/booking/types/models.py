from datetime import datetime

from sqlalchemy import CheckConstraint, Integer, Text, func
from sqlalchemy.orm import Mapped, mapped_column

from tsudoi.core.columns import BigId, UtcText
from tsudoi.core.db.base import Base


class ReservationType(Base):
    """What is reserved, such as a flu vaccination, and the rules for its reservations."""

    __tablename__ = "reservation_types"
    __table_args__ = (
        CheckConstraint("active IN (0, 1)", name="active"),
        CheckConstraint("limit_per_year >= 1", name="limit_per_year"),
        CheckConstraint("minimum_days_between >= 1", name="minimum_days_between"),
        CheckConstraint("cancel_until_hours >= 0", name="cancel_until_hours"),
        CheckConstraint("overlap_allowed IN (0, 1)", name="overlap_allowed"),
        CheckConstraint("price_jpy BETWEEN 50 AND 9999999", name="price_jpy"),
        CheckConstraint("hold_minutes BETWEEN 30 AND 1440", name="hold_minutes"),
        CheckConstraint("konbini IN (0, 1)", name="konbini"),
        CheckConstraint("refund_until_hours >= 0", name="refund_until_hours"),
        CheckConstraint("silent_at_night IN (0, 1)", name="silent_at_night"),
        CheckConstraint("mail_fallback IN (0, 1)", name="mail_fallback"),
        CheckConstraint("absent_frees_year IN (0, 1)", name="absent_frees_year"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=True)
    name: Mapped[str] = mapped_column(Text)
    description: Mapped[str | None] = mapped_column(Text)
    active: Mapped[int] = mapped_column(Integer, server_default="1")
    # How many live reservations one person may have in a fiscal year; NULL: as many as they like.
    limit_per_year: Mapped[int | None] = mapped_column(Integer, server_default="1")
    # The next reservation is at least so many days after the one before, for a second dose.
    minimum_days_between: Mapped[int | None] = mapped_column(Integer)
    # Staff may cancel and move until so many hours before the slot begins; the office always may.
    cancel_until_hours: Mapped[int] = mapped_column(Integer, server_default="0")
    # 1: a reservation of this type may be at the same time as another one of the same person.
    overlap_allowed: Mapped[int] = mapped_column(Integer, server_default="0")
    # NULL: free. Otherwise the seat is held until the price is paid.
    price_jpy: Mapped[int | None] = mapped_column(Integer)
    # How long an unpaid seat is held. Stripe's payment page stays open for 30 minutes at least.
    hold_minutes: Mapped[int] = mapped_column(Integer, server_default="35")
    # 1: may be paid at a convenience store, which holds the seat for days.
    konbini: Mapped[int] = mapped_column(Integer, server_default="0")
    # The price is paid back when the reservation is cancelled so many hours before it begins; NULL: always.
    refund_until_hours: Mapped[int | None] = mapped_column(Integer)
    # Where people go; notices name it.
    place: Mapped[str | None] = mapped_column(Text)
    # 1: notices between 22 and 7 o'clock make no sound on the phone.
    silent_at_night: Mapped[int] = mapped_column(Integer, server_default="0")
    # 1: a notice that cannot go by LINE goes by mail, if the address is known.
    mail_fallback: Mapped[int] = mapped_column(Integer, server_default="0")
    # 1: who did not come may book again in the same fiscal year, unless the office says otherwise for one person.
    absent_frees_year: Mapped[int] = mapped_column(Integer, server_default="0")
    # The document knows no times of a type, so that a row can be written by hand without them.
    created_at: Mapped[datetime] = mapped_column(UtcText, server_default=func.current_timestamp())
    updated_at: Mapped[datetime] = mapped_column(UtcText, server_default=func.current_timestamp())
