"""Who is reminded, who is not and why, and until when a reminded person may answer. Pure."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from tsudoi.scheduling.decision.rules.facts import Evaluation, PersonState
from tsudoi.scheduling.delivery.rules.channels import way_to
from tsudoi.scheduling.delivery.rules.messages import Addressee, MessageSettings

WhyNotReminded = Literal[
    "ANSWERED", "DECLINED", "EXPIRED", "CANNOT_CHANGE", "REMINDED_TODAY", "UNREACHABLE", "UNKNOWN", "QUOTA"
]
# As for a new invitation.
_TIME_TO_ANSWER = timedelta(hours=72)


@dataclass(frozen=True, slots=True)
class ReminderWish:
    """Whom the organiser wants to remind. `keys` None: those for whom it makes sense."""

    keys: tuple[str, ...] | None = None
    # Ask those again who declined.
    force: bool = False


@dataclass(frozen=True, slots=True)
class ReminderHistory:
    """Whom no message has reached so far, and who was reminded on this Japanese day."""

    never_reached: frozenset[str] = frozenset()
    reminded_today: frozenset[str] = frozenset()


def why_not_reminded(
    person: Addressee, wish: ReminderWish, evaluation: Evaluation, history: ReminderHistory, common: MessageSettings
) -> WhyNotReminded | None:
    """None: the person is reminded."""
    key = person.invitee_key
    state = evaluation.people.get(key, "lapsed")
    helps = key in evaluation.can_change or key in history.never_reached
    reason = _why_not_asked(state, wish, named=wish.keys is not None, helps=helps)
    if reason is not None:
        return reason
    if key in history.reminded_today:
        return "REMINDED_TODAY"
    return "UNREACHABLE" if way_to(person, common).channel == "call" else None


def _why_not_asked(state: PersonState, wish: ReminderWish, *, named: bool, helps: bool) -> WhyNotReminded | None:
    match state:
        case "yes":
            return "ANSWERED"
        case "declined":
            return None if wish.force else "DECLINED"
        case "lapsed":
            return None if named else "EXPIRED"
        case "open":
            return None if named or helps else "CANNOT_CHANGE"


def unknown_keys(wish: ReminderWish, people: Collection[Addressee]) -> list[str]:
    """Names of nobody who is invited, each once and in the order of the request."""
    known = {person.invitee_key for person in people}
    return list(dict.fromkeys(key for key in wish.keys or () if key not in known))


def new_expiry(expires_at: datetime, now: datetime, deadline_at: datetime | None, extend_hours: int | None) -> datetime:
    """Until when a reminded person may answer: never shorter than before, and longer where the time is over."""
    if extend_hours is not None:
        return max(expires_at, now + timedelta(hours=extend_hours))
    if expires_at > now:
        return expires_at
    return deadline_at if deadline_at is not None and deadline_at > now else now + _TIME_TO_ANSWER
