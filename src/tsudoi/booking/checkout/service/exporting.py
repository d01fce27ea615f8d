from tsudoi.booking.checkout.schemas import PaymentExport
from tsudoi.core import audit
from tsudoi.core.db.interface import Tx


def note_export(tx: Tx, asked: PaymentExport, actor: str) -> None:
    """The file contains names, so that the audit trail says who took it."""
    new = asked.model_dump(exclude_none=True, exclude_defaults=True, exclude={"q"}) | {"file": asked.format}
    audit.record(tx, actor, "PAYMENT_EXPORT", "payment:*", new=new)
