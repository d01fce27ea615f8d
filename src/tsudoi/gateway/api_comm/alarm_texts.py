"""The words of alarms and all-clears. Pure.

They leave our house, so they hold ids and codes, and no personal data. ChatWork has no way to escape its notation:
brackets in an inserted text become full-width ones, because `[To:…]` or `[toall]` would ring everybody's phone.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr
from typing import Any

from tsudoi.core.clock import JST
from tsudoi.core.log import mask_text

_LONGEST_SUMMARY, _LONGEST_SMS = 200, 140
_MOST_DETAILS = 20
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
# Ids, codes, names of operations and times. Words of a person have other characters, or are not in the list below.
_CODE = re.compile(r"[A-Za-z0-9_.:+-]{1,80}")
# The details whose texts are kept. The texts of all others could be anything.
_KNOWN_TEXTS = frozenset(
    {"component", "operation", "reason", "code", "rule_code", "system", "target", "channel", "request_id", "error_code"}
)
_LABELS = {
    "component": "部品",
    "operation": "操作",
    "last_status_code": "最後のステータス",
    "failures": "連続失敗",
    "reason": "理由",
}
_SEVERITIES = {"info": "お知らせ", "warn": "注意", "critical": "重大"}
_FIRST_QUIET_HOUR, _FIRST_LOUD_HOUR = 22, 7


@dataclass(frozen=True, slots=True)
class AlarmText:
    """One message to those who look after the system, before it is put into the form of a channel."""

    title: str
    lines: tuple[str, ...]
    # Everything in one sentence, for a phone.
    short: str


def safe_summary(text: str) -> str:
    """One line without addresses, phone numbers, LINE ids and tokens."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(mask_text(plain).split())[:_LONGEST_SUMMARY]


def safe_details(details: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers, and texts that are ids or codes. Anything else shows only that it was there."""
    kept: dict[str, Any] = {}
    for key, value in list(details.items())[:_MOST_DETAILS]:
        if not _KEY.fullmatch(str(key)):
            continue
        kept[key] = value if _is_harmless(key, value) else "***"
    return kept


def _is_harmless(key: str, value: Any) -> bool:
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, int | float):
        return abs(value) < 1_000_000  # noqa: PLR2004 (a longer number may be a phone number)
    if not isinstance(value, str) or not _CODE.fullmatch(value):
        return False
    return (key in _KNOWN_TEXTS or key.endswith("_id")) and mask_text(value) == value


def alarm_text(
    severity: str,
    summary: str,
    shop_code: str | None,
    ticket_id: int | str,
    details: Mapping[str, Any],
    request_id: str,
) -> AlarmText:
    """`ticket_id` is a text where the office only tries a rule out, and there is no ticket yet."""
    known = tuple(f"{_LABELS[key]}：{details[key]}" for key in _LABELS if details.get(key) is not None)
    shop = "全店舗" if shop_code is None else shop_code
    lines = (summary, f"店舗：{shop}", *known, f"チケット：{ticket_id}", f"リクエストID：{request_id}")
    title = f"【{_SEVERITIES[severity]}】{details.get('rule_code', '')}".rstrip()
    return AlarmText(title, lines, f"【{_SEVERITIES[severity]}】{summary} 店舗{shop} チケット{ticket_id}")


def all_clear_text(rule_code: str, shop_code: str | None, ticket_id: int, failures: int, request_id: str) -> AlarmText:
    shop = "全店舗" if shop_code is None else shop_code
    summary = f"STORES予約APIが復旧しました（失敗 {failures}回）。"
    lines = (summary, f"店舗：{shop}", f"チケット：{ticket_id}", f"リクエストID：{request_id}")
    return AlarmText(f"【復旧】{rule_code}", lines, f"【復旧】{summary} 店舗{shop} チケット{ticket_id}")


def standing_in(text: AlarmText, failed_channels: str) -> AlarmText:
    """The same message on another channel, which says that the first one does not work."""
    note = f"※{failed_channels}に送れなかったため、こちらへお送りしています。"
    return AlarmText(text.title, (*text.lines, note), text.short)


def chatwork_body(text: AlarmText) -> str:
    lines = "\n".join(_without_notation(line) for line in text.lines)
    return f"[info][title]{_without_notation(text.title)}[/title]{lines}[/info]"


def _without_notation(text: str) -> str:
    return text.replace("[", "［").replace("]", "］")


def sms_body(text: AlarmText) -> str:
    return text.short[:_LONGEST_SMS]


def mail_content(text: AlarmText, sender: tuple[str, str], recipient: str, message_id: str, now: datetime) -> bytes:
    message = EmailMessage(policy=SMTP)
    message["From"] = formataddr(sender)
    message["To"] = recipient
    message["Subject"] = f"{text.title} {text.lines[0]}"
    message["Date"] = format_datetime(now)
    message["Message-ID"] = message_id
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("\n".join(text.lines) + "\n", charset="utf-8", cte="base64")
    return message.as_bytes()


def is_quiet(now: datetime) -> bool:
    """From 22 to 7 o'clock in Japan a phone should not ring for something that can wait."""
    hour = now.astimezone(JST).hour
    return hour >= _FIRST_QUIET_HOUR or hour < _FIRST_LOUD_HOUR
