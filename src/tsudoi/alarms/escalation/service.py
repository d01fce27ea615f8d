from typing import Any

from tsudoi.alarms.escalation.errors import RecipientMissing
from tsudoi.alarms.escalation.models import EscalationRule
from tsudoi.alarms.escalation.queries import default_room, held_rules
from tsudoi.alarms.escalation.rules import RECIPIENT_FIELDS, HeldRule
from tsudoi.alarms.escalation.schemas import EscalationRuleChange
from tsudoi.core import audit
from tsudoi.core.clock import utc_text
from tsudoi.core.db.interface import Tx
from tsudoi.core.db.upsert import upsert
from tsudoi.core.settings import Settings
from tsudoi.gateway.api_comm.shop_data import ALARM_CHANNELS

# The audit trail says that a recipient was changed. Addresses and numbers of people do not stand in it.
_PERSONAL = ("email_to", "sms_to")


def set_rule(tx: Tx, settings: Settings, rule_code: str, change: EscalationRuleChange, actor: str) -> None:
    _require_recipients(change, default_room(settings))
    before = held_rules(tx, settings).get(rule_code)
    values = {
        "severity": change.severity,
        **{f"channel_{channel}": int(channel in change.channels) for channel in ALARM_CHANNELS},
        "chatwork_room_id": change.chatwork_room_id,
        "email_to": change.email_to,
        "sms_to": change.sms_to,
        "throttle_minutes": change.throttle_minutes,
        "active": int(change.active),
        "params_json": {
            "fallback": change.fallback,
            "quiet_hours": change.quiet_hours,
            "snoozed_until": utc_text(change.snoozed_until) if change.snoozed_until else None,
        },
        "updated_at_utc": tx.now,
    }
    statement = upsert(tx, EscalationRule).values(rule_code=rule_code, created_at_utc=tx.now, **values)
    tx.execute(statement.on_conflict_do_update(index_elements=["rule_code"], set_=values))
    old = None if before is None or before.is_built_in else _audited(before)
    new = _audited(held_rules(tx, settings)[rule_code])
    audit.record(tx, actor, "ESCALATION_RULE", f"escalation_rule:{rule_code}", old=old, new=new)


def _require_recipients(change: EscalationRuleChange, room: str | None) -> None:
    given = {"chatwork": change.chatwork_room_id or room, "email": change.email_to, "sms": change.sms_to}
    for channel in ALARM_CHANNELS:
        if channel in change.channels and given[channel] is None:
            raise RecipientMissing(RECIPIENT_FIELDS[channel])


def _audited(held: HeldRule) -> dict[str, Any]:
    rule = held.rule
    shown = {
        "severity": rule.severity,
        "channels": list(rule.channels),
        "chatwork_room_id": rule.chatwork_room_id,
        "throttle_minutes": round(rule.throttle.total_seconds() / 60),
        "active": rule.active,
        "fallback": rule.fallback,
        "quiet_hours": rule.quiet_hours,
        "snoozed_until": utc_text(rule.snoozed_until) if rule.snoozed_until else None,
    }
    return {**shown, **{name: "***" if getattr(rule, name) else None for name in _PERSONAL}}
