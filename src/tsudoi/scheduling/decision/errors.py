from collections.abc import Sequence

from tsudoi.core.errors import Detail, InvalidInput


class BadRule(InvalidInput):
    """The attendance rule cannot be used as it was sent; `details` names each field below `rule`."""

    code = "BAD_RULE"
    default_message = "決め方の指定に誤りがあります。対象の人と人数を確かめてください。"

    def __init__(self, details: Sequence[Detail]) -> None:
        super().__init__(details=details)
