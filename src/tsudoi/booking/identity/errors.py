from collections.abc import Sequence

from tsudoi.core.errors import Detail, Forbidden, PreconditionRequired, Unauthenticated


class BadToken(Unauthenticated):
    """The access token is missing, forged or expired, or its session has ended."""

    default_message = "もう一度ログインしてください。"


class NotActive(Forbidden):
    """The account is suspended, or the person has left."""

    code = "STAFF_NOT_ACTIVE"
    default_message = "この職員番号は、いまは利用できません。健診・予約の担当者にお問い合わせください。"


class PinChangeRequired(PreconditionRequired):
    """The PIN is the initial one, which everybody knows."""

    code = "PIN_CHANGE_REQUIRED"
    default_message = "先に、暗証番号（PIN）を変更してください。"

    def __init__(self) -> None:
        super().__init__(details=[Detail("pin", "MUST_CHANGE")])


class ProfileIncomplete(PreconditionRequired):
    """Fields of the profile are missing that a reservation needs."""

    code = "PROFILE_INCOMPLETE"
    default_message = "先に、プロフィールの未入力の項目を入力してください。"

    def __init__(self, missing: Sequence[str]) -> None:
        super().__init__(details=[Detail(field, "REQUIRED") for field in missing])
        self.missing = tuple(missing)
