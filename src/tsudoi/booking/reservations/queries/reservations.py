"""Reservations as their owners see them, and one reservation as the verbs read it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import starmap
from typing import Any

from sqlalchemy import Row, Select, func, select, tuple_

from tsudoi.booking.payments.queries.shown import payments_of
from tsudoi.booking.payments.rules.terms import refund_until
from tsudoi.booking.payments.schemas import PaymentItem
from tsudoi.booking.reservations.errors import NoSuchReservation
from tsudoi.booking.reservations.models import HOLD_EXPIRED, Reservation
from tsudoi.booking.reservations.rules.deciding import cancelable_until
from tsudoi.booking.reservations.rules.links import calendar_key
from tsudoi.booking.reservations.schemas import ReservationItem, ReservationPage
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.booking.slots.rules import begins_at
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.clock import jst_date, parse_utc
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.core.tokens import same
from tsudoi.notifications.notices.rules.making import Appointment

_STORED = """SELECT r.id, r.staff_uid, r.slot_id, r.reservation_type_id, r.service_date_local, r.start_minute_of_day,
        r.canceled_at, r.attendance, t.cancel_until_hours, r.revision, r.confirmed_at, r.hold_expires_at, r.price_jpy,
        r.cancel_reason, t.refund_until_hours,
        EXISTS (SELECT 1 FROM staffs p WHERE p.staff_uid = r.staff_uid AND p.line_user_id IS NOT NULL)
    FROM reservations r JOIN reservation_types t ON t.id = r.reservation_type_id"""
_ONE = RawSql(f"{_STORED} WHERE r.id = :id")
_AHEAD = f"{_STORED} WHERE r.staff_uid = :staff_uid AND r.canceled_at IS NULL AND r.service_date_local >= :today"
_UPCOMING = RawSql(f"{_AHEAD} ORDER BY r.slot_id")
_LOCKED = {
    "sqlite": RawSql(f"{_AHEAD} ORDER BY r.id"),
    "postgresql": RawSql(f"{_AHEAD} ORDER BY r.id FOR NO KEY UPDATE OF r"),
}
_STAFF = RawSql("SELECT 1 FROM staffs WHERE staff_uid = :staff_uid")


@dataclass(frozen=True, slots=True)
class StoredReservation:
    """A reservation as it is stored, with what decides whether its owner may change it."""

    id: int
    staff_uid: str
    slot_id: int
    type_id: int
    service_date_local: str
    start_minute_of_day: int
    # As it is stored: only whether there is a time matters.
    canceled_at: str | None
    attendance: str | None
    cancel_until_hours: int
    revision: int
    confirmed_at: str | None
    hold_expires_at: str | None
    price_jpy: int | None
    cancel_reason: str | None
    refund_until_hours: int | None
    linked: int

    @property
    def appointment(self) -> Appointment:
        return Appointment(self.id, self.revision, self.begins_at, linked=bool(self.linked))

    @property
    def is_confirmed(self) -> bool:
        """Whether the seat was ever certain. A row that was written by hand has neither time, and is."""
        return self.confirmed_at is not None or self.hold_expires_at is None

    def ran_out(self, now: datetime) -> bool:
        """Whether the time to pay is over, and the seat is given back or will be within a minute."""
        over = self.hold_expires_at is not None and parse_utc(self.hold_expires_at) <= now
        return not self.is_confirmed and (self.cancel_reason == HOLD_EXPIRED or (self.canceled_at is None and over))

    @property
    def begins_at(self) -> datetime:
        return begins_at(self.service_date_local, self.start_minute_of_day)

    @property
    def cancelable_until(self) -> datetime:
        return cancelable_until(self.service_date_local, self.start_minute_of_day, self.cancel_until_hours)


def reservation_of(tx: ReadTx, reservation_id: int) -> StoredReservation | None:
    found = _ONE.first(tx, {"id": reservation_id})
    return None if found is None else StoredReservation(*found)


def upcoming_of(tx: ReadTx, staff_uid: str) -> list[StoredReservation]:
    """The person's live reservations that have not begun, by slot."""
    return _upcoming(tx, _UPCOMING, staff_uid)


def locked_upcoming_of(tx: Tx, staff_uid: str) -> list[StoredReservation]:
    """The same by id, locked until the commit. Their slots are not locked, so that no seat may be freed or taken."""
    return _upcoming(tx, _LOCKED[tx.dialect], staff_uid)


def _upcoming(tx: ReadTx, statement: RawSql, staff_uid: str) -> list[StoredReservation]:
    rows = statement.all(tx, {"staff_uid": staff_uid, "today": jst_date(tx.now)})
    return [found for found in starmap(StoredReservation, rows) if found.begins_at > tx.now]


def staff_exists(tx: ReadTx, staff_uid: str) -> bool:
    return _STAFF.first(tx, {"staff_uid": staff_uid}) is not None


def with_slot(*more: Any) -> Select[*tuple[Any, ...]]:
    """Every column of a reservation, what its item shows of its slot and type, and further columns."""
    return (
        select(
            *Reservation.__table__.c,
            ReservationType.name.label("reservation_type_name"),
            ReservationType.description.label("type_description"),
            ReservationType.cancel_until_hours,
            ReservationType.refund_until_hours,
            ReservationType.place,
            func.coalesce(ReservationSlot.notes, "").label("notes"),
            *more,
        )
        .join(ReservationSlot, ReservationSlot.id == Reservation.slot_id)
        .join(ReservationType, ReservationType.id == Reservation.reservation_type_id)
        .join(StaffAccount, StaffAccount.staff_uid == Reservation.staff_uid)
    )


def payments_of_rows(tx: ReadTx, rows: Sequence[Row[Any]]) -> dict[int, PaymentItem]:
    """The payments of those reservations that have a price."""
    return payments_of(tx, [row.id for row in rows if row.price_jpy is not None])


def item_values(row: Row[Any], now: datetime, payment: PaymentItem | None) -> dict[str, Any]:
    day, start = row.service_date_local, row.start_minute_of_day
    refunded = None if row.price_jpy is None else refund_until(row.refund_until_hours, begins_at(day, start))
    return {
        **row._mapping,  # noqa: SLF001 (the public name of a row's dict)
        "cancelable_until": cancelable_until(day, start, row.cancel_until_hours),
        "hold_expired": hold_expired(row, now),
        "refund_until": refunded,
        "payment": payment,
    }


def hold_expired(row: Row[Any], now: datetime) -> bool:
    """Whether the seat was not paid for in time. The clockwork may not have given it back yet."""
    if row.hold_expires_at is None or row.confirmed_at is not None:
        return False
    return bool(row.cancel_reason == HOLD_EXPIRED if row.canceled_at else row.hold_expires_at <= now)


def own_reservation(tx: ReadTx, reservation_id: int, staff_uid: str) -> ReservationItem:
    row = own_row(tx, reservation_id, staff_uid)
    payment = payments_of_rows(tx, [row]).get(row.id)
    return ReservationItem.model_validate(item_values(row, tx.now, payment))


def own_row(tx: ReadTx, reservation_id: int, staff_uid: str) -> Row[Any]:
    own = (Reservation.id == reservation_id, Reservation.staff_uid == staff_uid)
    found = tx.execute(with_slot().where(*own)).one_or_none()
    if found is None:
        raise NoSuchReservation
    return found


def owner_of(tx: ReadTx, reservation_id: int) -> str:
    found = reservation_of(tx, reservation_id)
    if found is None:
        raise NoSuchReservation
    return found.staff_uid


def owner_by_key(tx: ReadTx, reservation_id: int, key: str, secret: str) -> str:
    """The owner, if active and if the key is the present one. Somebody who has left or is suspended has no file."""
    staff_uid = owner_of(tx, reservation_id)
    owner = select(StaffAccount.calendar_renewals).where(StaffAccount.staff_uid == staff_uid)
    renewals = tx.scalar(owner.where(StaffAccount.status == "active"))
    if renewals is None or not same(key, calendar_key(secret, reservation_id, renewals)):
        raise NoSuchReservation
    return staff_uid


def own_calendar_key(tx: ReadTx, reservation_id: int, staff_uid: str, secret: str) -> str:
    """The present key of one's own reservation."""
    own_row(tx, reservation_id, staff_uid)
    renewals: int = tx.scalar(select(StaffAccount.calendar_renewals).where(StaffAccount.staff_uid == staff_uid))
    return calendar_key(secret, reservation_id, renewals)


def own_page(tx: ReadTx, staff_uid: str, limit: int, cursor: str | None) -> ReservationPage:
    """The latest day first, cancelled ones included."""
    place = (Reservation.service_date_local, Reservation.start_minute_of_day, Reservation.id)
    statement = with_slot().where(Reservation.staff_uid == staff_uid)
    if cursor is not None:
        statement = statement.where(tuple_(*place) < tuple(decode_cursor(cursor, str, int, int)))
    rows = tx.execute(statement.order_by(*(column.desc() for column in place)).limit(limit + 1)).all()
    paid = payments_of_rows(tx, rows)
    items = [ReservationItem.model_validate(item_values(row, tx.now, paid.get(row.id))) for row in rows[:limit]]
    return ReservationPage(items=items, next_cursor=cursor_after(items) if len(rows) > limit else None)


def cursor_after(items: list[Any]) -> str:
    last = items[-1]
    return encode_cursor(last.service_date_local, last.start_minute_of_day, last.id)
