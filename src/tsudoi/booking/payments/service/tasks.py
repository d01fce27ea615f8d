"""Writes what Stripe has to do about payments. The worker calls Stripe (`checkout/jobs/tasks.py`)."""

from tsudoi.booking.payments.models import PaymentTask
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.outbox.table import Outbox

# Stripe knows the key of a task that it has done already, so that none of them is dropped.
TASKS = Outbox(PaymentTask.metadata.tables["payment_tasks"], dropped=None)

# At most one of each kind for a payment; a second one changes nothing. The key comes from the payment's own, which is
# random: ids start again in a database that was set up anew, and Stripe would take the request for an older one.
_INSERT = """INSERT INTO payment_tasks
        (payment_id, kind, amount_jpy, reason, requested_by, idempotency_key, due_at, created_at, updated_at)
    SELECT p.id, '{kind}', {amount}, :reason, :by, p.idempotency_key || '-{suffix}', :now, :now, :now
    FROM payments p WHERE {which}
    ON CONFLICT (payment_id, kind) DO NOTHING"""
_PAID = "p.reservation_id = :reservation_id AND p.status = 'PAID'"
_UNPAID = "p.reservation_id = :reservation_id AND p.status IN ('CREATING', 'OPEN')"
_REFUND = RawSql(_INSERT.format(kind="REFUND", amount="p.amount_jpy", suffix="refund", which=_PAID))
_REFUND_ONE = RawSql(
    _INSERT.format(
        kind="REFUND", amount="p.amount_jpy", suffix="refund", which="p.id = :payment_id AND p.status = 'PAID'"
    )
)
_EXPIRE = RawSql(_INSERT.format(kind="EXPIRE", amount="NULL", suffix="expire", which=_UNPAID))


def refund_all(tx: Tx, reservation_id: int, by: str, reason: str) -> bool:
    """Pay back what was paid for a reservation. Returns whether there was anything to pay back."""
    given = {"reservation_id": reservation_id, "by": by, "reason": reason, "now": utc_text(tx.now)}
    return bool(_REFUND.changed(tx, given))


def refund_one(tx: Tx, payment_id: int, by: str, reason: str) -> bool:
    """Pay one payment back. False if it is not paid, or is paid back already."""
    given = {"payment_id": payment_id, "by": by, "reason": reason, "now": utc_text(tx.now)}
    return bool(_REFUND_ONE.changed(tx, given))


def close_pages(tx: Tx, reservation_id: int, by: str, reason: str) -> None:
    """Close the payment pages that are open, because a payment there would come too late."""
    given = {"reservation_id": reservation_id, "by": by, "reason": reason, "now": utc_text(tx.now)}
    _EXPIRE.changed(tx, given)
