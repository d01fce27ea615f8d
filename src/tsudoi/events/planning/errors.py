from tsudoi.core.errors import ChangedMeanwhile, Conflict


class NobodyToRemind(Conflict):
    code = "NOBODY_TO_REMIND"
    default_message = "いま督促を送る相手がいません。全員が回答済みか、LINEで送れないか、今日すでに送っています。"


class NobodyToResend(Conflict):
    """Nobody is left whom LINE's monthly limit kept back and who can be sent to now."""

    code = "NOBODY_TO_RESEND"
    default_message = "いま送り直す相手がいません。すでに送ったか、回答済みか、LINEで送れません。"


class NobodyToAdd(Conflict):
    code = "NOBODY_TO_ADD"
    default_message = "追加する人がいません。選んだ人は全員、すでに対象です。"


class EventOver(Conflict):
    code = "EVENT_OVER"
    default_message = "開催日時を過ぎたイベントです。"


class StaleEvent(ChangedMeanwhile):
    default_message = "ほかの人がこのイベントを変更しました。画面を読み込み直してから、もう一度お試しください。"
