from collections.abc import Sequence

from tsudoi.core.errors import Conflict, Detail, InvalidInput, NotFound


class NotAnInvitee(InvalidInput):
    """The office answers for somebody who is not asked in this thread."""

    code = "NOT_INVITED"
    default_message = "この人はこの日程調整に招待されていません。先に招待してください。"

    def __init__(self) -> None:
        super().__init__(details=[Detail("invitee_key", "NOT_INVITED")])


class NotSentYet(Conflict):
    """The thread is a draft: nobody is asked yet, so that there is nothing to answer."""

    code = "NOT_SENT_YET"
    default_message = "まだ下書きです。招待を送ってから回答を記録してください。"


class NotDecidedYet(Conflict):
    """Late answers are for a date that is decided; before that everybody answers as usual."""

    code = "NOT_DECIDED"
    default_message = "日程はまだ決まっていません。いつもの回答の画面から答えてください。"


class NothingDecided(NotFound):
    """There is no calendar file before the date is decided."""

    code = "NOT_DECIDED"
    default_message = "日程はまだ決まっていません。決まると、このリンクからカレンダーに登録できます。"


class SlotsNotSeen(InvalidInput):
    """The form of the page has slots without a mark, and has not asked yet whether they are to become ×."""

    def __init__(self, slot_ids: Sequence[str]) -> None:
        self.slot_ids = tuple(slot_ids)
        super().__init__(
            f"まだ見ていない候補が{len(slot_ids)}つあります。選ばない日は × になります。",
            [Detail("confirm_unchosen", "REQUIRED")],
        )
