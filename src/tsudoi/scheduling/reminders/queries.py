from sqlalchemy import exists, or_, select

from tsudoi.core.clock import jst_date
from tsudoi.core.db.interface import ReadTx
from tsudoi.notifications.mails.models import MailMessage
from tsudoi.scheduling.delivery.models import ThreadMessage
from tsudoi.scheduling.reminders.rules import ReminderHistory

# The states of a mail that certainly did not arrive.
_NOT_ARRIVED = ("FAILED", "CALLED_OFF")


def reminder_history(tx: ReadTx, thread_id: str) -> ReminderHistory:
    row = ThreadMessage
    mail_failed = exists().where(MailMessage.id == row.mail_id, MailMessage.status.in_(_NOT_ARRIVED))
    not_arrived = or_(row.status.in_(("FAILED", "CALL", "CALLED_OFF")), mail_failed)
    own = select(row.invitee_key).where(row.thread_id == thread_id)
    arrived = set(tx.execute(own.where(~not_arrived)).scalars())
    tried = set(tx.execute(own.where(not_arrived)).scalars())
    today = own.where(row.reminder_day == jst_date(tx.now), ~mail_failed)
    return ReminderHistory(frozenset(tried - arrived), frozenset(tx.execute(today).scalars()))
