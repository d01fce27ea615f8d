"""The engine and the plain model agree on every thread that Hypothesis finds."""

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scheduling.decision.board import HOUR, NOW, slot
from tests.scheduling.decision.model import (
    answers,
    can_decide,
    fewest_who_decide,
    is_valid,
    offered,
    open_people,
    pivotal_people,
    valid_slots,
)
from tests.sizes import size
from tsudoi.scheduling.decision.rules.evaluating import evaluate, participants_of, slot_to_finalize
from tsudoi.scheduling.decision.rules.facts import DecisionRule, InviteeFacts, RuleGroup, SlotFacts, ThreadFacts

PEOPLE, SLOTS = "abcde", "123"
# `x` is named by rules although nobody invited x.
KEYS = st.lists(st.sampled_from([*PEOPLE, *PEOPLE, "x"]), unique=True, max_size=5).map(tuple)
CHOICES = st.frozensets(st.sampled_from([*SLOTS, *SLOTS, "gone"]), max_size=3)
GROUPS = st.builds(RuleGroup, st.just("班"), KEYS, st.integers(1, 3))
RULES = st.builds(
    DecisionRule,
    st.sampled_from(["ANY", "ALL", "K_OF_N", "REQUIRED_PLUS_K", "GROUP_ANY"]),
    participants=KEYS,
    k=st.integers(1, 3),
    required=KEYS.map(lambda keys: keys[:2]),
    optional=KEYS,
    quorum=st.integers(0, 2),
    groups=st.lists(GROUPS, min_size=1, max_size=3).map(tuple),
    auto_finalize=st.booleans(),
)


@st.composite
def invitees(draw: st.DrawFn, key: str) -> InviteeFacts:
    status = draw(st.sampled_from(["selected", "selected", "selected", "pending", "pending", "declined"]))
    yes = draw(CHOICES)
    maybe = draw(CHOICES)
    expires_at = NOW + draw(st.sampled_from([100, 100, 1, 0, -1])) * HOUR
    return InviteeFacts(key, key, status, yes, maybe, expires_at)


@st.composite
def slots(draw: st.DrawFn) -> tuple[SlotFacts, ...]:
    """Some have begun, and some begin together."""
    ids = draw(st.lists(st.sampled_from(SLOTS), unique=True, min_size=1))
    return tuple(slot(one, draw(st.sampled_from([5, 5, 6, 7, 0, -1])), length=draw(st.integers(1, 2))) for one in ids)


@st.composite
def threads(draw: st.DrawFn) -> ThreadFacts:
    invited = draw(
        st.permutations(PEOPLE).flatmap(
            lambda order: st.sampled_from([5, 4, 4, 3, 2, 0]).map(lambda many: order[:many])
        )
    )
    return ThreadFacts(
        status="active",
        rule=draw(RULES | st.none() if draw(st.integers(0, 20)) == 0 else RULES),
        slots=draw(slots()),
        invitees=tuple(draw(invitees(key)) for key in invited),
        maybe_allowed=draw(st.booleans()),
    )


def expected(facts: ThreadFacts) -> dict[str, Any]:
    given_answers = answers(facts, NOW, count_maybe=False)
    if not can_decide(facts, NOW, given_answers):
        given_answers = answers(facts, NOW, count_maybe=True)
    winner = next(iter(valid_slots(facts, given_answers)), None)
    possible = facts.rule is None or can_decide(facts, NOW, given_answers)
    participants = given_answers[winner] if winner else set[str]()
    return {
        "state": "satisfied" if winner else "open" if possible else "impossible",
        "winner": winner,
        "participants": tuple(person.key for person in facts.invitees if person.key in participants),
        "answers": given_answers,
    }


@settings(max_examples=size(200, 5_000), deadline=None)
@given(threads())
def test_state_winner_and_participants(facts: ThreadFacts) -> None:
    found, wanted = evaluate(facts, NOW), expected(facts)
    assert {name: getattr(found, name) for name in ("state", "winner", "participants")} == {
        name: wanted[name] for name in ("state", "winner", "participants")
    }
    assert {key for key, state in found.people.items() if state == "open"} == open_people(facts, NOW)
    plain, both = answers(facts, NOW, count_maybe=False), answers(facts, NOW, count_maybe=True)
    invited = {person.key for person in facts.invitees}
    for one in found.slots:
        assert one.valid == (one.slot_id in valid_slots(facts, plain))
        assert one.valid_with_maybe == (one.slot_id in valid_slots(facts, both))
        if not one.begun:
            assert (set(one.yes), {*one.yes, *one.maybe}) == (plain[one.slot_id], both[one.slot_id])
        assert one.begun == (one.slot_id not in offered(facts, NOW))
        hopeful = wanted["answers"].get(one.slot_id)
        assert one.possible == (
            hopeful is not None and is_valid(facts.rule, hopeful | open_people(facts, NOW), invited)
        )


@settings(max_examples=size(200, 5_000), deadline=None)
@given(threads())
def test_the_deciding_set_decides_and_no_smaller_one_does(facts: ThreadFacts) -> None:
    found, wanted = evaluate(facts, NOW), expected(facts)
    fewest = fewest_who_decide(facts, NOW, wanted["answers"]) if wanted["state"] == "open" else {}
    if not fewest:
        assert (found.deciding_set, found.deciding_slot) == ((), None)
        return
    assert found.deciding_slot == min(fewest, key=lambda one: (fewest[one], list(fewest).index(one)))
    assert len(found.deciding_set) == fewest[found.deciding_slot]
    assert set(found.deciding_set) <= open_people(facts, NOW)
    completed = wanted["answers"] | {
        found.deciding_slot: wanted["answers"][found.deciding_slot] | set(found.deciding_set)
    }
    assert found.deciding_slot in valid_slots(facts, completed)


@settings(max_examples=size(200, 5_000), deadline=None)
@given(threads())
def test_nobody_who_can_change_the_outcome_is_left_out(facts: ThreadFacts) -> None:
    found, wanted = evaluate(facts, NOW), expected(facts)
    pivotal = pivotal_people(facts, NOW, wanted["answers"]) if wanted["state"] == "open" else set[str]()
    assert pivotal <= set(found.can_change) <= open_people(facts, NOW)
    if facts.rule and facts.rule.type != "GROUP_ANY":
        assert pivotal == set(found.can_change)


@settings(max_examples=size(200, 5_000), deadline=None)
@given(threads(), st.sampled_from(SLOTS))
def test_one_more_yes_never_spoils_a_slot(facts: ThreadFacts, slot_id: str) -> None:
    before = evaluate(facts, NOW)
    more = tuple(
        person._replace(status="selected", yes=person.yes | {slot_id})
        if before.people[person.key] == "open"
        else person
        for person in facts.invitees
    )
    after = {one.slot_id: one for one in evaluate(replace(facts, invitees=more), NOW).slots}
    assert all(after[one.slot_id].valid for one in before.slots if one.valid)


@settings(max_examples=size(200, 5_000), deadline=None)
@given(threads(), st.booleans())
def test_what_is_decided_by_itself(facts: ThreadFacts, at_deadline: bool) -> None:
    wanted = expected(facts)
    found = slot_to_finalize(evaluate(facts, NOW), facts, at_deadline=at_deadline)
    slot_id, taking_part = wanted["winner"], wanted["participants"]
    if slot_id is None and at_deadline:
        with_maybe = answers(facts, NOW, count_maybe=True)
        slot_id = next(iter(valid_slots(facts, with_maybe)), None)
        together = with_maybe[slot_id] if slot_id else set[str]()
        taking_part = tuple(person.key for person in facts.invitees if person.key in together)
    if facts.rule is None or not facts.rule.auto_finalize or slot_id is None:
        assert found is None
        return
    assert found is not None
    assert (found.slot_id, participants_of(found, facts)) == (slot_id, taking_part)
