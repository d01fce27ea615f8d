"""What LINE's answer to a message means, what the monthly limit leaves, and how the office reads it. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from tsudoi.core.clock import jst_text
from tsudoi.core.log import mask_text
from tsudoi.gateway.clients.line_outcomes import (
    Accepted,
    Quota,
    QuotaExhausted,
    Rejected,
    SendOutcome,
    SendRateLimited,
    Unknown,
)

# As many recipients as one multicast takes.
MULTICAST_LIMIT = 500
# The reason of messages that the monthly limit stopped. They were certainly not sent, so they may be sent later.
QUOTA = "QUOTA"
_BAD_REQUEST = 400
# How LINE begins the details of a refusal that is about the messages, not about a recipient.
_ABOUT_THE_MESSAGES = "(messages["
# Whether LINE reaches somebody: linked, and a friend of the account. LINE also accepts messages to people who never
# added the account or have blocked it, and shows them to nobody.
LineState = Literal["unlinked", "notAdded", "blocked", "reachable"]


def line_state(line_user_id: str | None, following: bool | None) -> LineState:
    """`following`: as `line_friends` has it. None: there is no row, so that nobody has told us of a friend."""
    if line_user_id is None:
        return "unlinked"
    if following is None:
        return "notAdded"
    return "reachable" if following else "blocked"


class SendVerdict(StrEnum):
    """What an outcome means for the recipients of a call."""

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
    """A verdict with its reason, masked but not cut."""

    verdict: SendVerdict
    reason: str | None = None
    # The monthly limit is reached: further calls would be refused too.
    stops: bool = False


def judge(outcome: SendOutcome | CalledOff, *, uncertain: bool, alone: bool) -> Judgement:
    """`uncertain`: an earlier attempt may have gone through. `alone`: there was one recipient, so nothing to divide."""
    match outcome:
        case Accepted():
            return Judgement(SendVerdict.SENT)
        case SendRateLimited():
            return Judgement(SendVerdict.NOT_NOW, f"429: {mask_text(outcome.reason)}")
        case Unknown():
            return Judgement(
                SendVerdict.NO_ANSWER if outcome.maybe_sent else SendVerdict.NOT_NOW, mask_text(outcome.reason)
            )
        case QuotaExhausted():
            return Judgement(_refusal(uncertain=uncertain), QUOTA, stops=True)
        case CalledOff():
            return Judgement(_refusal(uncertain=uncertain), outcome.reason)
        case Rejected():
            reason = f"{outcome.status}: {mask_text(outcome.reason)}"
            # One bad id among 500 is a 400; then each of them is called alone, so that the other 499 get the message.
            # A token that is not valid, an account that is blocked (401, 403) or messages that LINE does not take would
            # be refused 500 times over.
            about_one = outcome.status == _BAD_REQUEST and _ABOUT_THE_MESSAGES not in outcome.reason
            divisible = not uncertain and not alone and about_one
            return Judgement(SendVerdict.ONE_BY_ONE if divisible else _refusal(uncertain=uncertain), reason)


def _refusal(*, uncertain: bool) -> SendVerdict:
    """A refusal of a repeated call does not tell whether the first call was accepted."""
    return SendVerdict.IN_DOUBT if uncertain else SendVerdict.REFUSED


def request_id_of(outcome: SendOutcome | CalledOff) -> str | None:
    return None if isinstance(outcome, CalledOff | Unknown) else outcome.request_id


def message_id_of(outcome: SendOutcome | CalledOff) -> str | None:
    """LINE gives an id per message; the last one is the text with the link. For a multicast it gives none."""
    return outcome.message_ids[-1] if isinstance(outcome, Accepted) and outcome.message_ids else None


def part_that_fits(recipients: int, left: int | None) -> int:
    """After LINE refused a call because of its monthly limit: the number of recipients for the next try.

    LINE's count is delayed. If it shows room for all of them, half of them are tried; the number shrinks each time, so
    this ends. `left` is None if LINE did not answer or has no limit; then the call is not repeated.
    """
    if left is None:
        return 0
    return left if left < recipients else recipients // 2


@dataclass(frozen=True, slots=True)
class Cost:
    """What a message costs and what LINE's monthly limit leaves. LINE counts recipients, not messages.

    `quota` is None where LINE could not be asked. `promised`: messages of all contexts that are decided and not sent.
    """

    cost: int
    quota: Quota | None
    promised: int = 0

    @property
    def left(self) -> int | None:
        """What is left once everything decided so far has gone out; None: not known, or no limit."""
        if self.quota is None or self.quota.left is None:
            return None
        return max(0, self.quota.left - self.promised)

    @property
    def enough(self) -> bool | None:
        if self.quota is None:
            return None
        return self.left is None or self.cost <= self.left


_RESULTS = {"DONE": "success", "FAILED": "fail", "UNKNOWN": "unknown"}


def result_word(state: str) -> str:
    """The state of a delivery as the API and the push log name it; a state that is not final is `pending`."""
    return _RESULTS.get(state, "pending")


_WHY_FAILED = {
    QUOTA: "LINEの今月の送信上限に達したため、送っていません。",
    "400": "LINEがこの宛先を受け付けませんでした。公式アカウントが友だちになっているか、ご本人に確認してください。",
    "401": "LINEの接続設定（チャネルアクセストークン）が受け付けられませんでした。管理者に連絡してください。",
    "403": "LINEの接続設定（チャネルアクセストークン）が受け付けられませんでした。管理者に連絡してください。",
    "429": "LINEの混雑が続いたため、送れませんでした。",
}


def explanation(state: str, reason: str | None, own_reasons: Mapping[str, str] | None = None) -> str:
    """Explains to the office why a message did not arrive. `own_reasons`: reasons of the caller's context."""
    if state == "UNKNOWN":
        return (
            "LINEから確かな返事がなく、届いたかどうか分かりません。二重に届くのを避けるため、再送はしていません。"
            "ご本人に確認してください。"
        )
    if state != "FAILED":
        return "LINEの返事を待って再送します。" if reason else "これから送ります。"
    if _ABOUT_THE_MESSAGES in (reason or ""):
        return "LINEがメッセージの内容を受け付けませんでした。"
    known = _WHY_FAILED | dict(own_reasons or {})
    return known.get((reason or "").partition(":")[0], "LINEに送れませんでした。")


@dataclass(frozen=True, slots=True)
class PushLogEntry:
    """A final outcome for one or many recipients; each of them gets one line in `push/YYYY-MM-DD.ndjson`.

    `ids` come before the outcome and `fields` after it. `recipient` is the name of the field with the recipient's id.
    """

    at: datetime
    kind: str
    state: str
    ids: Mapping[str, int | str]
    recipient: str
    message_id: str | None = None
    request_id: str | None = None
    fields: Mapping[str, int | str] = field(default_factory=dict)
    reason: str | None = None

    def record(self, recipient_id: int) -> dict[str, Any]:
        """One line. It holds no names and no ids of LINE users."""
        reason = {"reason": self.reason} if self.reason else {}
        return {
            "ts": jst_text(self.at),
            "kind": self.kind,
            **self.ids,
            self.recipient: recipient_id,
            "status": result_word(self.state),
            "message_id": self.message_id,
            "request_id": self.request_id,
            **self.fields,
            **reason,
        }
