from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from tsudoi.booking.departments.errors import NoSuchDepartment, WrongDepartment
from tsudoi.booking.departments.models import Department
from tsudoi.booking.departments.rules import folded
from tsudoi.booking.departments.schemas import DepartmentChoice, DepartmentChoices, DepartmentItem, DepartmentPage
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.pages import decode_cursor, encode_cursor
from tsudoi.roster.members.rules import search_key

# As SQL, because the tables of staff refer to this noun and not the other way round.
_STAFF_COUNTS = RawSql("SELECT department_id, count(*) FROM staffs WHERE status <> 'left' GROUP BY department_id")


@dataclass(frozen=True, slots=True)
class DepartmentRow:
    """A department as it is stored."""

    id: str
    name: str
    active: bool
    created_at: datetime
    updated_at: datetime


def departments_by_code(tx: ReadTx) -> dict[str, DepartmentRow]:
    """All departments, by folded code, in the order of their codes.

    A hospital has at most some hundred departments, so reading all of them is cheaper than to fold codes in SQL, and it
    finds rows that were written by hand too.
    """
    table = Department
    found = tx.execute(select(table.id, table.name, table.active, table.created_at, table.updated_at))
    rows = [DepartmentRow(row.id, row.name, bool(row.active), row.created_at, row.updated_at) for row in found]
    return {folded(row.id): row for row in sorted(rows, key=lambda row: row.id)}


def department_of(tx: ReadTx, code: str) -> DepartmentRow:
    row = departments_by_code(tx).get(folded(code))
    if row is None:
        raise NoSuchDepartment
    return row


def department_to_choose(tx: ReadTx, code: str, current: str | None = None) -> str:
    """The stored spelling of a chosen code. `current`: where the person is now, which may be inactive."""
    row = departments_by_code(tx).get(folded(code))
    if row is None:
        raise WrongDepartment("NOT_FOUND")
    if not row.active and row.id != current:
        raise WrongDepartment("INACTIVE")
    return row.id


def department_item(tx: ReadTx, code: str) -> DepartmentItem:
    row = department_of(tx, code)
    return _item(row, dict(_STAFF_COUNTS.all(tx, {})))


def department_page(tx: ReadTx, words: str, active: bool | None, limit: int, cursor: str | None) -> DepartmentPage:
    after = "" if cursor is None else str(decode_cursor(cursor, str)[0])
    key = search_key(words)
    rows = [
        row
        for row in departments_by_code(tx).values()
        if row.id > after and active in (None, row.active) and key in search_key(f"{row.id}|{row.name}")
    ]
    counts: dict[str, int] = dict(_STAFF_COUNTS.all(tx, {}))
    items = [_item(row, counts) for row in rows[:limit]]
    return DepartmentPage(items=items, next_cursor=encode_cursor(items[-1].id) if len(rows) > limit else None)


def department_choices(tx: ReadTx) -> DepartmentChoices:
    rows = departments_by_code(tx).values()
    return DepartmentChoices(items=[DepartmentChoice(id=row.id, name=row.name) for row in rows if row.active])


def _item(row: DepartmentRow, counts: dict[str, int]) -> DepartmentItem:
    return DepartmentItem(
        id=row.id,
        name=row.name,
        active=row.active,
        staff_count=counts.get(row.id, 0),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
