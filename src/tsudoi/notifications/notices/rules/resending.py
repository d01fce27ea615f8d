"""Whether a person may have a notice sent again, and with which retry key. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from tsudoi.notifications.notices.rules.deciding import ASKED_AGAIN_FOR

ResendRefusal = Literal[
    "ALREADY_SENT",
    "ALREADY_PENDING",
    "NOT_SENDABLE",
    "CANCEL_NOTICE_IS_FINAL",
    "RESERVATION_CANCELED",
    "ALREADY_BEGUN",
    "NO_LINE_LINK",
    "MAYBE_SENT",
]


@dataclass(frozen=True, slots=True)
class ResendFacts:
    """Everything that decides whether a notice may be sent again."""

    kind: str
    status: str
    # Whether the notice is about the current time of the reservation, and not about the time before a move.
    is_current: bool
    # An attempt ended without a certain answer, so LINE may have taken it.
    maybe_sent: bool
    first_attempt_at: datetime | None
    confirmed: bool
    canceled: bool
    begins_at: datetime
    linked: bool
    # The attempts went to another LINE account than the one that the person has linked now.
    link_moved: bool = False


def refusal(facts: ResendFacts, now: datetime, *, accept_duplicate: bool) -> ResendRefusal | None:
    """The code of the first reason against it, or None."""
    reasons: tuple[tuple[bool, ResendRefusal], ...] = (
        (facts.status == "SENT", "ALREADY_SENT"),
        (facts.status == "PENDING", "ALREADY_PENDING"),
        (facts.status == "DASH", "NOT_SENDABLE"),
        (facts.kind == "CANCEL_COMPLETED", "CANCEL_NOTICE_IS_FINAL"),
        (facts.canceled, "RESERVATION_CANCELED"),
        (not facts.is_current or not facts.confirmed, "NOT_SENDABLE"),
        (facts.begins_at <= now, "ALREADY_BEGUN"),
        (not facts.linked, "NO_LINE_LINK"),
        (may_arrive_twice(facts, now) and not accept_duplicate, "MAYBE_SENT"),
    )
    return next((code for applies, code in reasons if applies), None)


def may_arrive_twice(facts: ResendFacts, now: datetime) -> bool:
    """LINE may have taken the message, and no longer knows its retry key."""
    return facts.maybe_sent and needs_new_key(facts.first_attempt_at, now)


def needs_new_key(first_attempt_at: datetime | None, now: datetime) -> bool:
    return first_attempt_at is not None and now >= first_attempt_at + ASKED_AGAIN_FOR
