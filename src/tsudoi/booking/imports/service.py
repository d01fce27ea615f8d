import uuid

from sqlalchemy import func, select

from tsudoi.booking.accounts.rules import initial_pin_columns
from tsudoi.booking.imports.errors import StaffAddedMeanwhile
from tsudoi.booking.imports.queries import judged_rows
from tsudoi.booking.imports.rules.csv_file import CsvFile
from tsudoi.booking.imports.rules.judging import ImportCandidate, JudgedRow
from tsudoi.booking.imports.schemas import ImportResult, preview
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core import audit
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert


def apply(tx: Tx, file: CsvFile, rows: list[ImportCandidate], pin_hash: str, actor: str) -> ImportResult:
    """Create everybody who can be created, in one transaction. They share one hash of the initial PIN."""
    judged = judged_rows(tx, rows)
    batch = str(uuid.uuid4())
    _create(tx, [one for one in judged if one.status == "created"], pin_hash, batch)
    seen = preview(file, judged)
    counts = seen.summary.model_dump(by_alias=False, exclude={"warnings"})
    audit.record(tx, actor, "STAFF_IMPORT", f"staffs:{batch}", new={**counts, "import_batch_id": batch})
    return ImportResult(summary=seen.summary, rows=seen.rows, import_batch_id=batch)


def _create(tx: Tx, judged: list[JudgedRow], pin_hash: str, batch: str) -> None:
    same = {
        **initial_pin_columns(pin_hash, tx.now),
        "source": "import",
        "import_batch_id": batch,
        "created_at": tx.now,
    }
    people = [
        {**same, **one.candidate.person, "staff_uid": str(uuid.uuid4()), "department_id": one.department_id}
        for one in judged
    ]
    if not people:
        return
    # On PostgreSQL somebody may register one of these ids between our reading and our writing.
    tx.execute(upsert(tx, StaffAccount).on_conflict_do_nothing(index_elements=["staff_id"]), people)
    if tx.scalar(select(func.count()).where(StaffAccount.import_batch_id == batch)) != len(people):
        raise StaffAddedMeanwhile
