from tsudoi.core.errors import Detail, InvalidInput, Problem, Unauthenticated


class PinNotAllowed(InvalidInput):
    """The new PIN is not four digits, is easy to guess, or is the old one; `details` says which."""

    default_message = "この暗証番号（PIN）は使えません。"

    def __init__(self, field: str, reason: str, message: str) -> None:
        super().__init__(message, details=[Detail(field, reason)])


class PinTrivial(PinNotAllowed):
    """The new PIN is one of those that strangers try first."""

    code = "PIN_TRIVIAL"

    def __init__(self, field: str) -> None:
        super().__init__(
            field, self.code, "推測されやすい暗証番号（PIN）は使えません。同じ数字や並んだ数字を避けてください。"
        )


class PinUnchanged(PinNotAllowed):
    """The new PIN is the old one."""

    code = "PIN_UNCHANGED"

    def __init__(self, field: str) -> None:
        super().__init__(field, self.code, "いまと同じ暗証番号（PIN）は使えません。別の4桁を入力してください。")


class WrongPin(Unauthenticated):
    """The PIN is wrong, or nobody has this number: the caller cannot tell which."""

    code = "WRONG_PIN"
    default_message = "職員番号または暗証番号（PIN）が正しくありません。"


class PinLocked(Problem):
    """Five failures in a row locked the account. Only the office can unlock it."""

    status = 423
    code = "PIN_LOCKED"
    default_message = (
        "暗証番号（PIN）を5回間違えたため、ロックされました。健診・予約の担当者にロックの解除を依頼してください。"
    )
