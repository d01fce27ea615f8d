from typing import Any

from sqlalchemy import Row

from tsudoi.core.db.interface import Tx
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.mail import MailClient
from tsudoi.notifications.fallback import queries, service
from tsudoi.notifications.notices.service.reading import NoticeReader


def write_due_mails(runtime: Runtime) -> int:
    """A step of the worker: write mails in place of notices. The sender of mails sends them.

    A dry run writes nothing at all, so that it writes no mails either.
    """
    reader = runtime.find(NoticeReader)
    if reader is None or runtime.settings.notification_cron_dry_run or not runtime.db.read_now(queries.has_unheard):
        return 0
    mail_is_on = runtime.part(MailClient).config is not None
    return runtime.db.write_now(service.write_mails, reader, runtime.settings.mail_host, mail_is_on=mail_is_on)


def is_still_true(runtime: Runtime, tx: Tx, mail: Row[Any]) -> bool | None:
    """The check that the sender of mails makes right before it sends the content of one."""
    return service.still_true(tx, runtime.find(NoticeReader), mail)
