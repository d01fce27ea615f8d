from tsudoi.core.errors import Conflict, Detail, NotFound


class NoSuchType(NotFound):
    """No reservation type has this id."""

    default_message = "この予約の種類は見つかりません。画面を読み込み直してください。"


class TypeInUse(Conflict):
    """Slots refer to the type."""

    code = "IN_USE"
    default_message = "この種類の予約枠があるため、削除できません。使わなくなったときは「無効」にしてください。"


class LimitBelowBooked(Conflict):
    """Somebody has more live reservations in a year than the new limit allows."""

    code = "LIMIT_BELOW_BOOKED"

    def __init__(self) -> None:
        message = (
            "同じ年度に2回以上予約している人がいるため、年度に1回へは変更できません。先に予約を取り消してください。"
        )
        super().__init__(message, [Detail("limitPerYear", "BELOW_BOOKED")])
