from typing import ClassVar

from tsudoi.core.errors import Detail, InvalidInput


class BadMailAddress(InvalidInput):
    """A mail address to which nothing can be sent. The message does not repeat it, because messages are logged."""

    code = "INVALID_MAIL_ADDRESS"
    default_message = "メールアドレスの形が正しくありません。半角の「名前@ドメイン」の形で入力してください。"
    field: ClassVar[str] = "email"

    def __init__(self, reason: str) -> None:
        super().__init__(details=[Detail(self.field, reason)])
        self.reason = reason


class UnsendableText(InvalidInput):
    """A field of a mail has a character that must not stand there, such as a line break in the subject."""

    code = "UNSENDABLE_TEXT"
    default_message = "メールに使えない文字（改行や制御文字）が含まれています。"

    def __init__(self, field: str) -> None:
        super().__init__(details=[Detail(field, "FORBIDDEN_CHARACTER")])
        self.field = field
