from tsudoi.core.errors import ChangedMeanwhile, Conflict, Detail, InvalidInput, NotFound


class TooManyPeople(InvalidInput):
    """More people than one thread can ask."""

    code = "TOO_MANY_PEOPLE"

    def __init__(self, field: str, most: int) -> None:
        message = f"1つの日程調整に招待できるのは{most}人までです。グループを分けて作成してください。"
        super().__init__(message, [Detail(field, "TOO_MANY")])


class TooManySlots(Conflict):
    """More slots than one thread can have."""

    code = "TOO_MANY_SLOTS"
    default_message = "候補日は50件までです。使わない候補日を削除してから追加してください。"


class NotADraft(Conflict):
    """The invitations have gone out already."""

    code = "ALREADY_SENT"
    default_message = "この日程調整の招待は送信済みです。画面を読み込み直して確認してください。"


class NothingToAsk(Conflict):
    """A draft without a slot that can still be chosen, or without people, is not sent."""

    code = "NOTHING_TO_ASK"
    default_message = "これから選べる候補日と、招待する人がそれぞれ1つ以上必要です。追加してから送信してください。"


class DeadlineIsOver(Conflict):
    """The deadline of the thread is over, so that nobody could answer."""

    code = "DEADLINE_PASSED"
    default_message = "回答の期限を過ぎています。期限を変更してから、もう一度お試しください。"


class StillADraft(Conflict):
    """A draft can be changed and sent, but not decided."""

    code = "NOT_SENT_YET"
    default_message = "この日程調整はまだ下書きです。招待を送信してから決めてください。"


class StaleThread(ChangedMeanwhile):
    """Somebody else changed the thread after the screen was loaded."""

    default_message = "ほかの人がこの日程調整を変更しました。画面を読み込み直してから、もう一度お試しください。"


class StaleRule(ChangedMeanwhile):
    """The rule has a newer edition than the one that the caller wants to replace."""

    code = "RULE_CHANGED"
    default_message = "決め方は、ほかの人が先に変更しました。画面を読み込み直してから、もう一度お試しください。"


class RuleNeedsPerson(Conflict):
    """Without this person the rule asks for more people than it names."""

    code = "RULE_NEEDS_PERSON"
    default_message = "この人を外すと、決め方に必要な人数が足りなくなります。先に決め方を変更してください。"


class DecidedOtherwise(Conflict):
    """Another slot is decided."""

    code = "THREAD_FINALIZED"
    default_message = "日程はすでに別の候補日に決まっています。変える場合は、先に決定を取り消してください。"


class SlotIsFinal(Conflict):
    """The slot is the one that was decided."""

    code = "SLOT_FINALIZED"
    default_message = "この候補日に決まっているため、削除できません。先に決定を取り消してください。"


class NotDecided(Conflict):
    """There is no decision that could be taken back, or made into an event."""

    code = "NOT_FINALIZED"
    default_message = "日程はまだ決まっていません。"


class NoMembersTakePart(Conflict):
    """An event is for members, and nobody of the participants is one."""

    code = "NO_MEMBERS"
    default_message = "参加する人の中に、イベントに招待できる会員がいません。名簿の会員が参加する日程から作成できます。"


class EventsAreOff(Conflict):
    """The installation has no events."""

    code = "EVENTS_OFF"
    default_message = "イベント機能が使われていないため、イベントは作成できません。"


class NoSuchInvitee(NotFound):
    """Nobody in the thread has this key."""

    code = "INVITEE_NOT_FOUND"
    default_message = "この人は招待されていません。画面を読み込み直してください。"


class NoSuchThreadSlot(NotFound):
    """The thread has no such slot."""

    code = "SLOT_NOT_FOUND"
    default_message = "この候補日は見つかりません。画面を読み込み直してください。"
