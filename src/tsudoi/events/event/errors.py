from tsudoi.core.errors import Conflict, NotFound


class NoSuchEvent(NotFound):
    """There is no event with this id."""

    default_message = "このイベントは見つかりません。"


class EventCancelled(Conflict):
    """The event was cancelled: nothing more is decided or answered."""

    code = "EVENT_CANCELLED"
    default_message = "このイベントは中止になりました。"


class DeadlinePassed(Conflict):
    """The event's own deadline for answers has passed."""

    code = "DEADLINE_PASSED"
    default_message = "回答の期限を過ぎています。事務局にご連絡ください。"


class EventOver(Conflict):
    """The day of the event, in Japan, is over, and the office wants no answers after it."""

    code = "EVENT_OVER"
    default_message = "終了したイベントのため、回答を受け付けていません。"
