from sqlalchemy import delete, insert, update
from sqlalchemy.exc import IntegrityError

from tsudoi.booking.departments.errors import DepartmentInUse, DepartmentTaken
from tsudoi.booking.departments.models import Department
from tsudoi.booking.departments.queries import department_of, departments_by_code
from tsudoi.booking.departments.rules import folded
from tsudoi.booking.departments.schemas import DepartmentChange, NewDepartment
from tsudoi.core import audit
from tsudoi.core.db.interface import Tx


def create_department(tx: Tx, new: NewDepartment, actor: str) -> None:
    existing = departments_by_code(tx).get(folded(new.id))
    if existing is not None:
        raise DepartmentTaken(existing.id)
    values = {"id": new.id, "name": new.name, "folded_id": folded(new.id), "created_at": tx.now, "updated_at": tx.now}
    try:
        # Two people may create the same code at the same time; the unique index decides.
        with tx.connection.begin_nested():
            tx.execute(insert(Department).values(**values))
    except IntegrityError as taken:
        raise DepartmentTaken(new.id) from taken
    audit.record(tx, actor, "DEPARTMENT_CREATE", f"department:{new.id}", new={"name": new.name})


def change_department(tx: Tx, code: str, change: DepartmentChange, actor: str) -> None:
    before = department_of(tx, code)
    values = change.model_dump(exclude_unset=True)
    old = {field: getattr(before, field) for field in values}
    if old == values:
        return
    stored = {**values, "active": int(values.get("active", before.active)), "updated_at": tx.now}
    tx.execute(update(Department).where(Department.id == before.id).values(**stored))
    audit.record(tx, actor, "DEPARTMENT_CHANGE", f"department:{before.id}", old=old, new=values)


def delete_department(tx: Tx, code: str, actor: str) -> None:
    """Delete a department that nothing refers to. The foreign keys decide, so that no table can be forgotten."""
    before = department_of(tx, code)
    try:
        with tx.connection.begin_nested():
            tx.execute(delete(Department).where(Department.id == before.id))
    except IntegrityError as used:
        raise DepartmentInUse from used
    audit.record(tx, actor, "DEPARTMENT_DELETE", f"department:{before.id}", old={"name": before.name})
