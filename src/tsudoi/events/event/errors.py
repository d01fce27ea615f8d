from tsudoi.core.errors import Conflict, NotFound


class NoSuchEvent(NotFound):
    default_message = "このイベントは見つかりません。"


class EventCancelled(Conflict):
    code = "EVENT_CANCELLED"
    default_message = "このイベントは中止になりました。"


class DeadlinePassed(Conflict):
    code = "DEADLINE_PASSED"
    default_message = "回答の期限を過ぎています。事務局にご連絡ください。"
