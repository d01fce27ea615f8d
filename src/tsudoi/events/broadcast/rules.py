"""Constants and rules of broadcasts. Pure."""

from tsudoi.line.delivery import rules as delivery

# How many recipients one chunk has at most.
CHUNK = delivery.MULTICAST_LIMIT
# Kinds that are invitations: what `event_push_stats` counts.
INVITATIONS = ("invite", "late")
# The state of a delivery whose outcome is that of its chunk.
WAITING = "WAITING"
CANCELLED = "cancelled"
_OWN_REASONS = {CANCELLED: "送る前にイベントが中止されたため、送っていません。"}


def explanation(state: str, reason: str | None) -> str:
    """Why somebody did not get the message and what can be done about it, in Japanese for the office."""
    return delivery.explanation(state, reason, _OWN_REASONS)


def may_resend(kind: str, *, cancelled: bool, begun: bool, is_newest: bool) -> bool:
    """Whether the content of a broadcast is still true, so that it may be sent to those who did not get it.

    `begun`: the event has begun. `is_newest`: no later broadcast of this kind was decided; only the newest change says
    how things are now.
    """
    if cancelled:
        return kind == "cancel"
    if kind == "change":
        return is_newest
    return not begun
