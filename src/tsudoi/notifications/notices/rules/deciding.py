"""Whether a due notice may go out, by the reservation as it is at that moment. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from tsudoi.core.clock import display
from tsudoi.notifications.notices.rules.facts import NoticeFacts
from tsudoi.notifications.notices.rules.making import DashReason, Kind

# LINE remembers a retry key for 24 hours. After that the same call could be a second message.
ASKED_AGAIN_FOR = timedelta(hours=23)
# The notice of a cancellation is only worth something at once.
CANCELLATION_IS_NEWS_FOR = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class DueNotice:
    """What the decision about a claimed job depends on."""

    kind: Kind
    revision: int
    scheduled_at: datetime
    # LINE may have taken it in an earlier attempt. Then content and recipient stay as they were.
    maybe_sent: bool = False
    first_attempt_at: datetime | None = None
    line_user_id: str | None = None


@dataclass(frozen=True, slots=True)
class Send:
    """LINE is called. `again`: with the recipient, the content and the key of the attempt before."""

    line_user_id: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class Dash:
    """There is no such notice any more, by rule."""

    reason: DashReason


@dataclass(frozen=True, slots=True)
class Fail:
    """The attempt fails without a call. `outcome` names it in the history; `error` begins with the cause."""

    outcome: str
    error: str
    outcome_unknown: bool = False


Decision = Send | Dash | Fail


def decide(job: DueNotice, facts: NoticeFacts, now: datetime) -> Decision:
    """A notice that LINE may have taken already cannot become "not sent" any more: it ends as unknown instead."""
    if job.maybe_sent and job.first_attempt_at is not None and now - job.first_attempt_at >= ASKED_AGAIN_FOR:
        return _unknown("no certain answer from LINE for 23 hours")
    decision = _dashed(job, facts) or _expired(job, facts, now) or _recipient(job, facts)
    if not job.maybe_sent or isinstance(decision, Send):
        return decision
    return _unknown(f"{decision.reason if isinstance(decision, Dash) else decision.error} before LINE had answered")


def is_bounded(kind: Kind, facts: NoticeFacts) -> bool:
    """Whether the day's bound holds for it. What the office cancels is always told: somebody would come for nothing."""
    return kind != "CANCEL_COMPLETED" or facts.canceled_by_owner


def _dashed(job: DueNotice, facts: NoticeFacts) -> Dash | None:
    if job.kind == "CANCEL_COMPLETED":
        return None if facts.state == "canceled" else Dash("NOT_CANCELLED")
    if facts.state == "canceled":
        return Dash("CANCELLED")
    if job.revision < facts.revision:
        return Dash("MOVED")
    return Dash("NOT_CONFIRMED") if facts.state == "hold" else None


def _expired(job: DueNotice, facts: NoticeFacts, now: datetime) -> Fail | None:
    """Late is worse than never, and it must be seen."""
    if job.kind == "CANCEL_COMPLETED":
        late = now - job.scheduled_at > CANCELLATION_IS_NEWS_FOR
        return Fail("EXPIRED", "EXPIRED: the cancellation was more than 24 hours ago") if late else None
    if now < facts.begins_at:
        return None
    return Fail("EXPIRED", f"EXPIRED: it began at {display(facts.begins_at)} (JST)")


def _recipient(job: DueNotice, facts: NoticeFacts) -> Send | Fail:
    if facts.line_user_id is None:
        return Fail("NO_LINE_LINK", "NO_LINE_LINK")
    if job.maybe_sent and job.line_user_id is not None:
        # Also when the link was moved meanwhile: recipient and content belong to the retry key, and only the same call
        # tells whether LINE had taken the notice.
        return Send(job.line_user_id, again=True)
    return Send(facts.line_user_id)


def _unknown(why: str) -> Fail:
    return Fail("UNKNOWN", f"UNKNOWN: {why}", outcome_unknown=True)
