"""The engine: what a rule says about a thread at one instant. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from tsudoi.scheduling.decision.rules.crowd import Crowd
from tsudoi.scheduling.decision.rules.facts import (
    Evaluation,
    PersonState,
    SlotEvaluation,
    SlotFacts,
    ThreadFacts,
    ThreadState,
)
from tsudoi.scheduling.decision.rules.judging import AnsweredSlot, JudgedSlot, SlotJudge
from tsudoi.scheduling.decision.rules.requirements import demands_of


@dataclass(frozen=True, slots=True)
class JudgedThread:
    """What the rule says about a thread, before the people behind the masks are named."""

    crowd: Crowd
    judge: SlotJudge
    slots: Sequence[JudgedSlot]
    people: dict[str, PersonState]
    state: ThreadState
    reason: str


def judge_thread(facts: ThreadFacts, now: datetime) -> JudgedThread:
    """△ counts only where nothing can be decided by ○ any more: an early △ must not decide over a later ○."""
    crowd = Crowd([person.key for person in facts.invitees])
    slots = sorted(facts.slots, key=lambda slot: (slot.starts_at, slot.ends_at, slot.slot_id))
    chosen = _chosen(facts, slots)
    people = _people(facts, {slot.slot_id for slot in slots if slot.starts_at > now}, now)
    open_people = crowd.mask(key for key, state in people.items() if state == "open")
    judge = SlotJudge(demands_of(facts.rule, crowd) if facts.rule else (), open_people, now, count_maybe=False)
    judged = [judge.judge(one) for one in chosen]
    if not any(one.possible for one in judged) and any(one.maybe for one in chosen):
        judge = replace(judge, count_maybe=True)
        judged = [judge.judge(one) for one in chosen]
    state = _state(facts, judged)
    return JudgedThread(crowd, judge, judged, people, state, _reason(facts, state, judged))


def evaluate(facts: ThreadFacts, now: datetime) -> Evaluation:
    """Everything that a screen shows. An answer that decides nothing needs `judge_thread` alone."""
    found = judge_thread(facts, now)
    judged, crowd = found.slots, found.crowd
    described = tuple(found.judge.described(one, crowd) for one in judged)
    evaluation = Evaluation(found.state, found.reason, described, found.people, decided=facts.decided)
    if found.state == "satisfied":
        waits = facts.waits_for_deadline and facts.rule is not None and facts.rule.auto_finalize
        return _with_winner(evaluation, judged, crowd, waits=waits)
    return _with_hope(evaluation, judged, crowd) if found.state == "open" else evaluation


def slot_to_finalize(evaluation: Evaluation, facts: ThreadFacts, *, at_deadline: bool) -> SlotEvaluation | None:
    """What the rule decides by itself: when an answer was written, or, with `at_deadline`, when the deadline is over.

    At the deadline △ counts wherever ○ alone is not enough.
    """
    if facts.status != "active" or facts.decided or facts.rule is None or not facts.rule.auto_finalize:
        return None
    if evaluation.winner is not None:
        return next(slot for slot in evaluation.slots if slot.slot_id == evaluation.winner)
    return next((slot for slot in evaluation.slots if slot.valid_with_maybe), None) if at_deadline else None


def participants_of(slot: SlotEvaluation, facts: ThreadFacts) -> tuple[str, ...]:
    """Who takes part if this slot is decided: everybody who said ○, and △ too where ○ alone is not enough."""
    if slot.valid or not slot.valid_with_maybe:
        return slot.yes
    together = {*slot.yes, *slot.maybe}
    return tuple(person.key for person in facts.invitees if person.key in together)


def _chosen(facts: ThreadFacts, slots: Sequence[SlotFacts]) -> list[AnsweredSlot]:
    """Who said ○ and who said △. Somebody who declined has chosen nothing."""
    yes, maybe = {slot.slot_id: 0 for slot in slots}, {slot.slot_id: 0 for slot in slots}
    for number, person in enumerate(facts.invitees):
        if person.status != "selected":
            continue
        bit = 1 << number
        for slot_id in person.yes:
            if slot_id in yes:
                yes[slot_id] |= bit
        for slot_id in person.maybe - person.yes if facts.maybe_allowed else ():
            if slot_id in maybe:
                maybe[slot_id] |= bit
    return [AnsweredSlot(slot, yes[slot.slot_id], maybe[slot.slot_id]) for slot in slots]


def _people(facts: ThreadFacts, offered: set[str], now: datetime) -> dict[str, PersonState]:
    """An answer whose slots were all removed or have begun is none. An answer of somebody who lapsed later counts."""
    found: dict[str, PersonState] = {}
    for person in facts.invitees:
        chosen = person.yes | person.maybe if facts.maybe_allowed else person.yes
        if person.status == "selected" and not offered.isdisjoint(chosen):
            found[person.key] = "yes"
        elif person.status == "declined":
            found[person.key] = "declined"
        else:
            found[person.key] = "open" if person.expires_at > now else "lapsed"
    return found


def _state(facts: ThreadFacts, judged: Sequence[JudgedSlot]) -> ThreadState:
    """A decision that was cancelled later is cancelled. Without a rule nothing decides, and nothing is impossible."""
    if facts.status == "cancelled":
        return "cancelled"
    if facts.decided:
        return "finalized"
    if any(one.decides for one in judged):
        return "satisfied"
    return "open" if facts.rule is None or any(one.possible for one in judged) else "impossible"


def _reason(facts: ThreadFacts, state: ThreadState, judged: Sequence[JudgedSlot]) -> str:
    if state in ("finalized", "cancelled", "satisfied"):
        return state.upper()
    if facts.rule is None:
        return "NO_RULE"
    if all(one.begun for one in judged):
        return "NO_SLOTS"
    if not facts.invitees:
        return "NO_INVITEES"
    return "WAITING" if state == "open" else "IMPOSSIBLE"


def _with_winner(found: Evaluation, judged: Sequence[JudgedSlot], crowd: Crowd, *, waits: bool) -> Evaluation:
    """The earliest slot wins. Everybody takes part who said yes to it, also if fewer would be enough.

    Where the decision waits for the deadline, those can change it who could make an earlier slot valid.
    """
    winner = next(one for one in judged if one.decides)
    chosen = winner.chosen
    counted = chosen.yes if winner.valid else chosen.yes | chosen.maybe
    earlier = judged[: judged.index(winner)] if waits else ()
    return replace(
        found,
        winner=chosen.slot.slot_id,
        winner_needs_maybe=not winner.valid,
        participants=crowd.keys(counted),
        can_change=crowd.keys(_wanted(earlier)),
    )


def _with_hope(found: Evaluation, judged: Sequence[JudgedSlot], crowd: Crowd) -> Evaluation:
    """The fewest people who could decide, and everybody who could help to. Without a rule there are none."""
    possible = [(one, slot) for one, slot in zip(judged, found.slots, strict=True) if one.possible and not one.decides]
    if not possible:
        return found
    _, slot = min(possible, key=lambda pair: pair[0].lack.size)
    chosen = crowd.mask((*slot.missing_all, *slot.missing_any[: slot.missing_count]))
    wanted = _wanted([one for one, _slot in possible])
    return replace(found, deciding_set=crowd.keys(chosen), deciding_slot=slot.slot_id, can_change=crowd.keys(wanted))


def _wanted(judged: Sequence[JudgedSlot]) -> int:
    found = 0
    for one in judged:
        found |= one.wanted
    return found
