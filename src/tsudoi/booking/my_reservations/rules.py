"""Our own reservations in the words of the person's list in LINE. Pure."""

from tsudoi.booking.notices.rules.mails import MailStatus
from tsudoi.core.visitor_reservations import NoticeState

SOURCE = "booking"
_LABELS = {
    "CONFIRMATION": "予約確定のお知らせ",
    "REMINDER": "前日のお知らせ",
    "CANCEL_COMPLETED": "取り消しのお知らせ",
}
_STATES: dict[str, NoticeState] = {"PENDING": "planned", "SENT": "sent", "FAILED": "failed", "UNKNOWN": "unknown"}
STATUS_LABELS = {
    "confirmed": "予約確定",
    "unpaid": "お支払い待ち",
    "expired": "お支払い期限切れ",
    "canceled": "取り消し済み",
}


def notice_label(kind: str) -> str:
    return _LABELS.get(kind, "お知らせ")


def notice_state(status: str | MailStatus, *, outcome_unknown: bool = False) -> NoticeState | None:
    """None: it was decided that there is no such notice."""
    return "unknown" if status == "FAILED" and outcome_unknown else _STATES.get(status)


def status_of(*, canceled: bool, confirmed: bool, expired: bool) -> str:
    if expired:
        return "expired"
    if canceled:
        return "canceled"
    return "confirmed" if confirmed else "unpaid"
