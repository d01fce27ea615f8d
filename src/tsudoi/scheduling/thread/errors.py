from typing import Any

from tsudoi.core.errors import Conflict, Detail, InvalidInput, NotFound, Problem


class NoSuchInvitation(NotFound):
    """No invitation has this token, or it has not been sent yet."""

    code = "INVITE_NOT_FOUND"
    default_message = "この招待は見つかりません。届いたメールまたはLINEのリンクを、もう一度そのまま開いてください。"


class InvitationExpired(Problem):
    """The time to answer is over."""

    status = 410
    code = "INVITE_EXPIRED"
    default_message = "回答の期限を過ぎました。主催者が再送すると、同じリンクからもう一度回答できます。"


class ThreadFinalized(Conflict):
    """The date is decided, so that nobody can answer any more."""

    code = "THREAD_FINALIZED"
    default_message = "日程はすでに決まりました。"


class ThreadCancelled(Conflict):
    """The thread was cancelled."""

    code = "THREAD_CANCELLED"
    default_message = "この日程調整は中止になりました。"


class UnknownSlot(InvalidInput):
    """The slot does not belong to this thread."""

    code = "UNKNOWN_SLOT"
    default_message = "選んだ候補日はこの日程調整にありません。画面を読み込み直してください。"

    def __init__(self, field: str) -> None:
        super().__init__(details=[Detail(field, "UNKNOWN_SLOT")])


class SlotPast(InvalidInput):
    """The slot has begun, so that nobody can choose it any more."""

    code = "SLOT_PAST"
    default_message = "選んだ候補日はすでに過ぎています。ほかの日を選んでください。"

    def __init__(self, field: str) -> None:
        super().__init__(details=[Detail(field, "SLOT_PAST")])


class OneSlotOnly(InvalidInput):
    """The rule of this thread allows one slot for each person."""

    code = "ONE_SLOT_ONLY"
    default_message = "この日程調整では、選べる候補日は1つだけです。"

    def __init__(self, field: str) -> None:
        super().__init__(details=[Detail(field, "ONE_SLOT_ONLY")])


class NoSuchThread(NotFound):
    """There is no thread with this id."""

    code = "THREAD_NOT_FOUND"
    default_message = "この日程調整は見つかりません。一覧から選び直してください。"


class RuleNotSatisfied(Conflict):
    """The rule is not fulfilled for this slot, and the organiser gave no reason to decide it all the same."""

    code = "RULE_NOT_SATISFIED"
    default_message = "この候補日は、まだ決め方の条件を満たしていません。この日に決める場合は、理由を入力してください。"

    def __init__(self, evaluation: dict[str, Any]) -> None:
        super().__init__(details=[Detail("reason", "REQUIRED")])
        # Where the thread stands, for the body of the response.
        self.evaluation = evaluation
