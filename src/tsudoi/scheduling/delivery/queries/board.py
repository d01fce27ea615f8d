"""What became of the newest message to each person, for the board."""

from datetime import datetime

from sqlalchemy import func, select

from tsudoi.core.db.interface import ReadTx
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.delivery.rules.reporting import Delivery, delivery_of


def deliveries_of(tx: ReadTx, thread_id: str, until: datetime | None = None) -> dict[str, Delivery]:
    """By invitee key. `until`: only messages that had been decided by then."""
    message, mail = ThreadMessage, MailMessage
    newest = select(func.max(message.id)).where(message.thread_id == thread_id)
    if until is not None:
        newest = newest.where(message.created_at <= until)
    wanted = (
        select(
            *(message.invitee_key, message.type, message.channel, message.status, message.last_error),
            *(message.not_by_line, message.created_at, message.updated_at),
            *(mail.status.label("mail_status"), mail.last_error.label("mail_error"), mail.sent_at),
        )
        .outerjoin(mail, mail.id == message.mail_id)
        .where(message.id.in_(newest.group_by(message.invitee_key)))
    )
    return {row.invitee_key: delivery_of(row) for row in tx.execute(wanted)}
