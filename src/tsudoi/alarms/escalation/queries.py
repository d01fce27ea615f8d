from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select

from tsudoi.alarms.escalation.errors import NoSuchRule
from tsudoi.alarms.escalation.models import EscalationRule
from tsudoi.alarms.escalation.rules import (
    BUILT_IN_RULES,
    SAMPLE_NUMBER,
    HeldRule,
    SettingsChannels,
    built_in_rule,
    is_throttled,
    masked_recipient,
    recipient,
    sample_text,
    why_silent,
    why_skipped,
)
from tsudoi.alarms.escalation.schemas import DryRun, DryRunChannel, EscalationRuleItem, EscalationRuleList
from tsudoi.alarms.shop_names.queries import code_of_shop
from tsudoi.core.clock import parse_utc
from tsudoi.core.db.interface import ReadTx
from tsudoi.core.db.raw_sql import RawSql
from tsudoi.core.settings import Settings
from tsudoi.gateway.api_comm.alarm_texts import AlarmFacts
from tsudoi.gateway.api_comm.shop_data import ALARM_CHANNELS, AlarmChannel, AlarmRule

# As SQL, because tickets refer to this noun and not the other way round.
_OPEN_TICKET = RawSql(
    """SELECT id, alarmed_at_utc FROM tickets
    WHERE rule_code = :rule_code AND COALESCE(shop_id, 0) = :shop_id AND status <> 'closed' ORDER BY id DESC LIMIT 1"""
)
_ONLY_IF_FAILED = "前の手段で送れなかったときだけ送ります。"


def rule_list(tx: ReadTx, settings: Settings) -> EscalationRuleList:
    return EscalationRuleList(rules=[_item(one) for _, one in sorted(held_rules(tx, settings).items())])


def rule_item(tx: ReadTx, settings: Settings, rule_code: str) -> EscalationRuleItem:
    return _item(held_rule(tx, settings, rule_code))


def held_rule(tx: ReadTx, settings: Settings, rule_code: str) -> HeldRule:
    held = held_rules(tx, settings).get(rule_code)
    if held is None:
        raise NoSuchRule
    return held


def held_rules(tx: ReadTx, settings: Settings) -> dict[str, HeldRule]:
    """Those that are stored, and the built-in ones that are not."""
    of_settings = _of_settings(settings)
    built_in = {code: built_in_rule(code, of_settings) for code in BUILT_IN_RULES}
    rows = tx.execute(select(*EscalationRule.__table__.c)).mappings()
    return {**built_in, **{row["rule_code"]: HeldRule(stored_rule(row), row["updated_at_utc"]) for row in rows}}


def rule_of(tx: ReadTx, settings: Settings, rule_code: str) -> AlarmRule | None:
    """The office's rule, or else the one that the product came with. None: nobody knows this code."""
    found = select(*EscalationRule.__table__.c).where(EscalationRule.rule_code == rule_code)
    row = tx.execute(found).mappings().one_or_none()
    if row is not None:
        return stored_rule(row)
    return built_in_rule(rule_code, _of_settings(settings)).rule if rule_code in BUILT_IN_RULES else None


def channels_of_settings(settings: Settings) -> tuple[AlarmChannel, ...]:
    """Those that have a recipient and an account in the settings."""
    to = {"chatwork": default_room(settings), "email": settings.alarm_email_to, "sms": settings.alarm_sms_to}
    return tuple(one for one in ALARM_CHANNELS if to[one] and _is_ready(settings, one))


def default_room(settings: Settings) -> str | None:
    return settings.alarm_chatwork_room_id or settings.chatwork_room_id


def _of_settings(settings: Settings) -> SettingsChannels:
    return SettingsChannels(channels_of_settings(settings), settings.alarm_email_to, settings.alarm_sms_to)


def _is_ready(settings: Settings, channel: AlarmChannel) -> bool:
    if channel == "chatwork":
        return settings.chatwork_api_token is not None
    if channel == "email":
        return settings.smtp_url is not None and settings.mail_from is not None
    return bool(settings.sms_api_base and settings.sms_account and settings.sms_token)


def stored_rule(row: Mapping[Any, Any]) -> AlarmRule:
    """A rule of the office. `params_json` has the choices `fallback`, `quiet_hours` and `snoozed_until`."""
    more = row["params_json"] if isinstance(row["params_json"], dict) else {}
    return AlarmRule(
        row["rule_code"],
        row["severity"],
        tuple(one for one in ALARM_CHANNELS if row[f"channel_{one}"]),
        row["chatwork_room_id"],
        row["email_to"],
        row["sms_to"],
        timedelta(minutes=row["throttle_minutes"]),
        active=bool(row["active"]),
        fallback=more.get("fallback") is True,
        quiet_hours=more.get("quiet_hours") is not False,
        snoozed_until=_moment(more.get("snoozed_until")),
    )


def dry_run(tx: ReadTx, settings: Settings, rule_code: str, shop_id: int | None) -> DryRun:
    rule = held_rule(tx, settings, rule_code).rule
    shop_code = None if shop_id is None else code_of_shop(tx, shop_id)
    ticket = _OPEN_TICKET.first(tx, {"rule_code": rule_code, "shop_id": shop_id or 0})
    throttled = is_throttled(rule, _moment(ticket[1]) if ticket else None, tx.now)
    silent = why_silent(rule, tx.now, throttled=throttled)
    facts = AlarmFacts(
        rule_code,
        rule.severity,
        shop_code,
        ticket[0] if ticket else SAMPLE_NUMBER,
        ticket_address(settings, ticket[0]) if ticket else "",
        SAMPLE_NUMBER,
    )
    channels: list[DryRunChannel] = []
    for channel in rule.channels:
        why = silent or _why_not(tx, settings, rule, channel)
        if why is None and rule.fallback and any(one.would_send for one in channels):
            why = _ONLY_IF_FAILED
        shown = DryRunChannel(
            channel=channel,
            to_masked=masked_recipient(channel, recipient(rule, channel, default_room(settings))),
            text=sample_text(channel, facts, tx.now),
            would_send=why is None,
            why=why or "すぐに送ります。",
        )
        channels.append(shown)
    return DryRun(channels=channels, throttled=throttled, ticket=ticket[0] if ticket else None)


def _why_not(tx: ReadTx, settings: Settings, rule: AlarmRule, channel: AlarmChannel) -> str | None:
    found = recipient(rule, channel, default_room(settings))
    ready = _is_ready(settings, channel)
    return why_skipped(rule, channel, tx.now, has_recipient=found is not None, is_ready=ready)


def ticket_address(settings: Settings, ticket_id: int) -> str:
    """The page about a ticket, as a link in an alarm."""
    return f"{settings.public_base_url}/admin/tickets/{ticket_id}"


def _moment(text: object) -> datetime | None:
    try:
        return parse_utc(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _item(held: HeldRule) -> EscalationRuleItem:
    rule = held.rule
    return EscalationRuleItem(
        rule_code=rule.rule_code,
        severity=rule.severity,
        channels=list(rule.channels),
        chatwork_room_id=rule.chatwork_room_id,
        email_to=rule.email_to,
        sms_to=rule.sms_to,
        throttle_minutes=round(rule.throttle.total_seconds() / 60),
        active=rule.active,
        fallback=rule.fallback,
        quiet_hours=rule.quiet_hours,
        snoozed_until=rule.snoozed_until,
        built_in=held.is_built_in,
        updated_at=held.updated_at,
    )
