"""Notifications: notices about reservations by LINE, as jobs in the database (document 002), and mails."""

from tsudoi.access.registration import Context, Sender, Tag
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.mail import MailClient, MailConfig
from tsudoi.notifications.mails.jobs import MailSender, drain
from tsudoi.notifications.mails.service import MAILS


def _mail_client(runtime: Runtime) -> MailClient:
    return MailClient(MailConfig.of(runtime.settings), runtime.db)


CONTEXT = Context(
    name="notifications",
    optional=False,
    tags=(Tag("notifications", "Notices about reservations: what was sent, what was not, and why."),),
    parts=(_mail_client, MailSender),
    outboxes={"mail_messages": MAILS},
    senders=(Sender("mails", drain),),
)
