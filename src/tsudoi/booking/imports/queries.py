from sqlalchemy import select

from tsudoi.booking.departments.queries import departments_by_code
from tsudoi.booking.imports.rules.judging import DepartmentState, ImportCandidate, JudgedRow, judge
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.db.interface import ReadTx


def judged_rows(tx: ReadTx, rows: list[ImportCandidate]) -> list[JudgedRow]:
    """What becomes of each row now. All staff ids are read at once: a hospital has some thousand."""
    sources = {row.staff_id: row.source for row in tx.execute(select(StaffAccount.staff_id, StaffAccount.source))}
    self_registered = {staff_id for staff_id, source in sources.items() if source == "self"}
    departments = {key: DepartmentState(row.id, row.active) for key, row in departments_by_code(tx).items()}
    return judge(rows, departments, sources.keys(), self_registered)
