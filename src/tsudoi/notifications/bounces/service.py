"""Notes which mails came back. Nothing is ever answered."""

from sqlalchemy import func, update

from tsudoi.core.db.interface import Tx
from tsudoi.core.outbox.table import DONE, FAILED, UNKNOWN
from tsudoi.notifications.bounces.rules import DeliveryReport
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.notifications.mails.service import note_failure


def note_report(tx: Tx, report: DeliveryReport) -> int:
    """Mark the mails of ours that the report is about as failed; returns how many. The same report counts once."""
    noted = 0
    for one in report.failed:
        returned = (
            update(MailMessage)
            .where(MailMessage.message_id.in_(report.message_ids), func.lower(MailMessage.to_address) == one.address)
            .where(MailMessage.status.in_((DONE, UNKNOWN)))
            .values(status=FAILED, last_error=f"550 {one.status} returned", updated_at=tx.now)
        )
        if tx.execute(returned).rowcount:
            note_failure(tx, one.address, one.status)
            noted += 1
    return noted
