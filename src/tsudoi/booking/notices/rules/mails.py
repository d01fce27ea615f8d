"""The mail in place of a notice, in words. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tsudoi.core.clock import display

MailStatus = Literal["PENDING", "SENT", "FAILED", "UNKNOWN", "DASH"]
_STATUSES: dict[str, MailStatus] = {"DONE": "SENT", "FAILED": "FAILED", "UNKNOWN": "UNKNOWN", "CALLED_OFF": "DASH"}


@dataclass(frozen=True, slots=True)
class StoredMail:
    """A mail in place of a notice, as it is stored."""

    reservation_id: int
    kind: str
    revision: int
    # `mail_messages.status`
    status: str
    to_masked: str
    due_at: datetime
    # When its last state was written; for a mail that was sent, when the server took it.
    at: datetime
    last_error: str | None


def mail_status(mail: StoredMail) -> MailStatus:
    return _STATUSES.get(mail.status, "PENDING")


def mail_message(mail: StoredMail, now: datetime) -> str:
    """What became of it, and what to do."""
    to = f"メール（{mail.to_masked}）"
    match mail_status(mail):
        case "SENT":
            return f"{display(mail.at)} に{to}で送りました。"
        case "FAILED":
            return f"{to}でも送れませんでした。電話などで知らせ、アドレスを確かめてください。"
        case "UNKNOWN":
            return f"{to}が届いたかどうか分かりません。本人に確認してください。"
        case "DASH":
            return "予約が変わったか、LINEで送ることになったため、メールは送りません。"
    if mail.due_at > now:
        return f"{display(mail.due_at)} に{to}で送る予定です。"
    return f"まもなく{to}で送ります。"
