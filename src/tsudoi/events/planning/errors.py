from tsudoi.core.errors import ChangedMeanwhile, Conflict
from tsudoi.events.event.errors import EventOver


class NobodyToRemind(Conflict):
    """There is nobody who could get a reminder."""

    code = "NOBODY_TO_REMIND"
    default_message = "いま督促を送る相手がいません。全員が回答済みか、LINEで送れないか、今日すでに送っています。"


class NobodyToResend(Conflict):
    """There is nobody to resend to: no recipient whom the monthly limit kept back can be reached now."""

    code = "NOBODY_TO_RESEND"
    default_message = "いま送り直す相手がいません。すでに送ったか、回答済みか、LINEで送れません。"


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
