"""Mails and notices to a person. That one was sent stays on record; to whom and what it said does not."""

from sqlalchemy import func

from tsudoi.core.outbox.table import IS_PENDING
from tsudoi.core.person_data import PersonTable
from tsudoi.notifications.mails.models import MailBounce, MailMessage
from tsudoi.notifications.mails.service import WITHOUT_CONTENT
from tsudoi.notifications.notices.models import NotificationJob

_SENDING = "送信を待っています。送り終わってからお試しください"

MAIL_TABLES = (
    PersonTable(
        MailMessage,
        "メール",
        lambda ids: func.lower(MailMessage.to_address).in_(ids.addresses),
        "blanked",
        lambda _now: WITHOUT_CONTENT,
        hidden=frozenset({"lease_token", "unsubscribe_url", "html"}),
        obstacle=lambda: MailMessage.status == IS_PENDING,
        obstacle_reason=_SENDING,
    ),
    PersonTable(MailBounce, "届かなかったメールアドレス", lambda ids: MailBounce.address.in_(ids.addresses), "deleted"),
    PersonTable(
        NotificationJob,
        "予約の通知",
        lambda ids: NotificationJob.line_user_id.in_(ids.line_user_ids),
        "blanked",
        lambda _now: {"line_user_id": None, "messages": None},
        hidden=frozenset({"lease_token", "retry_key"}),
        obstacle=lambda: NotificationJob.status == IS_PENDING,
        obstacle_reason=_SENDING,
    ),
)
