from tsudoi.core.errors import Conflict, Detail, InvalidInput


class WrongSetUpCode(InvalidInput):
    """The code that should confirm the set-up is not the present one."""

    def __init__(self) -> None:
        super().__init__(
            "認証コードが違います。アプリに表示されている6桁の数字を入れてください。", [Detail("code", "WRONG_CODE")]
        )


class NoSetUp(Conflict):
    """No set-up of a second factor has begun, or there is no second factor."""

    default_message = "二段階認証は設定されていません。画面を読み込み直してください。"


class TotpIsRequired(Conflict):
    """The settings of this installation require a second factor, so that it cannot be switched off."""

    default_message = "この団体では二段階認証が必須のため、オフにできません。新しい端末への切り替えはできます。"
