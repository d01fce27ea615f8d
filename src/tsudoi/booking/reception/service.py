"""The reception notes who came and who did not. What was noted can be taken back."""

from sqlalchemy import select, update

from tsudoi.booking.reception.errors import UnknownCode
from tsudoi.booking.reservations.errors import Canceled, NoSuchReservation, NotConfirmed, TooEarly
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.reservations.queries.holds import is_certain
from tsudoi.booking.reservations.rules.reception import reservation_of
from tsudoi.core import audit
from tsudoi.core.clock import jst_date
from tsudoi.core.db.interface import Tx


def note_attendance(tx: Tx, reservation_id: int, attendance: str | None, actor: str) -> None:
    """Not before the day of the slot. The same note again changes nothing."""
    columns = (
        Reservation.canceled_at,
        Reservation.attendance,
        Reservation.service_date_local,
        is_certain().label("certain"),
    )
    found = tx.execute(
        select(*columns).where(Reservation.id == reservation_id).with_for_update(key_share=True)
    ).one_or_none()
    if found is None:
        raise NoSuchReservation
    if found.canceled_at is not None:
        raise Canceled
    if not found.certain:
        raise NotConfirmed
    if attendance == found.attendance:
        return
    if attendance is not None and jst_date(tx.now) < found.service_date_local:
        raise TooEarly
    noted = {"attendance": attendance, "attendance_at": tx.now if attendance else None, "updated_at": tx.now}
    tx.execute(update(Reservation).where(Reservation.id == reservation_id).values(**noted))
    old, new = {"attendance": found.attendance}, {"attendance": attendance}
    audit.record(tx, actor, "ATTENDANCE", f"reservation:{reservation_id}", old=old, new=new)


def receive(tx: Tx, code: str, secret: str, actor: str) -> int:
    """Note that the person with this code came, and return the reservation."""
    reservation_id = reservation_of(secret, code)
    if reservation_id is None:
        raise UnknownCode
    note_attendance(tx, reservation_id, "came", actor)
    return reservation_id
