from tsudoi.core.errors import Detail, InvalidInput, NotFound


class NoSuchRule(NotFound):
    """There is no rule with this code, neither stored nor built in."""

    default_message = "この通知ルールは見つかりません。画面を読み込み直してください。"


class RecipientMissing(InvalidInput):
    """A channel is chosen, and nothing says to whom it leads."""

    def __init__(self, field: str) -> None:
        names = {"chatwork_room_id": "ChatWorkのルームID", "email_to": "メールの宛先", "sms_to": "SMSの宛先"}
        super().__init__(f"{names[field]}を入力してください。", [Detail(field, "REQUIRED")])
