"""Whether a message that was decided earlier must still go out, and why not. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tsudoi.core.clock import parse_utc
from tsudoi.scheduling.delivery.rules.messages import ASKING

CANCELLED, REMOVED, DECIDED, ANSWERED = "THREAD_CANCELLED", "REMOVED", "DECIDED", "ANSWERED"
EXPIRED, STOPPED, OUTDATED = "EXPIRED", "MAIL_STOPPED", "OUTDATED"
WHY_CALLED_OFF = {
    CANCELLED: "送る前に中止になったため、送っていません。",
    REMOVED: "送る前に招待が取り消されたため、送っていません。",
    DECIDED: "送る前に日程が決まったため、送っていません。",
    ANSWERED: "送る前に回答があったため、送っていません。",
    EXPIRED: "送る前に回答期限を過ぎたため、送っていません。",
    STOPPED: "ご本人がこの件のメールを停止したため、送っていません。",
    OUTDATED: "送る前に決定が変わったため、送っていません。",
}
# LINE leads to somebody else now, or to nobody: the message goes another way.
LINK_CHANGED = "LINK_CHANGED"
WHY_ANOTHER_WAY = {LINK_CHANGED: "送る前にLINEの連携が変わりました。"}
# The state of a thread of which each message tells.
_TELLS_OF = {
    "decision": "finalized",
    "added": "finalized",
    "late": "finalized",
    "reopened": "active",
    "cancelled": "cancelled",
}


@dataclass(frozen=True, slots=True)
class MessageSituation:
    """What a message says, and how things are now."""

    type: str
    data: dict[str, Any]
    # None: the thread was deleted.
    thread_status: str | None
    sequence: int
    # None: the person is no longer invited.
    expires_at: datetime | None
    responded_at: datetime | None


def why_called_off(message: MessageSituation, now: datetime) -> str | None:
    """A code of `WHY_CALLED_OFF`, or None when the message is still true."""
    if message.thread_status is None or message.expires_at is None:
        return REMOVED
    if message.thread_status == "cancelled" and message.type != "cancelled":
        return CANCELLED
    if message.type in ASKING:
        return _why_not_asked(message, message.expires_at, now)
    same = message.sequence == message.data.get("sequence") and message.thread_status == _TELLS_OF[message.type]
    return None if same else OUTDATED


def _why_not_asked(message: MessageSituation, expires_at: datetime, now: datetime) -> str | None:
    if message.thread_status != "active":
        return DECIDED
    known = message.data.get("responded_at")
    # Who had answered before and is asked all the same is asked again, until the person answers once more.
    if message.responded_at is not None and (known is None or message.responded_at != parse_utc(known)):
        # New slots are news for those who answer meanwhile, too.
        return None if message.type == "slots_added" else ANSWERED
    return EXPIRED if expires_at <= now else None
