"""Places in waiting lists."""

from typing import Any

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import aliased

from tsudoi.booking.reservations.models import WaitingPlace
from tsudoi.booking.reservations.rules.deciding import promotion_until
from tsudoi.booking.reservations.schemas import OfficeWaitingItem, OfficeWaitingList, WaitingItem, WaitingPage
from tsudoi.booking.slots.errors import NoSuchSlot
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.booking.slots.rules import SlotState
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.pages import decode_cursor, encode_cursor

_LINE = RawSql("SELECT id, staff_uid FROM waiting_places WHERE slot_id = :slot_id AND ended_at IS NULL ORDER BY id")


def live_places(tx: ReadTx, slot_id: int) -> list[tuple[Any, ...]]:
    """The ids of the places and of the people, the first in line first."""
    return _LINE.all(tx, {"slot_id": slot_id})


def live_place_of(tx: ReadTx, staff_uid: str, slot_id: int) -> int | None:
    waiting = (WaitingPlace.staff_uid == staff_uid, WaitingPlace.slot_id == slot_id, WaitingPlace.ended_at.is_(None))
    found: int | None = tx.scalar(select(WaitingPlace.id).where(*waiting))
    return found


def late_places(tx: ReadTx, last_day: str) -> list[int]:
    """Live places for which no seat can be given any more, among the slots until a day."""
    rows = tx.execute(
        _with_slot().where(
            WaitingPlace.ended_at.is_(None),
            (ReservationSlot.service_date_local <= last_day) | (ReservationSlot.booking_end < tx.now),
        )
    )
    return [row.id for row in rows if tx.now > promotion_until(_state(row))]


def own_places(tx: ReadTx, staff_uid: str, limit: int, cursor: str | None) -> WaitingPage:
    """The newest first, with those that have ended."""
    statement = _with_slot().where(WaitingPlace.staff_uid == staff_uid)
    if cursor is not None:
        statement = statement.where(WaitingPlace.id < decode_cursor(cursor, int)[0])
    rows = tx.execute(statement.order_by(WaitingPlace.id.desc()).limit(limit + 1)).all()
    items = [WaitingItem.model_validate(_values(row)) for row in rows[:limit]]
    return WaitingPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


def own_place(tx: ReadTx, place_id: int) -> WaitingItem:
    return WaitingItem.model_validate(_values(tx.execute(_with_slot().where(WaitingPlace.id == place_id)).one()))


def line_of(tx: ReadTx, slot_id: int) -> OfficeWaitingList:
    """Everybody who waits for the slot, with those who were passed over."""
    if tx.scalar(select(ReservationSlot.id).where(ReservationSlot.id == slot_id)) is None:
        raise NoSuchSlot
    person = (
        StaffAccount.staff_id,
        StaffAccount.department_id,
        (StaffAccount.family_name + StaffAccount.given_name).label("full_name"),
    )
    statement = _with_slot(*person).join(StaffAccount, StaffAccount.staff_uid == WaitingPlace.staff_uid)
    live = (WaitingPlace.slot_id == slot_id, WaitingPlace.ended_at.is_(None))
    rows = tx.execute(statement.where(*live).order_by(WaitingPlace.id))
    return OfficeWaitingList(items=[OfficeWaitingItem.model_validate(_values(row)) for row in rows])


def _with_slot(*more: Any) -> Select[*tuple[Any, ...]]:
    ahead = aliased(WaitingPlace)
    position = (
        select(func.count())
        .where(ahead.slot_id == WaitingPlace.slot_id, ahead.ended_at.is_(None), ahead.id <= WaitingPlace.id)
        .scalar_subquery()
    )
    slot = ReservationSlot
    return (
        select(
            *WaitingPlace.__table__.c,
            slot.reservation_type_id,
            slot.service_date_local,
            slot.start_minute_of_day,
            slot.duration_minutes,
            slot.booking_end,
            ReservationType.name.label("reservation_type_name"),
            position.label("position"),
            *more,
        )
        .join(slot, slot.id == WaitingPlace.slot_id)
        .join(ReservationType, ReservationType.id == slot.reservation_type_id)
    )


def _values(row: Row[Any]) -> dict[str, Any]:
    position = row.position if row.ended_at is None else None
    return {**row._mapping, "position": position, "promotion_until": promotion_until(_state(row))}  # noqa: SLF001 (the public name of a row's dict)


def _state(row: Row[Any]) -> SlotState:
    """Only the times of the slot matter here."""
    return SlotState(
        type_active=True,
        status="published",
        service_date_local=row.service_date_local,
        start_minute_of_day=row.start_minute_of_day,
        booking_start=None,
        booking_end=row.booking_end,
        capacity=1,
        booked_count=0,
    )
