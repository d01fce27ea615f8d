"""Which reservations are certain, and which holds have run out."""

from datetime import datetime

from sqlalchemy import ColumnElement, Subquery, and_, func, or_, select

from tsudoi.booking.reservations.models import Reservation
from tsudoi.core.db.interface import ReadTx


def is_certain() -> ColumnElement[bool]:
    """Confirmed, or written by hand with neither time."""
    return or_(Reservation.confirmed_at.is_not(None), Reservation.hold_expires_at.is_(None))


def hold_ran_out(now: datetime) -> ColumnElement[bool]:
    """Not paid for in time, and not given back yet."""
    return and_(_held(), Reservation.hold_expires_at <= now)


def holds_by_slot(now: datetime) -> Subquery:
    """For each slot with holds: how many run, and how many have run out and still count in `booked_count`."""
    over = Reservation.hold_expires_at <= now
    counts = (func.count().filter(~over).label("running"), func.count().filter(over).label("over"))
    return select(Reservation.slot_id, *counts).where(_held()).group_by(Reservation.slot_id).subquery()


def ran_out(tx: ReadTx, limit: int) -> list[tuple[int, int]]:
    """Reservation and slot of the holds that ran out, by slot."""
    columns = (Reservation.id, Reservation.slot_id)
    statement = select(*columns).where(hold_ran_out(tx.now)).order_by(Reservation.slot_id, Reservation.id)
    return [(row.id, row.slot_id) for row in tx.execute(statement.limit(limit))]


def _held() -> ColumnElement[bool]:
    return and_(
        Reservation.canceled_at.is_(None),
        Reservation.confirmed_at.is_(None),
        Reservation.hold_expires_at.is_not(None),
    )
