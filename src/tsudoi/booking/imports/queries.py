from sqlalchemy import select

from tsudoi.booking.departments.queries import departments_by_code
from tsudoi.booking.imports.rules.judging import DepartmentState, ImportCandidate, JudgedFile, judge
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.db.interface import ReadTx


def judged_rows(tx: ReadTx, rows: list[ImportCandidate], create_departments: bool) -> JudgedFile:
    """What becomes of each row now. All staff ids are read at once: a hospital has some thousand."""
    sources = {row.staff_id: row.source for row in tx.execute(select(StaffAccount.staff_id, StaffAccount.source))}
    self_registered = {staff_id for staff_id, source in sources.items() if source == "self"}
    departments = [DepartmentState(row.id, row.active, row.name) for row in departments_by_code(tx).values()]
    return judge(rows, departments, sources.keys(), self_registered, create_departments=create_departments)
