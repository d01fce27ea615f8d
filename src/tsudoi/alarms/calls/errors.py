from tsudoi.core.errors import NotFound


class NoSuchCall(NotFound):
    """No call has this id. Calls are kept for 60 days."""

    default_message = "この通信の記録は見つかりません。記録は60日で削除されます。"
