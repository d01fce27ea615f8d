"""What LINE's answer means for those who were to be told, and how the office hears of it. Pure."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from tsudoi.core.clock import jst_text
from tsudoi.core.log import mask_text
from tsudoi.gateway.clients.line_outcomes import (
    Accepted,
    QuotaExhausted,
    RateLimited,
    Rejected,
    SendOutcome,
    Unknown,
)

# As many as one multicast takes.
CHUNK = 500
# Kinds that are invitations: what `event_push_stats` counts.
INVITATIONS = ("invite", "late")
# The state of a person of whom the chunk speaks, as long as nobody was told alone.
WAITING = "WAITING"
QUOTA, CANCELLED = "QUOTA", "cancelled"
_BAD_REQUEST = 400
_LONGEST_REASON = 300
# How LINE begins the details of a refusal that is about what is said, not about to whom.
_ABOUT_THE_MESSAGES = "(messages["


class Verdict(StrEnum):
    SENT = "sent"
    ONE_BY_ONE = "one_by_one"
    REFUSED = "refused"
    IN_DOUBT = "in_doubt"
    NOT_NOW = "not_now"
    NO_ANSWER = "no_answer"


@dataclass(frozen=True, slots=True)
class CalledOff:
    """Our own decision not to call LINE at all."""

    reason: str


@dataclass(frozen=True, slots=True)
class Judgement:
    verdict: Verdict
    reason: str | None = None
    # Nothing more of this broadcast can succeed this month.
    stops: bool = False


def judge(outcome: SendOutcome | CalledOff, *, uncertain: bool, alone: bool) -> Judgement:
    """`uncertain`: an earlier try may have gone through. `alone`: one person was told, so nothing can be divided."""
    match outcome:
        case Accepted():
            return Judgement(Verdict.SENT)
        case RateLimited():
            return Judgement(Verdict.NOT_NOW, f"429: {_short(outcome.reason)}")
        case Unknown():
            return Judgement(Verdict.NO_ANSWER if outcome.maybe_sent else Verdict.NOT_NOW, _short(outcome.reason))
        case QuotaExhausted():
            return Judgement(_refusal(uncertain=uncertain), QUOTA, stops=True)
        case CalledOff():
            return Judgement(_refusal(uncertain=uncertain), outcome.reason)
        case Rejected():
            reason = f"{outcome.status}: {_short(outcome.reason)}"
            divisible = not uncertain and not alone and _may_be_about_one(outcome)
            return Judgement(Verdict.ONE_BY_ONE if divisible else _refusal(uncertain=uncertain), reason)


def _refusal(*, uncertain: bool) -> Verdict:
    """A "no" to a repeated call says nothing about the first one."""
    return Verdict.IN_DOUBT if uncertain else Verdict.REFUSED


def _may_be_about_one(refusal: Rejected) -> bool:
    """One bad id among 500 is a 400, and then the other 499 are told one by one.

    A token that is not valid, an account that is blocked (401, 403) or messages that LINE does not take would be
    refused 500 times over.
    """
    return refusal.status == _BAD_REQUEST and _ABOUT_THE_MESSAGES not in refusal.reason


def _short(reason: str) -> str:
    return mask_text(reason)[:_LONGEST_REASON]


_WORDS = {"DONE": "success", "FAILED": "fail", "UNKNOWN": "unknown"}


def word_for(status: str) -> str:
    """What is not final is `pending`, whether the chunk decides or a push."""
    return _WORDS.get(status, "pending")


def explanation(status: str, reason: str | None) -> str:
    """Why somebody was not told, in the office's language, with what can be done about it."""
    if status == "UNKNOWN":
        return (
            "LINEから確かな返事がなく、届いたかどうか分かりません。二重に届くのを避けるため、再送はしていません。"
            "ご本人に確認してください。"
        )
    if status != "FAILED":
        return "LINEの返事を待って再送します。" if reason else "これから送ります。"
    return _why_failed(reason or "")


_WHY_FAILED = {
    QUOTA: "LINEの今月の送信上限に達したため、送っていません。",
    CANCELLED: "送る前にイベントが中止されたため、送っていません。",
    "400": "LINEがこの宛先を受け付けませんでした。公式アカウントが友だちになっているか、ご本人に確認してください。",
    "401": "LINEの接続設定（チャネルアクセストークン）が受け付けられませんでした。管理者に連絡してください。",
    "403": "LINEの接続設定（チャネルアクセストークン）が受け付けられませんでした。管理者に連絡してください。",
    "429": "LINEの混雑が続いたため、送れませんでした。",
}


def _why_failed(reason: str) -> str:
    if _ABOUT_THE_MESSAGES in reason:
        return "LINEがメッセージの内容を受け付けませんでした。"
    return _WHY_FAILED.get(reason.partition(":")[0], "LINEに送れませんでした。")


@dataclass(frozen=True, slots=True)
class Told:
    """What is written down about people once it is final, in `push/YYYY-MM-DD.ndjson`."""

    at: datetime
    event_id: int
    broadcast_id: int
    kind: str
    status: str
    message_id: str | None
    request_id: str | None
    reason: str | None

    def record(self, member_id: int) -> dict[str, Any]:
        """One line. No names, and no ids of LINE users."""
        line = {
            "ts": jst_text(self.at),
            "kind": "event",
            "event_id": self.event_id,
            "member_id": member_id,
            "status": word_for(self.status),
            "message_id": self.message_id,
            "request_id": self.request_id,
            "broadcast": self.kind,
            "broadcast_id": self.broadcast_id,
        }
        return line | ({"reason": self.reason} if self.reason else {})
