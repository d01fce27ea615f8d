from tsudoi.core.errors import Conflict, Detail, InvalidInput, NotFound


class NobodyMissing(Conflict):
    """There is nobody who could be reminded."""

    code = "NOBODY_TO_REMIND"
    default_message = "いま案内を送る相手がいません。全員が予約済みか、LINEと連携していないか、今日すでに送っています。"


class ReminderOfInactiveType(Conflict):
    """Nobody can book this type at present."""

    code = "TYPE_INACTIVE"
    default_message = "この予約の種類は「無効」になっています。有効にしてから、案内を送ってください。"


class PastFiscalYear(InvalidInput):
    """Nobody can book in a fiscal year that is over."""

    def __init__(self) -> None:
        super().__init__("終わった年度の案内は送れません。", [Detail("periodKey", "IN_PAST")])


class NoSuchReminder(NotFound):
    """There is no reminder with this id."""

    default_message = "この案内は見つかりません。画面を読み込み直してください。"
