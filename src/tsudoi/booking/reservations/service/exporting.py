from tsudoi.booking.reservations.schemas import ReservationExport
from tsudoi.core import audit
from tsudoi.core.db.interface import Tx


def note_export(tx: Tx, asked: ReservationExport, actor: str) -> None:
    """The file contains personal data, so that the audit trail says who took which part of it."""
    new = asked.model_dump(exclude_none=True, exclude_defaults=True, exclude={"q"}) | {"file": asked.format}
    audit.record(tx, actor, "RESERVATION_EXPORT", "reservation:*", new=new)
