"""Who has booked, came, did not come, has not booked yet: active staff only, because they are the ones to reach."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, case, func, select, tuple_

from tsudoi.booking.coverage.errors import NoSuchReservationType
from tsudoi.booking.coverage.rules import COLUMNS, cells, percent
from tsudoi.booking.coverage.schemas import (
    CoverageCounts,
    CoverageExport,
    CoveragePeople,
    CoveragePeopleFilters,
    CoveragePeopleListing,
    CoveragePerson,
    CoverageQuestion,
    CoverageReport,
    DepartmentCoverage,
)
from tsudoi.booking.departments.models import Department
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.reservations.queries.export import file_content
from tsudoi.booking.reservations.queries.holds import hold_ran_out, is_certain
from tsudoi.booking.slots.rules import period_key
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.booking.types.models import ReservationType
from tsudoi.core.clock import jst_date
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.line.friends.models import LineFriend

_PLACE = (StaffAccount.department_id, StaffAccount.staff_id)


def report(tx: ReadTx, asked: CoverageQuestion) -> CoverageReport:
    key = _period(tx, asked)
    people = people_of(asked.reservation_type_id, key, tx.now).subquery()
    counts = (
        func.count().label("staff"),
        func.sum(people.c.booked).label("booked"),
        func.sum(case((people.c.attendance == "came", 1), else_=0)).label("came"),
        func.sum(case((people.c.attendance == "absent", 1), else_=0)).label("absent"),
    )
    grouped = select(people.c.department_id, people.c.department_name, *counts)
    grouped = grouped.group_by(people.c.department_id, people.c.department_name).order_by(people.c.department_id)
    departments = [_department(row) for row in tx.execute(grouped)]
    return CoverageReport(period_key=key, totals=_totals(departments), departments=departments)


def people_page(tx: ReadTx, asked: CoveragePeopleListing) -> CoveragePeople:
    statement = _filtered(asked, _period(tx, asked), tx.now)
    if asked.cursor is not None:
        statement = statement.where(tuple_(*_PLACE) > tuple(decode_cursor(asked.cursor, str, str)))
    rows = tx.execute(statement.order_by(*_PLACE).limit(asked.limit + 1)).all()
    items = [_person(row) for row in rows[: asked.limit]]
    more = len(rows) > asked.limit
    return CoveragePeople(
        items=items, next_cursor=encode_cursor(items[-1].department_id, items[-1].staff_id) if more else None
    )


def people_file(tx: ReadTx, asked: CoverageExport) -> bytes:
    statement = _filtered(asked, _period(tx, asked), tx.now).order_by(*_PLACE)
    rows: Iterator[Any] = (cells(_person(row)) for row in tx.execute(statement))
    return file_content("受診状況", COLUMNS, rows, asked)


def _period(tx: ReadTx, asked: CoverageQuestion) -> str:
    known = select(ReservationType.id).where(ReservationType.id == asked.reservation_type_id)
    if tx.scalar(known) is None:
        raise NoSuchReservationType
    return asked.period_key or period_key(jst_date(tx.now))


def people_of(type_id: int, key: str, now: datetime) -> Select[*tuple[Any, ...]]:
    """One row for each active person. Somebody who came once counts as having come. A seat that is not paid for yet is
    not booked.
    """
    attendance = case(
        (func.max(case((Reservation.attendance == "came", 1), else_=0)) == 1, "came"),
        (func.max(case((Reservation.attendance == "absent", 1), else_=0)) == 1, "absent"),
        else_=None,
    )
    # Who did not come and may book again has come no further than who has not booked; the absence is shown beside it.
    certain = func.max(case((is_certain() & (Reservation.frees_year == 0), 1), else_=0))
    held = func.max(case((is_certain(), 0), else_=1))
    live = (
        select(
            Reservation.staff_uid,
            certain.label("certain"),
            held.label("held"),
            attendance.label("attendance"),
            func.max(Reservation.service_date_local).label("service_date_local"),
        )
        .where(
            Reservation.reservation_type_id == type_id,
            Reservation.period_key == key,
            Reservation.canceled_at.is_(None),
            ~hold_ran_out(now),
        )
        .group_by(Reservation.staff_uid)
        .subquery()
    )
    names = (
        StaffAccount.family_name,
        StaffAccount.given_name,
        StaffAccount.family_name_kana,
        StaffAccount.given_name_kana,
    )
    return (
        select(
            StaffAccount.staff_uid,
            StaffAccount.staff_id,
            *names,
            StaffAccount.department_id,
            Department.name.label("department_name"),
            StaffAccount.job_title,
            StaffAccount.line_user_id.is_not(None).label("line_linked"),
            case((LineFriend.following.is_(True), 1), else_=0).label("line_reachable"),
            case((live.c.certain == 1, 1), else_=0).label("booked"),
            case(((live.c.certain == 0) & (live.c.held == 1), 1), else_=0).label("held"),
            live.c.attendance,
            live.c.service_date_local,
        )
        .join(Department, Department.id == StaffAccount.department_id)
        .outerjoin(LineFriend, LineFriend.user_id == StaffAccount.line_user_id)
        .outerjoin(live, live.c.staff_uid == StaffAccount.staff_uid)
        .where(StaffAccount.status == "active")
    )


def _filtered(asked: CoveragePeopleFilters, key: str, now: datetime) -> Select[*tuple[Any, ...]]:
    statement = people_of(asked.reservation_type_id, key, now)
    columns = statement.selected_columns
    states: dict[str, ColumnElement[bool]] = {
        "booked": columns.booked == 1,
        "notBooked": columns.booked == 0,
        "came": columns.attendance == "came",
        "absent": columns.attendance == "absent",
    }
    if asked.state is not None:
        statement = statement.where(states[asked.state])
    return (
        statement if asked.department_id is None else statement.where(StaffAccount.department_id == asked.department_id)
    )


def _person(row: Row[Any]) -> CoveragePerson:
    kana = (row.family_name_kana or "") + (row.given_name_kana or "")
    names = {"full_name": row.family_name + row.given_name, "full_name_kana": kana or None}
    return CoveragePerson.model_validate({**row._mapping, **names})  # noqa: SLF001 (the public name of a row's dict)


def _department(row: Row[Any]) -> DepartmentCoverage:
    return DepartmentCoverage(
        department_id=row.department_id,
        name=row.department_name,
        staff=row.staff,
        booked=row.booked,
        came=row.came,
        absent=row.absent,
        not_booked=row.staff - row.booked,
        percent_booked=percent(row.booked, row.staff),
        percent_came=percent(row.came, row.staff),
    )


def _totals(departments: list[DepartmentCoverage]) -> CoverageCounts:
    names = CoverageCounts.model_fields
    return CoverageCounts(**{name: sum(getattr(one, name) for one in departments) for name in names})
