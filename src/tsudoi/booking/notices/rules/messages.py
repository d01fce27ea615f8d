"""Why a cell shows what it shows, and what the office can do about it, in words. Pure."""

from datetime import datetime

from tsudoi.booking.notices.rules.cells import CellFacts, CellStatus, StoredNotice
from tsudoi.core.clock import display
from tsudoi.notifications.notices.rules.making import Kind

_NOT_MADE = {
    "NO_LINE_LINK": (
        "LINEと連携していないため、送りません。電話などで知らせるか、本人にLINEとの連携をお願いしてください。"
    ),
    "LESS_THAN_48H": "予約が決まったとき、開始まで48時間を切っていたため、リマインドは送りません。対応は不要です。",
    "CANCELLED": "予約が取り消されたため、送りません。対応は不要です。",
    "MOVED": "予約の日時が変わったため、前の日時の通知は送りません。新しい日時の通知を確認してください。",
    "TOO_MANY_TODAY": (
        "この方には同じ種類の通知を今日すでに10通送ったため、送りませんでした。予約は変わっています。"
        "くり返しの変更に心当たりがあるかを本人に確かめ、必要なときは電話などで知らせてください。"
    ),
    "NOT_CONFIRMED": "お支払いが済んでいないため、送りません。お支払いが済むと、予約確定の通知が送られます。",
    "NOT_CANCELLED": "予約は取り消されていません。取り消されたときに送ります。対応は不要です。",
}
_UNPAID_AND_GONE = "お支払いがないまま席が戻されたため、送りません。対応は不要です。"
_CALLED_OFF = "この通知は送らないことになっています。対応は不要です。"
_MISSING = "あるはずの通知が見つかりません。本人に電話などで知らせ、システムの担当者に予約番号を伝えてください。"
_RESEND = "原因がなくなったら「再送」してください。"
_FAILED = {
    "QUOTA": (
        "LINEの今月の送信上限に達したため、送れませんでした。"
        "プランを見直すか翌月になってから「再送」してください。急ぐときは電話などで知らせてください。"
    ),
    "BUSY": "LINEが混み合っていて、送れませんでした。しばらくしてから「再送」してください。",
    "TOKEN": (
        "LINEの接続設定（チャネルアクセストークン）が受け付けられず、送れませんでした。"
        "システムの担当者に連絡し、直ったら「再送」してください。"
    ),
    "REFUSED": (
        "LINEがこの通知を受け付けませんでした。本人が公式アカウントを友だちに追加しているかを確かめてから"
        "「再送」してください。続くときは、システムの担当者に連絡してください。"
    ),
    "LINE_TROUBLE": "LINE側の障害のため、送れませんでした。しばらくしてから「再送」してください。",
    "NO_ANSWER": f"LINEから返事がなく、送れませんでした。{_RESEND}",
    "NO_LINE_LINK": (
        "送るときに、LINEとの連携がなくなっていました。"
        "本人に連携し直してもらってから「再送」するか、電話などで知らせてください。"
    ),
    "EXPIRED": "送れる期限を過ぎたため、送りませんでした。必要なときは、電話などで本人に知らせてください。",
    "TEMPLATE": "通知の文面に誤りがあり、送れませんでした。文面を直してから「再送」してください。",
    "OTHER": f"送れませんでした。エラーの内容をシステムの担当者に伝えてください。{_RESEND}",
}
_UNKNOWN = (
    "LINEから確かな返事がなく、届いたかどうか分かりません。本人に確認してください。"
    "届いていなかったときは「再送」できます。"
)
_FINAL = "キャンセル完了の通知は再送しません。必要なときは、電話などで本人に知らせてください。"
_TOO_LATE = "もう送れません。必要なときは、電話などで本人に知らせてください。"
_NOT_LINKED_NOW = (
    "いまはLINEと連携していないため、再送できません。電話などで知らせるか、本人に連携し直してもらってください。"
)
_UNSEEN: dict[str, str] = {
    "blocked": "ただし、公式アカウントがブロックされているため、本人には表示されません。",
    "notAdded": "ただし、本人が公式アカウントを友だちに追加していないため、本人には表示されません。",
}
_CALL = "電話などで知らせてください。"


def cell_message(
    kind: Kind,
    state: CellFacts,
    notice: StoredNotice | None,
    shown: tuple[CellStatus, str | None],
    now: datetime,
    *,
    has_mail: bool = False,
) -> str:
    """One or two sentences: why it is so, and what to do. `has_mail`: a mail about the same is shown beside it."""
    status, reason = shown
    if status == "NONE":
        return _MISSING
    if status == "DASH" or notice is None:
        unpaid_and_gone = reason == "NOT_CONFIRMED" and state.canceled
        return _UNPAID_AND_GONE if unpaid_and_gone else _NOT_MADE.get(reason or "", _CALLED_OFF)
    if status == "SENT":
        sent = f"{display(notice.updated_at)} にLINEが受け付けました。"
        unseen = _UNSEEN.get(state.line_state, "")
        return sent + unseen + (_CALL if unseen and not has_mail else "")
    if status == "PENDING":
        return _waiting(notice, now) + _UNSEEN.get(state.line_state, "")
    return _failed(kind, state, shown, now)


def _waiting(notice: StoredNotice, now: datetime) -> str:
    if notice.maybe_sent:
        return "LINEの返事を待っています。同じ通知が二重に届かないように、自動で確かめています。対応は不要です。"
    if notice.scheduled_at > now:
        return f"{display(notice.scheduled_at)} に送る予定です。対応は不要です。"
    again = "再送を受け付けました。" if notice.attempt_count else ""
    return f"{again}まもなく送ります。10分たっても変わらないときは、画面の上の「前回の送信」を確認してください。"


def _failed(kind: Kind, state: CellFacts, shown: tuple[CellStatus, str | None], now: datetime) -> str:
    """What can be done depends on whether the notice may still be sent at all."""
    status, reason = shown
    why = _UNKNOWN if status == "UNKNOWN" else _FAILED.get(reason or "", _FAILED["OTHER"])
    first_sentence = why.partition("。")[0] + "。"
    if kind == "CANCEL_COMPLETED":
        return first_sentence + _FINAL
    if state.canceled:
        return f"{first_sentence}予約は取り消されたので、対応は不要です。"
    if state.begins_at <= now:
        return first_sentence + _TOO_LATE
    return why if state.linked else first_sentence + _NOT_LINKED_NOW


def why_not_made(reason: str) -> str:
    """Why there is no such notice, or none any more."""
    return _NOT_MADE.get(reason, _CALLED_OFF)
