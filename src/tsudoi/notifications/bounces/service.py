"""Notes which mails came back. Nothing is ever answered."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, func, select, update

from tsudoi.core.db.interface import Database, ReadTx, Tx
from tsudoi.core.outbox.table import DONE, FAILED, UNKNOWN
from tsudoi.notifications.bounces.rules import MOST_MESSAGE_IDS, MOST_RECIPIENTS, DeliveryReport
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.notifications.mails.service import note_failure


def note_if_ours(db: Database, report: DeliveryReport) -> int:
    """Like `note_report`. Most messages name no mail of ours: a read finds that out, and holds up no other writer."""
    return db.write_now(note_report, report) if db.read_now(_returned, report) else 0


def note_report(tx: Tx, report: DeliveryReport) -> int:
    """Mark the mails of ours that the report is about as failed; returns how many. The same report counts once."""
    statuses = _statuses(report)
    noted = 0
    for row in _returned(tx, report):
        status = statuses[row.address]
        returned = (
            update(MailMessage)
            .where(MailMessage.id == row.id, MailMessage.status.in_((DONE, UNKNOWN)))
            .values(status=FAILED, last_error=f"550 {status} returned", updated_at=tx.now)
        )
        if tx.execute(returned).rowcount:
            note_failure(tx, row.address, status)
            noted += 1
    return noted


def _returned(tx: ReadTx, report: DeliveryReport) -> Sequence[Row[Any]]:
    """The mails of ours that the report names, and whose receivers it names too."""
    statuses = _statuses(report)
    address = func.lower(MailMessage.to_address).label("address")
    named = MailMessage.message_id.in_(report.message_ids[:MOST_MESSAGE_IDS])
    query = select(MailMessage.id, address).where(named, MailMessage.status.in_((DONE, UNKNOWN)))
    return [row for row in tx.execute(query.order_by(MailMessage.id)) if row.address in statuses]


def _statuses(report: DeliveryReport) -> dict[str, str]:
    return {one.address: one.status for one in reversed(report.failed[:MOST_RECIPIENTS])}
