"""Why notices failed, in few words that the office can act on. Pure."""

from collections.abc import Mapping
from datetime import datetime, timedelta

# The last run of the command is too long ago to trust that it runs.
LONGEST_SILENCE = timedelta(minutes=10)
_MONTHLY_LIMIT = "monthly limit"
_PREFIX = "HTTP "

# What the office reads for each cause.
EXPLANATIONS: Mapping[str, str] = {
    "QUOTA": "LINEの今月の送信上限に達したため、送れませんでした。プランを見直すか、来月に再送してください。",
    "RATE_LIMIT": "LINEの混雑が続いたため、送れませんでした。少し待ってから再送してください。",
    "TOKEN": "LINEの接続設定（チャネルアクセストークン）が受け付けられませんでした。管理者に連絡してください。",
    "REFUSED": "LINEがこの通知を受け付けませんでした。本人が公式アカウントを友だちに追加しているか確認してください。",
    "LINE_ERROR": "LINEのサーバーでエラーが起きました。届いている場合もあります。24時間以内の再送は二重に届きません。",
    "UNKNOWN": "LINEから確かな返事がなく、届いたかどうか分かりません。本人に確認してください。",
    "EXPIRED": "送る時期を過ぎていたため、送っていません。必要なら電話などで連絡してください。",
    "NO_LINE_LINK": "LINE連携が解除されていたため、送っていません。もう一度連携してもらってから再送してください。",
    "TEMPLATE": "文面に誤りがあるため、送れませんでした。文面を直してから再送してください。",
    "OTHER": "送れませんでした。エラーの内容を管理者に伝えてください。",
}


def cause_of(last_error: str | None, *, outcome_unknown: bool) -> str:
    """The beginning of `last_error` is enough. The words are keys of `EXPLANATIONS`."""
    error = last_error or ""
    if outcome_unknown:
        return "UNKNOWN"
    if not error.startswith(_PREFIX):
        word = error.partition(":")[0]
        return word if word in EXPLANATIONS else "OTHER"
    status = error.removeprefix(_PREFIX)[:3]
    if status == "429":
        return "QUOTA" if _MONTHLY_LIMIT in error else "RATE_LIMIT"
    if status in ("401", "403"):
        return "TOKEN"
    return "LINE_ERROR" if status.startswith("5") else "REFUSED"


def is_silent(last_run: datetime | None, oldest_due: datetime | None, now: datetime) -> bool:
    """Whether nobody sends what is due. Before the first run ever, a job may wait as long as between two runs."""
    if oldest_due is None:
        return False
    return now - (last_run or oldest_due) > LONGEST_SILENCE
