from tsudoi.core.errors import Detail, Forbidden, InvalidInput


class NotInvited(Forbidden):
    """A member, but not one of those who were asked."""

    code = "NOT_INVITED"
    default_message = "このイベントの対象ではありません。"


class NotATarget(InvalidInput):
    """The office answers for somebody who was not asked."""

    def __init__(self) -> None:
        super().__init__("この会員は、このイベントの対象ではありません。", [Detail("member_id", "NOT_INVITED")])


class BadMemo(InvalidInput):
    """The memo is too long or not one line. Only the event tells whether it is looked at at all."""

    def __init__(self, reason: str) -> None:
        super().__init__(details=[Detail("extra_text", reason)])
