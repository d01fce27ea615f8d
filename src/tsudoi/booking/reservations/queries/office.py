"""Reservations as the office sees and exports them."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, or_, tuple_

from tsudoi.booking.departments.models import Department
from tsudoi.booking.payments.schemas import PaymentItem
from tsudoi.booking.reservations.errors import NoSuchReservation
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.reservations.queries.holds import hold_ran_out, is_certain
from tsudoi.booking.reservations.queries.reservations import cursor_after, item_values, payments_of_rows, with_slot
from tsudoi.booking.reservations.schemas import (
    OfficeReservation,
    OfficeReservationPage,
    ReservationFilters,
    ReservationListing,
)
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.pages import decode_cursor
from tsudoi.roster.members.rules import search_key

_PLACE = (Reservation.service_date_local, Reservation.start_minute_of_day, Reservation.id)


def office_page(tx: ReadTx, asked: ReservationListing) -> OfficeReservationPage:
    """By day and time."""
    statement, limit = _filtered(asked, tx.now), asked.limit
    if asked.cursor is not None:
        statement = statement.where(tuple_(*_PLACE) > tuple(decode_cursor(asked.cursor, str, int, int)))
    rows = tx.execute(statement.order_by(*_PLACE).limit(limit + 1)).all()
    paid = payments_of_rows(tx, rows)
    items = [_item(row, tx.now, paid.get(row.id)) for row in rows[:limit]]
    return OfficeReservationPage(items=items, next_cursor=cursor_after(items) if len(rows) > limit else None)


def office_reservation(tx: ReadTx, reservation_id: int) -> OfficeReservation:
    found = tx.execute(_with_person().where(Reservation.id == reservation_id)).one_or_none()
    if found is None:
        raise NoSuchReservation
    return _item(found, tx.now, payments_of_rows(tx, [found]).get(reservation_id))


def office_rows(tx: ReadTx, filters: ReservationFilters) -> Iterator[Row[Any]]:
    """All of them, for an export."""
    yield from tx.execute(_filtered(filters, tx.now).order_by(*_PLACE)).yield_per(1000)


def _item(row: Row[Any], now: datetime, payment: PaymentItem | None) -> OfficeReservation:
    """The office sees the payment, but not the page on which the person pays."""
    kana = "".join(part for part in (row.family_name_kana, row.given_name_kana) if part)
    name = row.family_name + row.given_name
    shown = None if payment is None else payment.model_copy(update={"checkout_url": None})
    values = {**item_values(row, now, shown), "full_name": name, "full_name_kana": kana or None}
    return OfficeReservation.model_validate({**values, "department_id": row.person_department_id})


def _with_person() -> Select[*tuple[Any, ...]]:
    person = (
        StaffAccount.family_name,
        StaffAccount.given_name,
        StaffAccount.family_name_kana,
        StaffAccount.given_name_kana,
        StaffAccount.job_title,
    )
    medical = (StaffAccount.emr_patient_id, StaffAccount.date_of_birth, StaffAccount.sex_code)
    department = (StaffAccount.department_id.label("person_department_id"), Department.name.label("department_name"))
    return with_slot(*person, *medical, *department).join(Department, Department.id == StaffAccount.department_id)


def _in_state(state: str, now: datetime) -> ColumnElement[bool]:
    """A hold that ran out counts as cancelled, also if the clockwork has not given the seat back yet."""
    ran_out = hold_ran_out(now)
    live = Reservation.canceled_at.is_(None) & ~ran_out
    states = {
        "live": live,
        "held": live & ~is_certain(),
        "canceled": Reservation.canceled_at.is_not(None) | ran_out,
        "came": live & (Reservation.attendance == "came"),
        "absent": live & (Reservation.attendance == "absent"),
    }
    return states[state]


def _filtered(filters: ReservationFilters, now: datetime) -> Select[*tuple[Any, ...]]:
    equal = {
        Reservation.slot_id: filters.slot_id,
        Reservation.staff_uid: filters.staff_uid,
        Reservation.reservation_type_id: filters.reservation_type_id,
        StaffAccount.department_id: filters.department_id,
    }
    statement = _with_person().where(*(column == value for column, value in equal.items() if value is not None))
    if filters.first_day is not None:
        statement = statement.where(Reservation.service_date_local >= filters.first_day)
    if filters.last_day is not None:
        statement = statement.where(Reservation.service_date_local <= filters.last_day)
    if filters.state is not None:
        statement = statement.where(_in_state(filters.state, now))
    return statement.where(named(filters.q)) if filters.q.strip() else statement


def named(search: str) -> ColumnElement[bool]:
    """By name, reading or number. A row that was written by hand has no search text, and is found by its own words."""
    words = "".join(search.split())
    return or_(
        StaffAccount.search_text.contains(search_key(search) or words, autoescape=True),
        StaffAccount.staff_id.contains(words, autoescape=True),
        (StaffAccount.family_name + StaffAccount.given_name).contains(words, autoescape=True),
    )
