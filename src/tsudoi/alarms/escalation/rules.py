"""Rules of escalations: those that the product came with, and what a rule would do at a moment. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from tsudoi.gateway.api_comm.alarm_texts import (
    CAUSES,
    AlarmFacts,
    AlarmText,
    alarm_text,
    chatwork_body,
    is_quiet,
    sms_body,
)
from tsudoi.gateway.api_comm.shop_data import AlarmChannel, AlarmRule

# Troubles that the product finds by itself are alarms even where the office has made no rule.
BUILT_IN_RULES = tuple(CAUSES)
# Without the suggestions of a model everybody can go on working.
_ONLY_WARNING = ("OUTAGE_MODELS",)
# An outage of STORES is told again after the half hour that document 004 has; the others after an hour.
_THROTTLES = {"API_ERROR_CRITICAL": timedelta(minutes=30), "STORES_AUTH_FAILED": timedelta(minutes=30)}
_THROTTLE = timedelta(minutes=60)
# Where a rule keeps whom a channel leads to.
RECIPIENT_FIELDS: Mapping[AlarmChannel, str] = {
    "chatwork": "chatwork_room_id",
    "email": "email_to",
    "sms": "sms_to",
}
_SHOWN_OF_PHONE = 4
SAMPLE_NUMBER = "（実際の番号が入ります）"
_SAMPLE = "（確認用の文です。実際には、起きた問題の説明が入ります。）"


@dataclass(frozen=True, slots=True)
class HeldRule:
    """A rule as it holds, and when somebody stored it; never, if the product came with it."""

    rule: AlarmRule
    updated_at: datetime | None = None

    @property
    def is_built_in(self) -> bool:
        return self.updated_at is None


@dataclass(frozen=True, slots=True)
class SettingsChannels:
    """Who hears of a trouble whose rule names nobody: the channels that the settings have whole."""

    channels: tuple[AlarmChannel, ...]
    email_to: str | None
    sms_to: str | None


def built_in_rule(rule_code: str, of_settings: SettingsChannels) -> HeldRule:
    """Those in the settings hear of it, if there are any. The ticket is written in any case."""
    rule = AlarmRule(
        rule_code,
        "warn" if rule_code in _ONLY_WARNING else "critical",
        of_settings.channels,
        email_to=of_settings.email_to,
        sms_to=of_settings.sms_to,
        throttle=_THROTTLES.get(rule_code, _THROTTLE),
    )
    return HeldRule(rule)


def recipient(rule: AlarmRule, channel: AlarmChannel, default_room: str | None) -> str | None:
    found: str | None = getattr(rule, RECIPIENT_FIELDS[channel])
    return found or (default_room if channel == "chatwork" else None)


def masked_recipient(channel: AlarmChannel, found: str | None) -> str | None:
    if found is None:
        return None
    if channel == "chatwork":
        return f"ルーム {found}"
    masked = _masked_mail if channel == "email" else _masked_phone
    return "、".join(masked(part.strip()) for part in found.split(","))


def _masked_mail(address: str) -> str:
    name, _, host = address.partition("@")
    return f"{name[:1]}***@{host}"


def _masked_phone(number: str) -> str:
    return f"***{''.join(filter(str.isdigit, number))[-_SHOWN_OF_PHONE:]}"


def is_throttled(rule: AlarmRule, alarmed_at: datetime | None, now: datetime) -> bool:
    return alarmed_at is not None and now < alarmed_at + rule.throttle


def why_silent(rule: AlarmRule, now: datetime, *, throttled: bool) -> str | None:
    """Why nobody at all is told now; None: the channels decide."""
    if not rule.active:
        return "このルールは無効です。チケットだけを作ります。"
    if rule.snoozed_until is not None and now < rule.snoozed_until:
        return "このルールは一時停止中です。チケットだけを作ります。"
    if throttled:
        minutes = round(rule.throttle.total_seconds() / 60)
        return f"同じ問題を{minutes}分以内に知らせたため、もう一度は送りません。"
    return None


def why_skipped(
    rule: AlarmRule, channel: AlarmChannel, now: datetime, *, has_recipient: bool, is_ready: bool
) -> str | None:
    """Why this channel is left out; None: it is used."""
    if not has_recipient:
        return "宛先が登録されていません。"
    if not is_ready:
        return "サーバーにこの手段の設定がありません。"
    if channel == "sms" and rule.quiet_hours and rule.severity != "critical" and is_quiet(now):
        return "夜間（22時から7時）のため、SMSは送りません。"
    return None


def sample_text(channel: AlarmChannel, facts: AlarmFacts, now: datetime) -> str:
    """The message as this channel would show it, with words that stand for what is not known yet."""
    text = alarm_text(facts, _SAMPLE, {}, now)
    return {"chatwork": chatwork_body, "email": _mail_text, "sms": sms_body}[channel](text)


def _mail_text(text: AlarmText) -> str:
    return "\n".join((f"{text.title} {text.lines[0]}", "", *text.lines))
