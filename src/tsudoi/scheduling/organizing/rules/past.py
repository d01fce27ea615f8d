"""A thread as it was at some moment, from the answers that were ever given. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from tsudoi.core.clock import parse_text
from tsudoi.scheduling.decision.rules.facts import InviteeFacts, SlotFacts, ThreadFacts


@dataclass(frozen=True, slots=True)
class PastAnswer:
    """An answer as it was given. `slots` has the times as they were, because slots may be removed later."""

    key: str
    name: str
    status: str
    slots: Sequence[dict[str, str]]
    comment: str | None
    via: str
    answered_by: str | None
    answered_at: datetime


def newest(answers: Iterable[PastAnswer]) -> dict[str, PastAnswer]:
    """The last answer of each person; `answers` are in the order in which they were given."""
    return {answer.key: answer for answer in answers}


def facts_then(
    now: ThreadFacts, answers: dict[str, PastAnswer], slots: Iterable[str], people: Iterable[str]
) -> ThreadFacts:
    """`slots` and `people`: those that existed at that moment and still do. Removed ones come from the answers."""
    known, there = frozenset(slots), frozenset(people)
    found = {slot.slot_id: slot for slot in now.slots if slot.slot_id in known}
    for answer in answers.values():
        for slot in answer.slots:
            times = parse_text(slot["start_at"]), parse_text(slot["end_at"])
            found.setdefault(slot["slot_id"], SlotFacts(slot["slot_id"], *times))
    invitees = [_then(person, answers.get(person.key)) for person in now.invitees if person.key in there]
    return replace(
        now,
        slots=tuple(sorted(found.values(), key=lambda slot: (slot.starts_at, slot.ends_at, slot.slot_id))),
        invitees=tuple(invitees),
    )


def undecided(facts: ThreadFacts) -> ThreadFacts:
    """Before its decision a thread was open."""
    return replace(facts, status="active", decided=None)


def _then(person: InviteeFacts, answer: PastAnswer | None) -> InviteeFacts:
    if answer is None:
        return person._replace(status="pending", yes=frozenset(), maybe=frozenset())
    by_kind = {
        kind: frozenset(slot["slot_id"] for slot in answer.slots if slot["answer"] == kind) for kind in ("yes", "maybe")
    }
    return person._replace(status=answer.status, yes=by_kind["yes"], maybe=by_kind["maybe"])
