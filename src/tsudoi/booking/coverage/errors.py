from tsudoi.core.errors import NotFound


class NoSuchReservationType(NotFound):
    """There is no reservation type with this id."""

    default_message = "この予約の種類は見つかりません。予約の種類を選び直してください。"
