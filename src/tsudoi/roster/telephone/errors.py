from tsudoi.core.errors import NotFound


class NoSuchCall(NotFound):
    """No entry of the telephone list has this id."""

    default_message = "この電話の項目は見つかりません。画面を読み込み直してください。"
