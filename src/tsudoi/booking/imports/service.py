import uuid
from datetime import datetime

import orjson

from tsudoi.booking.accounts.rules import initial_pin_columns
from tsudoi.booking.departments import service as departments
from tsudoi.booking.departments.schemas import NewDepartment
from tsudoi.booking.imports.errors import StaffAddedMeanwhile
from tsudoi.booking.imports.queries import judged_rows
from tsudoi.booking.imports.rules.csv_file import CsvFile
from tsudoi.booking.imports.rules.judging import ImportCandidate, JudgedRow
from tsudoi.booking.imports.schemas import ImportResult, preview
from tsudoi.core import audit
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql


def apply(
    tx: Tx, file: CsvFile, rows: list[ImportCandidate], pin_hash: str, actor: str, *, create_departments: bool = False
) -> ImportResult:
    """Create everybody who can be created, in one transaction. They share one hash of the initial PIN.

    `create_departments`: create first the departments that nobody knows and that somebody needs.
    """
    judged = judged_rows(tx, rows, create_departments)
    batch = str(uuid.uuid4())
    new = [NewDepartment(id=one.code, name=one.name) for one in judged.missing_departments if create_departments]
    departments.insert_departments(tx, new)
    _create(tx, [one for one in judged.rows if one.status == "created"], pin_hash, batch)
    seen = preview(file, judged)
    counts = seen.summary.model_dump(by_alias=False, exclude={"warnings"})
    if new:
        counts["departments_created"] = len(new)
    departments.record_created(tx, new, actor)
    audit.record(tx, actor, "STAFF_IMPORT", f"staffs:{batch}", new={**counts, "import_batch_id": batch})
    return ImportResult(**dict(seen), import_batch_id=batch)


def _create(tx: Tx, judged: list[JudgedRow], pin_hash: str, batch: str) -> None:
    people = [
        {**one.candidate.person, "staff_uid": str(uuid.uuid4()), "department_id": one.department_id} for one in judged
    ]
    columns = {**initial_pin_columns(pin_hash, tx.now), "created_at": tx.now}
    same = {name: utc_text(value) if isinstance(value, datetime) else value for name, value in columns.items()}
    given = {**same, "import_batch_id": batch, "people": orjson.dumps(people).decode()}
    # On PostgreSQL somebody may register one of these ids between our reading and our writing.
    if _INSERT[tx.dialect].changed(tx, given) != len(people):
        raise StaffAddedMeanwhile


def _insert(source: str) -> RawSql:
    """One statement for everybody: ten thousand single inserts take several times as long."""
    return RawSql(
        f"""INSERT INTO staffs (pin_hash, pin_version, pin_updated_at, pin_must_change, pin_retry_count,
            pin_locked_until, activate_until, updated_at, created_at, source, import_batch_id, staff_uid, staff_id,
            department_id, family_name, given_name, family_name_kana, given_name_kana, job_title, email, search_text)
        SELECT :pin_hash, :pin_version, :pin_updated_at, :pin_must_change, :pin_retry_count,
            :pin_locked_until, :activate_until, :updated_at, :created_at, 'import', :import_batch_id,
            people.value ->> 'staff_uid', people.value ->> 'staff_id', people.value ->> 'department_id',
            people.value ->> 'family_name', people.value ->> 'given_name', people.value ->> 'family_name_kana',
            people.value ->> 'given_name_kana', people.value ->> 'job_title', people.value ->> 'email',
            people.value ->> 'search_text'
        FROM {source} WHERE true
        ON CONFLICT (staff_id) DO NOTHING"""  # noqa: S608 (the source is one of the two below)
    )


# SQLite needs `WHERE true`, because it would read the ON of `ON CONFLICT` as part of a join.
_INSERT = {
    "sqlite": _insert("json_each(:people) AS people"),
    "postgresql": _insert("json_array_elements(CAST(:people AS json)) AS people(value)"),
}
