from tsudoi.booking.coverage.schemas import CoverageExport
from tsudoi.core import audit
from tsudoi.core.db.interface import Tx


def note_export(tx: Tx, asked: CoverageExport, actor: str) -> None:
    """The file contains names, so that the audit trail says who took it."""
    new = asked.model_dump(exclude_none=True, exclude_defaults=True) | {"file": asked.format}
    audit.record(tx, actor, "STAFF_EXPORT", f"reservation_type:{asked.reservation_type_id}", new=new)
