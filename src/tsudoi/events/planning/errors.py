from tsudoi.core.errors import ChangedMeanwhile, Conflict, Detail
from tsudoi.events.event.errors import EventOver


class QuotaExceeded(Conflict):
    """LINE's monthly limit does not suffice; the office hears it before anything is sent."""

    code = "QUOTA_EXCEEDED"

    def __init__(self, cost: int, left: int) -> None:
        super().__init__(
            f"LINEで今月あと{left:,}通まで送れますが、この送信には{cost:,}通が必要です。"
            "それでも送る場合は、上限を超えることを確認してから送ってください。",
            [Detail("confirm_over_quota", "QUOTA_EXCEEDED")],
        )


class NobodyToRemind(Conflict):
    """Nobody is left who could get a reminder."""

    code = "NOBODY_TO_REMIND"
    default_message = "いま督促を送る相手がいません。全員が回答済みか、LINEで送れないか、今日すでに送っています。"


class NobodyToAdd(Conflict):
    """Everybody who was chosen is invited already."""

    code = "NOBODY_TO_ADD"
    default_message = "追加する人がいません。選んだ人は全員、すでに対象です。"


class AlreadyStarted(EventOver):
    """The event has begun: nobody is invited or reminded any more."""

    default_message = "開催日時を過ぎたイベントです。"


class StaleEvent(ChangedMeanwhile):
    """The event was changed after the screen was loaded."""

    default_message = "ほかの人がこのイベントを変更しました。画面を読み込み直してから、もう一度お試しください。"
