"""The reception notes who came and who did not. What was noted can be taken back."""

from typing import Any

from sqlalchemy import Row, func, select, update

from tsudoi.booking.reception.errors import UnknownCode
from tsudoi.booking.reservations.errors import (
    AlreadyBookedThisYear,
    Canceled,
    NoSuchReservation,
    NotConfirmed,
    TooEarly,
)
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.reservations.queries.holds import hold_ran_out, is_certain
from tsudoi.booking.reservations.rules.reception import reservation_of
from tsudoi.booking.reservations.service.locking import lock_reservation
from tsudoi.booking.slots.rules import begins_at
from tsudoi.booking.types.models import ReservationType
from tsudoi.core import audit
from tsudoi.core.clock import jst_date
from tsudoi.core.db.interface import Tx
from tsudoi.core.errors import Detail, InvalidInput

_BOOKED_ANEW = (
    "この方は、来なかったあとに、同じ年度の予約を取り直しています。この欠席を年度の回数に数えるには、"
    "先に新しい予約を取り消してください。"
)
_TOO_EARLY_FOR_ABSENT = "予約の時刻より前には、「来なかった」と記録できません。時刻を過ぎてから記録してください。"


def note_attendance(
    tx: Tx,
    reservation_id: int,
    attendance: str | None,
    actor: str,
    *,
    frees_year: bool | None = None,
    reason: str | None = None,
) -> None:
    """The same note again changes nothing. `frees_year` None: as it was said before, and at first the type's rule."""
    if frees_year is not None and attendance != "absent":
        raise InvalidInput(details=[Detail("freesYear", "ONLY_ABSENT")])
    # The slot and the person are locked, so that nobody books while it is decided whether the year is free.
    if lock_reservation(tx, reservation_id) is None:
        raise NoSuchReservation
    found = _noted(tx, reservation_id)
    if found.canceled_at is not None:
        raise Canceled
    if not found.certain:
        raise NotConfirmed
    frees = _frees(found, attendance, frees_year)
    if (attendance, frees) == (found.attendance, bool(found.frees_year)):
        return
    if attendance != found.attendance:
        _refuse_too_early(tx, found, attendance)
    if found.frees_year and not frees and _booked_otherwise(tx, found):
        raise AlreadyBookedThisYear(_BOOKED_ANEW)
    noted: dict[str, Any] = {"attendance": attendance, "frees_year": int(frees), "updated_at": tx.now}
    if attendance != found.attendance:
        noted["attendance_at"] = tx.now if attendance else None
    tx.execute(update(Reservation).where(Reservation.id == reservation_id).values(**noted))
    old, new = _audited(found.attendance, frees=bool(found.frees_year)), _audited(attendance, frees=frees)
    audit.record(tx, actor, "ATTENDANCE", f"reservation:{reservation_id}", reason=reason, old=old, new=new)


def _noted(tx: Tx, reservation_id: int) -> Row[Any]:
    columns = (
        *(Reservation.id, Reservation.staff_uid, Reservation.reservation_type_id, Reservation.period_key),
        *(Reservation.canceled_at, Reservation.attendance, Reservation.frees_year),
        *(Reservation.service_date_local, Reservation.start_minute_of_day, is_certain().label("certain")),
        *(ReservationType.absent_frees_year, ReservationType.limit_per_year),
    )
    joined = select(*columns).join(ReservationType, ReservationType.id == Reservation.reservation_type_id)
    return tx.execute(joined.where(Reservation.id == reservation_id)).one()


def _frees(found: Row[Any], attendance: str | None, asked: bool | None) -> bool:
    if attendance != "absent":
        return False
    if asked is not None:
        return asked
    return bool(found.frees_year if found.attendance == "absent" else found.absent_frees_year)


def _refuse_too_early(tx: Tx, found: Row[Any], attendance: str | None) -> None:
    if attendance is not None and jst_date(tx.now) < found.service_date_local:
        raise TooEarly
    if attendance == "absent" and tx.now < begins_at(found.service_date_local, found.start_minute_of_day):
        raise TooEarly(_TOO_EARLY_FOR_ABSENT)


def _booked_otherwise(tx: Tx, found: Row[Any]) -> bool:
    """Whether the year is used up without this absence, so that it cannot count again."""
    if found.limit_per_year is None:
        return False
    others = select(func.count()).where(
        Reservation.staff_uid == found.staff_uid,
        Reservation.reservation_type_id == found.reservation_type_id,
        Reservation.period_key == found.period_key,
        Reservation.id != found.id,
        Reservation.canceled_at.is_(None),
        Reservation.frees_year == 0,
        ~hold_ran_out(tx.now),
    )
    return bool(tx.scalar(others) >= found.limit_per_year)


def _audited(attendance: str | None, *, frees: bool) -> dict[str, Any]:
    """Only a freed absence says so, so that the rows of all others stay as short as they were."""
    return {"attendance": attendance, "frees_year": True} if frees else {"attendance": attendance}


def receive(tx: Tx, code: str, secret: str, actor: str) -> int:
    """Note that the person with this code came, and return the reservation."""
    reservation_id = reservation_of(secret, code)
    if reservation_id is None:
        raise UnknownCode
    note_attendance(tx, reservation_id, "came", actor)
    return reservation_id
