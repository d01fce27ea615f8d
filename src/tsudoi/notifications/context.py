"""Notifications: notices about reservations by LINE, as jobs in the database (document 002).

No sender is registered: the command sends, and the request that made a job tries it once. The worker never does.
"""

from tsudoi.access.registration import AuditSubject, Context, Tag
from tsudoi.notifications.health import gauges, red_light
from tsudoi.notifications.notices.queries import promised_messages
from tsudoi.notifications.pause import endpoints as pause
from tsudoi.notifications.templates import endpoints as templates

CONTEXT = Context(
    name="notifications",
    optional=False,
    routers=(templates.router, pause.router),
    tags=(Tag("notifications", "Notices about reservations: what was sent, what was not, and why."),),
    promised_messages=promised_messages,
    health_checks={"notices": red_light},
    gauges=gauges,
    audit_actions={
        "通知": {
            "NOTICE_TEMPLATE": "通知の文面を変更",
            "NOTICE_PAUSE": "通知を停止",
            "NOTICE_RESUME": "通知を再開",
        }
    },
    audit_subjects={"notice_template": AuditSubject("通知の文面"), "notices": AuditSubject("通知")},
    audit_fields={"body": "本文"},
)
