"""Notifications: notices about reservations by LINE, as jobs in the database (document 002), and mails.

No sender of notices is registered: the command sends them, and the request that made a job tries it once. The worker
sends mails only.
"""

from datetime import timedelta

from tsudoi.access.registration import AuditSubject, Clockwork, Context, Sender, Tag, in_batches
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.mail import MailClient, MailConfig
from tsudoi.gateway.http import HttpGateway
from tsudoi.notifications.fallback.jobs import is_still_true, write_due_mails
from tsudoi.notifications.fallback.rules import RESERVATION
from tsudoi.notifications.health import gauges, red_light
from tsudoi.notifications.mails.jobs import MailSender, MailServerWatch, drain
from tsudoi.notifications.mails.service import MAILS, forget_old_texts
from tsudoi.notifications.notices.queries import promised_messages
from tsudoi.notifications.notices.service.settling import forget_notice_texts
from tsudoi.notifications.pause import endpoints as pause
from tsudoi.notifications.person_records.queries import MEMBER_MAIL_CHECKS
from tsudoi.notifications.person_records.service import MAIL_TABLES
from tsudoi.notifications.templates import endpoints as templates


def _mail_client(runtime: Runtime) -> MailClient:
    return MailClient(MailConfig.of(runtime.settings), runtime.db, reports=runtime.part(HttpGateway).reports)


CONTEXT = Context(
    name="notifications",
    optional=False,
    routers=(templates.router, pause.router),
    tags=(Tag("notifications", "Notices about reservations: what was sent, what was not, and why."),),
    parts=(_mail_client, MailSender, MailServerWatch),
    outboxes={"mail_messages": MAILS},
    senders=(Sender("notice_mails", write_due_mails), Sender("mails", drain)),
    mail_checks={RESERVATION: is_still_true},
    promised_messages=promised_messages,
    drift_checks=MEMBER_MAIL_CHECKS,
    person_tables=MAIL_TABLES,
    clockwork=(
        Clockwork(
            "forget_mail_texts",
            timedelta(hours=6),
            in_batches(forget_old_texts, lambda settings: settings.keep_message_texts_days),
        ),
        Clockwork(
            "forget_notice_texts",
            timedelta(hours=6),
            in_batches(forget_notice_texts, lambda settings: settings.keep_message_texts_days),
        ),
    ),
    health_checks={"notices": red_light},
    gauges=gauges,
    audit_actions={
        "通知": {
            "notification.resend": "通知を再送",
            "NOTICE_TEMPLATE": "通知の文面を変更",
            "NOTICE_PAUSE": "通知を停止",
            "NOTICE_RESUME": "通知を再開",
        }
    },
    audit_subjects={"notice_template": AuditSubject("通知の文面"), "notices": AuditSubject("通知")},
    audit_fields={"body": "本文", "kind": "通知の種類", "job_id": "通知の番号"},
)
