"""Places in waiting lists."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Select, func, select
from sqlalchemy.orm import aliased

from tsudoi.booking.reservations.models import Reservation, WaitingPlace
from tsudoi.booking.reservations.rules.deciding import promotion_until
from tsudoi.booking.reservations.schemas import OfficeWaitingItem, OfficeWaitingList, WaitingItem, WaitingPage
from tsudoi.booking.slots.errors import NoSuchSlot
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.booking.slots.rules import SlotState, begins_at
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.staffs.rules import full_name
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.clock import display
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.line.delivery.rules import LineState, line_state
from tsudoi.line.friends.models import LineFriend
from tsudoi.notifications.mails.queries import dead_addresses
from tsudoi.roster.telephone.service import WantedCall

# The kind of the calls to people who got a seat from the waiting list.
PROMOTED = "promoted"
_WHY_NOT_BY_LINE: dict[LineState, str] = {
    "unlinked": "LINEと連携していません",
    "notAdded": "公式アカウントを友だちに追加していません",
    "blocked": "公式アカウントをブロックしています",
}
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


def calls_for_promoted(tx: ReadTx, reservation_ids: Sequence[int]) -> list[WantedCall]:
    """Calls to those who got a seat from the waiting list and are told neither by LINE nor by mail."""
    if not reservation_ids:
        return []
    person, names = StaffAccount, (StaffAccount.family_name, StaffAccount.given_name)
    when = (Reservation.id, Reservation.service_date_local, Reservation.start_minute_of_day)
    wanted = (
        select(*when, *names, person.staff_uid, person.line_user_id, person.email, LineFriend.following)
        .add_columns(ReservationType.name.label("type_name"), ReservationType.mail_fallback)
        .join(person, person.staff_uid == Reservation.staff_uid)
        .join(ReservationType, ReservationType.id == Reservation.reservation_type_id)
        .outerjoin(LineFriend, LineFriend.user_id == person.line_user_id)
        .where(Reservation.id.in_(reservation_ids))
        .order_by(Reservation.id)
    )
    rows = [row for row in tx.execute(wanted) if line_state(row.line_user_id, row.following) != "reachable"]
    dead = dead_addresses(tx, {row.email for row in rows if row.email})
    by_mail = {row.id for row in rows if row.mail_fallback and row.email and row.email.lower() not in dead}
    return [_call(row) for row in rows if row.id not in by_mail]


def _call(row: Row[Any]) -> WantedCall:
    at = begins_at(row.service_date_local, row.start_minute_of_day)
    return WantedCall(
        kind=PROMOTED,
        subject_id=str(row.id),
        person_key=f"u:staff:{row.staff_uid}",
        ref=str(row.id),
        title=f"{row.type_name}（{display(at)}）",
        name=full_name(row.family_name, row.given_name),
        why=_WHY_NOT_BY_LINE[line_state(row.line_user_id, row.following)] + "。メールでも知らせられません",
        text=f"キャンセル待ちの「{row.type_name}」に空きが出て、{display(at)} の予約になりました。取り消しもできます。",
        until_at=at,
    )


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
