"""Alarms: troubles that need a person, their tickets, who is told of them, and the log of the calls behind them."""

from datetime import timedelta

from tsudoi.access.registration import AuditSubject, Clockwork, Context, NavigationItem, Tag, in_batches
from tsudoi.alarms.calls import endpoints as calls
from tsudoi.alarms.escalation import endpoints as escalation
from tsudoi.alarms.health import alarm_light, gauges
from tsudoi.alarms.outages.jobs import OutageWatch
from tsudoi.alarms.system_events.service import forget_old_events
from tsudoi.alarms.tickets import endpoints as tickets

CONTEXT = Context(
    name="alarms",
    optional=False,
    routers=(calls.router, tickets.router, escalation.router),
    tags=(Tag("alarms", "Troubles that need a person: tickets, who is told of them, and the calls behind them."),),
    parts=(OutageWatch.of,),
    gauges=gauges,
    health_checks={"alarms": alarm_light},
    clockwork=(Clockwork("forget_old_system_events", timedelta(hours=6), in_batches(forget_old_events)),),
    navigation=(NavigationItem("manage", "チケット", "/tickets", "tickets"),),
    audit_actions={
        "外部との接続": {
            "ESCALATION_RULE": "通知ルールを変更",
            "TICKET_ACKNOWLEDGE": "チケットの対応を開始",
            "TICKET_CLOSE": "チケットを完了",
        }
    },
    audit_subjects={
        "escalation_rule": AuditSubject("通知ルール"),
        "ticket": AuditSubject("チケット", "/tickets/{id}"),
    },
    audit_fields={
        "severity": "重要度",
        "channels": "知らせる手段",
        "chatwork_room_id": "ChatWorkのルーム",
        "email_to": "メールの宛先",
        "sms_to": "SMSの宛先",
        "throttle_minutes": "同じ知らせの間隔（分）",
        "fallback": "順番に試す",
        "quiet_hours": "夜間はSMSを送らない",
        "snoozed_until": "一時停止の期限",
    },
)
