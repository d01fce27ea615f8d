from tsudoi.core.errors import Conflict


class CannotErase(Conflict):
    """Something keeps the person from being erased; the message says what."""

    code = "CANNOT_ERASE"
    default_message = "いまは消去できません。"
