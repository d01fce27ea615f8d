"""How the office reads what became of a message. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from tsudoi.core.clock import display
from tsudoi.line.delivery.rules import explanation
from tsudoi.scheduling.delivery.rules.checking import WHY_CALLED_OFF
from tsudoi.scheduling.delivery.rules.messages import MessageChannel, MessageKind

DeliveryState = Literal["waiting", "sent", "failed", "unknown", "call", "called_off"]
_BY_LINE: dict[str, DeliveryState] = {
    "PENDING": "waiting",
    "DONE": "sent",
    "FAILED": "failed",
    "UNKNOWN": "unknown",
    "CALL": "call",
    "CALLED_OFF": "called_off",
}
_NAMES: dict[str, str] = {
    "invite": "招待",
    "reminder": "督促",
    "slots_added": "候補日の追加",
    "decision": "決定のお知らせ",
    "reopened": "再調整のお知らせ",
    "cancelled": "中止のお知らせ",
    "added": "決まった日のご案内",
    "late": "締切後の回答へのお返事",
}
_NOT_NEEDED = "送る必要がなくなったため、送っていません。"


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of one message, with a sentence for the office."""

    type: MessageKind
    channel: MessageChannel
    state: DeliveryState
    text: str
    at: datetime


def delivery_of(row: Any) -> Delivery:
    """From a row of `thread_messages` with the state of its mail."""
    by_mail = row.channel == "mail"
    state = _BY_LINE.get(row.mail_status if by_mail else row.status, "waiting")
    at = (row.sent_at or row.created_at) if by_mail else row.updated_at if state != "waiting" else row.created_at
    what = _NAMES.get(row.type, "お知らせ")
    text = _mail_text(row, state) if by_mail else _line_text(row, state)
    return Delivery(row.type, row.channel, state, f"{what}：{text}", at)


def _line_text(row: Any, state: DeliveryState) -> str:
    if state == "sent":
        return f"LINEで{display(row.updated_at)}に送りました。"
    if state == "call":
        return f"お電話などでご連絡ください。{row.not_by_line or ''}。".replace("。。", "。")
    if state == "called_off":
        return str(row.not_by_line or WHY_CALLED_OFF.get(row.last_error or "", _NOT_NEEDED))
    return explanation(row.status, row.last_error)


def _mail_text(row: Any, state: DeliveryState) -> str:
    why = f"（{row.not_by_line}）" if row.not_by_line else ""
    match state:
        case "sent":
            return f"メールで{display(row.sent_at)}に送りました{why}。"
        case "waiting":
            return (
                f"メールで送ります{why}。" if not row.mail_error else f"メールサーバーの返事を待って再送します{why}。"
            )
        case "unknown":
            return f"メールが届いたかどうか分かりません。二重に届くのを避けるため、再送はしていません{why}。"
        case "called_off":
            return _NOT_NEEDED
        case _:
            return f"メールを送れませんでした（{_refusal(row.mail_error)}）{why}。"


def _refusal(error: str | None) -> str:
    """The answers of mail servers are English; the code at their beginning says which kind it is."""
    code = (error or "")[:3]
    if code in ("550", "551", "553"):
        return "宛先のアドレスが使われていないか、受け取りを断られました。アドレスを確認してください"
    if code == "552":
        return "宛先の受信箱がいっぱいです"
    return "メールサーバーに断られました" if code.isdigit() else "送る時期を過ぎました"
