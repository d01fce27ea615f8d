from tsudoi.core.errors import Detail, InvalidInput, Problem, Unavailable


class MailIsOff(Unavailable):
    """No mail goes out, so that no address can be proved."""

    code = "MAIL_UNAVAILABLE"
    default_message = "ただいま確認メールを送れません。お急ぎの場合は、店舗にお電話ください。"


class MailIsDown(MailIsOff):
    """There is a mail server, and it takes nothing at this moment; it may in some minutes."""


class LinkSpent(Problem):
    """The mailed link is unknown, was used before, or is too old. The three look the same."""

    status = 410
    code = "LINK_SPENT"
    default_message = "このリンクは使用済みか、有効期限（30分）が切れています。もう一度メールをお送りください。"


class WrongCode(InvalidInput):
    """The code is not the one in the mail."""

    code = "CODE_WRONG"

    def __init__(self, tries_left: int) -> None:
        more = f"あと{tries_left}回入力できます。" if tries_left else "新しいコードをお送りください。"
        super().__init__(f"コードが違います。{more}", [Detail("code", "WRONG")])
        self.tries_left = tries_left


class CodeSpent(Problem):
    """There is no code that works: none was asked for, or it is too old, used, or was tried five times."""

    status = 410
    code = "CODE_EXPIRED"
    default_message = "コードの有効期限が切れたか、入力できる回数を超えました。新しいコードをお送りください。"
