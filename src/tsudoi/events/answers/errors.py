from tsudoi.core.errors import Detail, Forbidden, InvalidInput


class NotInvited(Forbidden):
    """The caller is a member, but is not invited to this event."""

    code = "NOT_INVITED"
    default_message = "このイベントの対象ではありません。"


class NotATarget(InvalidInput):
    """The office answers for a member who is not invited."""

    def __init__(self) -> None:
        super().__init__("この会員は、このイベントの対象ではありません。", [Detail("member_id", "NOT_INVITED")])


class BadMemo(InvalidInput):
    """The memo is too long or has more than one line. It is only checked where the event has a memo field."""

    def __init__(self, reason: str) -> None:
        super().__init__(details=[Detail("extra_text", reason)])
