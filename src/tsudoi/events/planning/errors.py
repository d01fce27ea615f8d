from tsudoi.core.errors import ChangedMeanwhile, Conflict, Detail


class QuotaExceeded(Conflict):
    """LINE would stop in the middle: better to hear it before anybody was told."""

    code = "QUOTA_EXCEEDED"

    def __init__(self, cost: int, left: int) -> None:
        super().__init__(
            f"LINEで今月あと{left:,}通まで送れますが、この送信には{cost:,}通が必要です。"
            "それでも送る場合は、上限を超えることを確認してから送ってください。",
            [Detail("confirm_over_quota", "QUOTA_EXCEEDED")],
        )


class NobodyToRemind(Conflict):
    code = "NOBODY_TO_REMIND"
    default_message = "いま督促を送る相手がいません。全員が回答済みか、LINEで送れないか、今日すでに送っています。"


class NobodyToAdd(Conflict):
    code = "NOBODY_TO_ADD"
    default_message = "追加する人がいません。選んだ人は全員、すでに対象です。"


class EventOver(Conflict):
    code = "EVENT_OVER"
    default_message = "開催日時を過ぎたイベントです。"


class StaleEvent(ChangedMeanwhile):
    default_message = "ほかの人がこのイベントを変更しました。画面を読み込み直してから、もう一度お試しください。"
