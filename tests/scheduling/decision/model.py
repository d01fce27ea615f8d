"""The rules once more, as plainly as possible: sets, and every completion of a thread tried one by one.

It shares nothing with the engine but the facts, so that a mistake would have to be made twice.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import chain, combinations, product

from tsudoi.scheduling.decision.rules.facts import DecisionRule, InviteeFacts, ThreadFacts

Answers = dict[str, set[str]]


def is_valid(rule: DecisionRule | None, said_yes: set[str], invited: set[str]) -> bool:
    if rule is None:
        return False
    named = set(rule.participants) or invited
    required = set(rule.required)
    others = (set(rule.optional) or invited) - required
    return {
        "ANY": len(said_yes & named) >= 1,
        "ALL": named != set() and named <= said_yes,
        "K_OF_N": len(said_yes & named) >= rule.k,
        "REQUIRED_PLUS_K": required <= said_yes
        and len(said_yes & others) >= rule.quorum
        and (required != set() or rule.quorum >= 1),
        "GROUP_ANY": any(len(said_yes & set(group.keys)) >= group.least for group in rule.groups),
    }[rule.type]


def offered(facts: ThreadFacts, now: datetime) -> list[str]:
    """The slots that can be chosen, the earliest first."""
    found = [slot for slot in facts.slots if slot.starts_at > now]
    return [slot.slot_id for slot in sorted(found, key=lambda slot: (slot.starts_at, slot.ends_at, slot.slot_id))]


def answers(facts: ThreadFacts, now: datetime, *, count_maybe: bool) -> Answers:
    def chosen(person: InviteeFacts) -> frozenset[str]:
        if person.status != "selected":
            return frozenset()
        return person.yes | person.maybe if count_maybe and facts.maybe_allowed else person.yes

    return {one: {person.key for person in facts.invitees if one in chosen(person)} for one in offered(facts, now)}


def open_people(facts: ThreadFacts, now: datetime) -> set[str]:
    said_something = set().union(*answers(facts, now, count_maybe=True).values())
    return {
        person.key
        for person in facts.invitees
        if person.key not in said_something and person.status != "declined" and person.expires_at > now
    }


def valid_slots(facts: ThreadFacts, given: Answers) -> list[str]:
    invited = {person.key for person in facts.invitees}
    return [slot_id for slot_id, said_yes in given.items() if is_valid(facts.rule, said_yes, invited)]


def completions(facts: ThreadFacts, now: datetime, given: Answers) -> Iterator[Answers]:
    """Every way in which those who may still answer can do so, with one slot each or with none."""
    people = sorted(open_people(facts, now))
    for choice in product([None, *given], repeat=len(people)):
        chosen = list(zip(people, choice, strict=True))
        yield {
            slot_id: said_yes | {key for key, one in chosen if one == slot_id} for slot_id, said_yes in given.items()
        }


def can_decide(facts: ThreadFacts, now: datetime, given: Answers) -> bool:
    return any(valid_slots(facts, completed) for completed in completions(facts, now, given))


def subsets(people: set[str]) -> Iterator[set[str]]:
    """The smallest first."""
    ordered = sorted(people)
    found = chain.from_iterable(combinations(ordered, size) for size in range(len(ordered) + 1))
    return (set(one) for one in found)


def fewest_who_decide(facts: ThreadFacts, now: datetime, given: Answers) -> dict[str, int]:
    """For each slot that can still be decided: how few more people are enough."""
    invited = {person.key for person in facts.invitees}
    found = {}
    for slot_id, said_yes in given.items():
        enough = (
            len(more) for more in subsets(open_people(facts, now)) if is_valid(facts.rule, said_yes | more, invited)
        )
        fewest = next(enough, None)
        if fewest is not None:
            found[slot_id] = fewest
    return found


def pivotal_people(facts: ThreadFacts, now: datetime, given: Answers) -> set[str]:
    """Those whose yes makes the difference for a slot, if the others answer in a certain way."""
    invited, still_open = {person.key for person in facts.invitees}, open_people(facts, now)
    return {
        key
        for key in still_open
        for said_yes in given.values()
        for others in subsets(still_open - {key})
        if is_valid(facts.rule, said_yes | others | {key}, invited)
        and not is_valid(facts.rule, said_yes | others, invited)
    }
