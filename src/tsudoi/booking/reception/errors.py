from tsudoi.core.errors import NotFound


class UnknownCode(NotFound):
    """The code is not one of ours, or its reservation does not exist."""

    code = "UNKNOWN_CODE"
    default_message = "この受付コードは確認できません。職員番号か氏名で予約を探してください。"
