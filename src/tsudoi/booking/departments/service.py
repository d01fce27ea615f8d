from collections.abc import Sequence

from sqlalchemy import delete, insert, update
from sqlalchemy.exc import IntegrityError

from tsudoi.booking.departments.errors import DepartmentInUse, DepartmentsAddedMeanwhile, DepartmentTaken
from tsudoi.booking.departments.models import Department
from tsudoi.booking.departments.queries import department_of, departments_by_code
from tsudoi.booking.departments.rules import folded
from tsudoi.booking.departments.schemas import DepartmentChange, NewDepartment
from tsudoi.core import audit
from tsudoi.core.audit import AuditEntryDraft
from tsudoi.core.db.interface import Tx


def create_department(tx: Tx, new: NewDepartment, actor: str) -> None:
    existing = departments_by_code(tx).get(folded(new.id))
    if existing is not None:
        raise DepartmentTaken(existing.id)
    try:
        _insert(tx, [new])
    except IntegrityError as taken:
        raise DepartmentTaken(new.id) from taken
    record_created(tx, [new], actor)


def insert_departments(tx: Tx, new: Sequence[NewDepartment]) -> None:
    """Several at once, of which this transaction has seen none. `record_created` comes last in the caller's verb."""
    if not new:
        return
    try:
        _insert(tx, new)
    except IntegrityError as taken:
        raise DepartmentsAddedMeanwhile from taken


def record_created(tx: Tx, new: Sequence[NewDepartment], actor: str) -> None:
    drafts = [AuditEntryDraft("DEPARTMENT_CREATE", f"department:{one.id}", new={"name": one.name}) for one in new]
    audit.record_all(tx, actor, drafts)


def _insert(tx: Tx, new: Sequence[NewDepartment]) -> None:
    at = {"created_at": tx.now, "updated_at": tx.now}
    rows = [{"id": one.id, "name": one.name, "folded_id": folded(one.id), **at} for one in new]
    # Two people may create the same code at the same time; the unique index decides.
    with tx.connection.begin_nested():
        tx.execute(insert(Department), rows)


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
