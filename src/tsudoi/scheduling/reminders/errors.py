from tsudoi.core.errors import Conflict


class DraftIsNotReminded(Conflict):
    """Nobody has been asked yet, so that nobody can be reminded."""

    code = "NOT_SENT_YET"
    default_message = "この日程調整はまだ下書きです。先に招待を送信してください。"
