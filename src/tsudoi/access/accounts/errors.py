from tsudoi.core.errors import Conflict, Detail, InvalidInput


class WrongPassword(InvalidInput):
    """The present password, which such a change needs, is wrong. (A 401 would mean that the session has ended.)"""

    def __init__(self) -> None:
        super().__init__("現在のパスワードが違います。", [Detail("current_password", "WRONG_PASSWORD")])


class WeakPassword(InvalidInput):
    """The new password is too easy to guess; the message says why."""

    def __init__(self, why: str) -> None:
        super().__init__(why, [Detail("new_password", "TOO_WEAK")])


class OwnAccountElsewhere(Conflict):
    """The own password and second factor are changed with the present password, on the page of the own account."""

    default_message = "自分のパスワードと二段階認証は、「自分のアカウント」の画面で変えてください。"
