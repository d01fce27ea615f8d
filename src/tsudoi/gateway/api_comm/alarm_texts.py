"""The words of alarms and all-clears. Pure.

They leave our house, so they hold ids and codes, and no personal data. ChatWork has no way to escape its notation:
brackets in an inserted text become full-width ones, because `[To:…]` or `[toall]` would ring everybody's phone.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr
from typing import Any

from tsudoi.core.clock import JST, display
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
# What of the details an alarm says. The ticket keeps the rest: names of our code mean nothing to its readers at night.
_LABELS = {"last_status_code": "最後のステータス", "failures": "連続失敗"}
_SEVERITIES = {"info": "お知らせ", "warn": "注意", "critical": "重大"}
_FIRST_QUIET_HOUR, _FIRST_LOUD_HOUR = 22, 7


@dataclass(frozen=True, slots=True)
class CauseWords:
    """A trouble that the product finds itself: what does not work, whom it concerns, and what to do."""

    title: str
    effect: str
    advice: str
    recovered: str
    # False: it is the same trouble for all shops, so that no shop is named.
    of_shop: bool = False
    # The targets of its calls in `api_call_logs`, where no single request has met the trouble.
    targets: tuple[str, ...] = ()


_AT_THE_DOOR = "お客さまが、本人確認や予約の確認をできません。電話などでご案内ください。"
_STORES_IS_BACK = "STORES予約APIが復旧しました（失敗 {failures}回）。"
# By the code of the rule. The keys are the causes of `tsudoi_alarms_open`.
CAUSES: Mapping[str, CauseWords] = {
    "OUTAGE_MAIL": CauseWords(
        "メールを送れません",
        "予約や日程調整のメールを待っている方に、届いていません。",
        "メールサーバーの状態と、設定 SMTP_URL（サーバー名・ユーザー名・パスワード）を確認してください。"
        "送信を待っているメールは、直ると自動で送られます。",
        "メールをまた送れるようになりました。",
        targets=("smtp",),
    ),
    "OUTAGE_LINE": CauseWords(
        "LINEに接続できません",
        "会員や予約した方へのLINEの案内と通知が、届いていないおそれがあります。",
        "LINEの障害情報、設定 LINE_CHANNEL_ACCESS_TOKEN、サーバーから外への通信を確認してください。",
        "LINEにまた接続できるようになりました。",
        targets=("line",),
    ),
    "OUTAGE_STRIPE": CauseWords(
        "Stripeに接続できません",
        "有料の予約で、支払いのページを開けません。返金も進みません。",
        "Stripeの障害情報と、設定 STRIPE_SECRET_KEY を確認してください。",
        "Stripeにまた接続できるようになりました。",
        targets=("stripe",),
    ),
    "OUTAGE_MODELS": CauseWords(
        "AIによる候補の提案が使えません",
        "日程調整を作る方に、相手の候補が表示されません。相手を自分で選べば、続けられます。",
        "AIの障害情報と、設定 GEMINI_API_KEY・GEMINI_MODEL（または OPENAI_API_KEY・OPENAI_MODEL）を確認してください。",
        "AIによる候補の提案が、また使えるようになりました。",
        targets=("gemini", "openai"),
    ),
    "API_ERROR_CRITICAL": CauseWords(
        "STORES予約につながりません",
        _AT_THE_DOOR,
        "STORESの障害情報を確認してください。",
        _STORES_IS_BACK,
        of_shop=True,
    ),
    "STORES_AUTH_FAILED": CauseWords(
        "STORES予約の接続トークンが使えません",
        _AT_THE_DOOR,
        "管理画面の「店舗」で、接続トークンを登録し直してください。",
        _STORES_IS_BACK,
        of_shop=True,
    ),
}
_ASKED_FOR = "対応が必要な問題"


@dataclass(frozen=True, slots=True)
class AlarmFacts:
    """Which rule speaks, about which shop and which ticket."""

    rule_code: str
    severity: str
    shop_code: str | None
    # A text where the office only tries a rule out, and there is no ticket yet.
    ticket_id: int | str
    # The page of the ticket; empty where there is none yet.
    link: str
    request_id: str | None

    @property
    def shop(self) -> str | None:
        """None: the trouble belongs to no shop."""
        words = CAUSES.get(self.rule_code)
        if words is not None and not words.of_shop:
            return None
        return "全店舗" if self.shop_code is None else self.shop_code

    @property
    def title(self) -> str:
        """The office's own rules have no other name than their code."""
        words = CAUSES.get(self.rule_code)
        return self.rule_code if words is None else words.title

    @property
    def last_lines(self) -> tuple[str, ...]:
        link = (f"くわしく：{self.link}",) if self.link else ()
        asked = () if self.request_id is None else (f"リクエストID：{self.request_id}",)
        return (f"チケット：{self.ticket_id}", *link, *asked)


@dataclass(frozen=True, slots=True)
class AlarmText:
    """One message to those who look after the system, before it is put into the form of a channel."""

    title: str
    lines: tuple[str, ...]
    # Everything in one sentence, for a phone.
    short: str
    # Where the whole story stands. It follows the sentence, and is never cut.
    link: str = ""


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


def alarm_text(facts: AlarmFacts, summary: str, details: Mapping[str, Any], since: datetime | None = None) -> AlarmText:
    """`since`: the product has found the trouble itself and knows what it means. None: somebody asked for the alarm."""
    words = CAUSES.get(facts.rule_code) if since is not None else None
    shop = () if facts.shop is None else (f"店舗：{facts.shop}",)
    meaning: tuple[str, ...] = ()
    if words is not None and since is not None:
        meaning = (f"影響：{words.effect}", f"いつから：{display(since)}", f"すること：{words.advice}")
    known = tuple(f"{_LABELS[key]}：{details[key]}" for key in _LABELS if details.get(key) is not None)
    severity = f"【{_SEVERITIES[facts.severity]}】"
    # An alarm that somebody asks for may use a rule for any trouble, and the title of the rule could be untrue.
    title = _ASKED_FOR if since is None and facts.rule_code in CAUSES else facts.title
    return AlarmText(
        f"{severity}{title}",
        (summary, *shop, *meaning, *known, *facts.last_lines),
        _short(facts, f"{severity}{summary}"),
        facts.link,
    )


def all_clear_text(facts: AlarmFacts, failures: int) -> AlarmText:
    words = CAUSES.get(facts.rule_code)
    summary = "復旧しました。" if words is None else words.recovered.format(failures=failures)
    shop = () if facts.shop is None else (f"店舗：{facts.shop}",)
    lines = (summary, *shop, *facts.last_lines)
    return AlarmText(f"【復旧】{facts.title}", lines, _short(facts, f"【復旧】{summary}"), facts.link)


def _short(facts: AlarmFacts, words: str) -> str:
    shop = "" if facts.shop is None else f" 店舗{facts.shop}"
    return f"{words}{shop} チケット{facts.ticket_id}"


def standing_in(text: AlarmText, failed_channels: str) -> AlarmText:
    """The same message on another channel, which says that the first one does not work."""
    note = f"※{failed_channels}に送れなかったため、こちらへお送りしています。"
    return replace(text, lines=(*text.lines, note))


def chatwork_body(text: AlarmText) -> str:
    lines = "\n".join(_without_notation(line) for line in text.lines)
    return f"[info][title]{_without_notation(text.title)}[/title]{lines}[/info]"


def _without_notation(text: str) -> str:
    return text.replace("[", "［").replace("]", "］")


def sms_body(text: AlarmText) -> str:
    if not text.link:
        return text.short[:_LONGEST_SMS]
    return f"{text.short[: max(0, _LONGEST_SMS - len(text.link) - 1)]} {text.link}"


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
