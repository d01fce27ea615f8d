"""One line for each thing that happened to a reservation, in words. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tsudoi.booking.notices.rules.mails import StoredMail, mail_status
from tsudoi.booking.notices.rules.messages import why_not_made
from tsudoi.booking.slots.rules import begins_at
from tsudoi.core.clock import display

NAMES = {"CONFIRMATION": "予約確定の通知", "REMINDER": "リマインド", "CANCEL_COMPLETED": "キャンセル完了の通知"}
_MOVED = "予約変更の通知"
_TOLD = {"CONFIRMATION": "told", "REMINDER": "reminded", "CANCEL_COMPLETED": "told"}
_ATTENDANCE = {
    "came": ("came", "来場を受け付けました。"),
    "absent": ("absent", "欠席として記録しました。"),
    None: ("attendance_undone", "来場・欠席の記録を取り消しました。"),
}
_AUDITED = {
    "RESERVE_CREATE": ("booked", "予約しました（{new}）。"),
    "WAIT_PROMOTE": ("promoted", "キャンセル待ちから予約になりました（{new}）。"),
    "RESERVE_UPDATE": ("moved", "日時を {old} から {new} に変更しました。"),
    "RESERVE_CANCEL": ("canceled", "予約を取り消しました（{old}）。"),
    "notification.resend": ("resend", "{name}の再送を受け付けました。"),
}
_CALLERS = {"initial": "予約の直後の送信", "command": "定期の送信"}
_HOLD_EXPIRED = "HOLD_EXPIRED"
_IN_ORDER = ("booked", "promoted", "held", "payment_started", "paid", "confirmed", "moved", "hold_expired", "canceled")


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """Something that happened to a reservation."""

    at: datetime
    kind: str
    text: str
    detail: str | None = None
    actor: str | None = None


def place(entry: TimelineEntry) -> tuple[datetime, int]:
    """For sorting: by time, and what happened in the same transaction in the order of its reasons."""
    return entry.at, _IN_ORDER.index(entry.kind) if entry.kind in _IN_ORDER else len(_IN_ORDER)


def actor_name(actor: str | None, staff_uid: str) -> str | None:
    """The audit trail's actor in words; None for the product itself."""
    if actor is None or actor == "system":
        return None
    kind, _, name = actor.partition(":")
    if kind == "staff":
        return "本人" if name == staff_uid else "職員"
    return f"事務局（{name}）" if kind == "admin" else actor


def appointment(day: str, minute: int) -> str:
    return display(begins_at(day, minute))


def _slot_text(slot: dict[str, Any] | None) -> str:
    if not slot or "service_date_local" not in slot:
        return "日時は不明"
    return appointment(str(slot["service_date_local"]), int(slot["start_minute_of_day"]))


def audited(action: str, label: str, old: dict[str, Any] | None, new: dict[str, Any] | None) -> tuple[str, str]:
    """The kind and the text of an audit row. `label`: how the audit screen calls an action that is not known here."""
    if action == "ATTENDANCE":
        return _ATTENDANCE[(new or {}).get("attendance")]
    kind, text = _AUDITED.get(action, (action.lower(), f"{label}。"))
    name = NAMES.get(str((new or {}).get("kind")), "通知")
    return kind, text.format(old=_slot_text(old), new=_slot_text(new), name=name)


def canceled_by_row(reason: str | None) -> tuple[str, str, str | None]:
    """For a cancellation without an audit row: kind, text and detail."""
    if reason == _HOLD_EXPIRED:
        return "hold_expired", "お支払いの期限が過ぎたため、席を戻しました。", None
    return "canceled", "予約を取り消しました。", reason


def notice_name(kind: str, revision: int) -> str:
    return _MOVED if kind == "CONFIRMATION" and revision > 0 else NAMES[kind]


def planned(name: str, job: Any) -> TimelineEntry:
    """`job`: a row of `notification_jobs`. Sending it again changes the time for which it was planned."""
    if job.kind == "REMINDER" and job.attempt_count == 0:
        text = f"{name}を {display(job.scheduled_at)} に送る予定にしました。"
    else:
        text = f"{name}を送ることにしました。"
    return TimelineEntry(job.created_at, "planned", text)


def skipped(name: str, reason: str, at: datetime) -> TimelineEntry:
    return TimelineEntry(at, "skipped", f"{name}は作りませんでした。", why_not_made(reason))


def called_off(name: str, reason: str | None, at: datetime) -> TimelineEntry:
    return TimelineEntry(at, "called_off", f"{name}の送信を取りやめました。", why_not_made(reason or ""))


def attempted(kind: str, name: str, attempt: Any) -> TimelineEntry:
    """`attempt`: a row of `notification_attempts`."""
    by = _CALLERS.get(attempt.caller, attempt.caller)
    if attempt.outcome == "SENT":
        detail = f"{by}・request_id={attempt.request_id}" if attempt.request_id else by
        return TimelineEntry(attempt.at, _TOLD[kind], f"{name}をLINEが受け付けました。", detail)
    if attempt.outcome == "NO_ANSWER":
        text = f"{name}を送りましたが、LINEから確かな返事がありません。自動で確かめます。"
        return TimelineEntry(attempt.at, "no_answer", text, attempt.error or by)
    text = f"{name}を送れませんでした（{by}）。"
    return TimelineEntry(attempt.at, "failed", text, attempt.error or attempt.outcome)


def mailed(mail: StoredMail) -> TimelineEntry | None:
    """The mail in place of a notice; None while it waits."""
    name, to = notice_name(mail.kind, mail.revision), mail.to_masked
    match mail_status(mail):
        case "SENT":
            return TimelineEntry(mail.at, _TOLD[mail.kind], f"{name}をメールで送りました。", to)
        case "FAILED":
            return TimelineEntry(mail.at, "failed", f"{name}をメールでも送れませんでした。", mail.last_error)
        case "UNKNOWN":
            return TimelineEntry(mail.at, "unknown", f"{name}のメールが届いたかどうか分かりません。", mail.last_error)
        case "DASH":
            return TimelineEntry(mail.at, "called_off", f"{name}のメールの送信を取りやめました。", to)
    return None
