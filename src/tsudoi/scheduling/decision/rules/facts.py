"""What the engine is given, and what it finds. Pure.

One instant decides: everything is judged at the `now` of one transaction, and times are compared as instants.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

RuleType = Literal["ANY", "ALL", "K_OF_N", "REQUIRED_PLUS_K", "GROUP_ANY"]
ThreadState = Literal["finalized", "cancelled", "satisfied", "open", "impossible"]
# What is known of one person: has chosen a slot that can still be chosen, has declined, may still answer, or may not.
PersonState = Literal["yes", "declined", "open", "lapsed"]


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """A group of a GROUP_ANY rule: so many of these people are enough."""

    name: str
    keys: tuple[str, ...]
    least: int
    audience_id: int | None = None


@dataclass(frozen=True, slots=True)
class DecisionRule:
    """An attendance rule after parsing. Empty `participants` or `optional` mean everybody who is invited now."""

    type: RuleType
    participants: tuple[str, ...] = ()
    k: int = 1
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    quorum: int = 0
    groups: tuple[RuleGroup, ...] = ()
    multiple_slots_allowed: bool = True
    allow_unregistered: bool = True
    auto_finalize: bool = True


@dataclass(frozen=True, slots=True)
class SlotFacts:
    """A slot of the thread."""

    slot_id: str
    starts_at: datetime
    ends_at: datetime


class InviteeFacts(NamedTuple):
    """A person who is asked, with the answer as it is stored. A tuple, because each answer reads the whole thread."""

    key: str
    name: str
    # pending, selected, declined.
    status: str
    yes: frozenset[str]
    maybe: frozenset[str]
    # Until when the person may answer.
    expires_at: datetime
    # The stored row of the answer, if there is one.
    selection_id: str | None = None


@dataclass(frozen=True, slots=True)
class FinalDecision:
    """The decision of a thread that is decided."""

    slot_id: str
    reason: str | None
    participants: tuple[str, ...]
    auto: bool


@dataclass(frozen=True, slots=True)
class ThreadFacts:
    """Everything that a decision depends on. Invitees are in the order of their invitation, slots in that of time."""

    # active, draft, cancelled, finalized.
    status: str
    rule: DecisionRule | None
    slots: tuple[SlotFacts, ...]
    invitees: tuple[InviteeFacts, ...]
    maybe_allowed: bool = True
    decided: FinalDecision | None = None
    # A rule that is fulfilled waits for the deadline: until then an earlier slot may become valid.
    waits_for_deadline: bool = False


@dataclass(frozen=True, slots=True)
class SlotEvaluation:
    """One slot: who said yes, whether that is enough, and who is missing."""

    slot_id: str
    # It has begun: it can be neither chosen nor decided.
    begun: bool
    yes: tuple[str, ...]
    maybe: tuple[str, ...]
    # The rule is fulfilled by ○ alone; by ○ and △.
    valid: bool
    valid_with_maybe: bool
    # The rule could be fulfilled if everybody who is open said yes.
    possible: bool
    # The people whose answers would fulfil the rule: all of `missing_all`, and `missing_count` of `missing_any`.
    missing_all: tuple[str, ...] = ()
    missing_any: tuple[str, ...] = ()
    missing_count: int = 0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the rule says about a thread at one instant."""

    state: ThreadState
    # For programs: NO_RULE, NO_SLOTS, NO_INVITEES, WAITING, SATISFIED, IMPOSSIBLE, FINALIZED, CANCELLED.
    reason: str
    slots: tuple[SlotEvaluation, ...]
    people: dict[str, PersonState]
    # The slot that wins if it is decided now, and those who said yes to it.
    winner: str | None = None
    winner_needs_maybe: bool = False
    participants: tuple[str, ...] = ()
    # The fewest people whose yes to `deciding_slot` would decide.
    deciding_set: tuple[str, ...] = ()
    deciding_slot: str | None = None
    # Open people who can still change the outcome, in the order of their invitation.
    can_change: tuple[str, ...] = ()
    decided: FinalDecision | None = field(default=None)
