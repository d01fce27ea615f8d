"""Each rule on small threads: `a12` is a person who said ○ to the slots 1 and 2 (see `board`)."""

from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from tests.scheduling.decision.board import HOUR, NOW, SLOTS, rule, slot, thread
from tsudoi.scheduling.decision.rules.evaluating import evaluate, participants_of, slot_to_finalize
from tsudoi.scheduling.decision.rules.facts import DecisionRule, FinalDecision, RuleGroup

ANY, ALL = rule("ANY"), rule("ALL")
ALL_OF_AB = rule("ALL", participants=["a", "b"])
TWO = rule("K_OF_N", k=2)
TWO_OF_ABC = rule("K_OF_N", participants=["a", "b", "c"], k=2, rule={"k": 2, "n": 3})
A_AND_ONE_OF_BC = rule("REQUIRED_PLUS_K", required=["a"], optional=["b", "c"], quorum=1)
A_AND_ONE = rule("REQUIRED_PLUS_K", required=["a"], optional=[], quorum=1)
OVERLAPPING = rule("REQUIRED_PLUS_K", required=["a"], optional=["a", "b"], quorum=1)
ONE_OF_AB_OR_TWO_OF_CD = rule(
    "GROUP_ANY",
    groups=[
        {"name": "理事会", "any_of_invitee_keys": ["a", "b"], "min": 1},
        {"name": "営業部", "any_of_invitee_keys": ["c", "d"], "min": 2},
    ],
)
NOBODY_LEFT = DecisionRule("GROUP_ANY", groups=(RuleGroup("理事会", (), 1),))


@pytest.mark.row("1.B.2", "1.B.3", "1.B.4", "1.B.6")
@pytest.mark.parametrize(
    ("kind", "people", "state", "winner"),
    [
        (ANY, "a b", "open", None),
        (ANY, "a b2", "satisfied", "2"),
        (ANY, "a- b-", "impossible", None),
        (ANY, "a- b!", "impossible", None),
        (ANY, "", "impossible", None),
        (rule("ANY", participants=["a"]), "a b1", "open", None),
        (ALL, "a12 b2", "satisfied", "2"),
        (ALL, "a12 b", "open", None),
        (ALL, "a1 b2", "impossible", None),
        (ALL, "a1 b-", "impossible", None),
        (ALL, "a1 b!", "impossible", None),
        (ALL, "a1 b1!", "satisfied", "1"),
        (ALL, "", "impossible", None),
        (ALL_OF_AB, "a1 b1 c", "satisfied", "1"),
        (ALL_OF_AB, "a1 c1", "impossible", None),
        (TWO, "a1 b2 c", "open", None),
        (TWO, "a1 b2 c12", "satisfied", "1"),
        (TWO, "a1 b2", "impossible", None),
        (TWO, "a", "impossible", None),
        (TWO_OF_ABC, "a1 d1 b c", "open", None),
        (TWO_OF_ABC, "a1 d1 b1 c", "satisfied", "1"),
        (TWO_OF_ABC, "a1 d1 b- c-", "impossible", None),
        (A_AND_ONE_OF_BC, "b1 c1 a", "open", None),
        (A_AND_ONE_OF_BC, "a1 d1 b c", "open", None),
        (A_AND_ONE_OF_BC, "a1 b1 c", "satisfied", "1"),
        (A_AND_ONE_OF_BC, "a- b1 c1", "impossible", None),
        (A_AND_ONE_OF_BC, "b1 c1", "impossible", None),
        (A_AND_ONE, "a1 d1", "satisfied", "1"),
        (A_AND_ONE, "a1", "impossible", None),
        (OVERLAPPING, "a1 b", "open", None),
        (OVERLAPPING, "a1 b1", "satisfied", "1"),
        (OVERLAPPING, "a1 b-", "impossible", None),
        (ONE_OF_AB_OR_TWO_OF_CD, "a b c1 d", "open", None),
        (ONE_OF_AB_OR_TWO_OF_CD, "a b2 c d", "satisfied", "2"),
        (ONE_OF_AB_OR_TWO_OF_CD, "a- b- c1 d1", "satisfied", "1"),
        (ONE_OF_AB_OR_TWO_OF_CD, "a- b- c1 d2", "impossible", None),
        (ONE_OF_AB_OR_TWO_OF_CD, "a- b- c1 e1", "impossible", None),
        (NOBODY_LEFT, "a1 b1", "impossible", None),
        (DecisionRule("REQUIRED_PLUS_K"), "a1 b1", "impossible", None),
        (None, "a1 b1", "open", None),
    ],
)
def test_state(kind: DecisionRule | None, people: str, state: str, winner: str | None) -> None:
    found = evaluate(thread(people, kind), NOW)
    assert (found.state, found.winner) == (state, winner)
    assert evaluate(thread(people, kind, slots=()), NOW).state == ("open" if kind is None else "impossible")


class TestEarliestValid:
    @pytest.mark.row("1.B.12")
    def test_an_instant_counts_and_not_the_text_of_its_offset(self) -> None:
        far = timezone(timedelta(hours=-10))
        west, east = slot("west", 30), slot("east", 31)
        west = replace(west, starts_at=west.starts_at.astimezone(far), ends_at=west.ends_at.astimezone(far))
        facts = thread("a", ANY, slots=(east, west))
        said_yes = facts.invitees[0]._replace(status="selected", yes=frozenset({"west", "east"}))
        found = evaluate(replace(facts, invitees=(said_yes,)), NOW)
        assert found.winner == "west"

    @pytest.mark.row("1.B.12")
    def test_of_two_that_begin_together_the_shorter_wins_then_the_smaller_id(self) -> None:
        slots = (slot("2", 24, length=2), slot("3", 24), slot("1", 24, length=2), slot("4", 25))
        assert evaluate(thread("a1234", ANY, slots=slots), NOW).winner == "3"
        assert evaluate(thread("a124", ANY, slots=slots), NOW).winner == "1"

    @pytest.mark.row("1.B.12")
    def test_a_slot_that_has_begun_is_never_decided(self) -> None:
        found = evaluate(thread("a02", ANY), NOW)
        assert found.winner == "2"
        assert found.slots[0].begun
        assert found.slots[0].yes == ("a",)
        assert (found.slots[0].valid, found.slots[0].possible) == (False, False)

    def test_all_who_said_yes_take_part_in_the_order_of_their_invitation(self) -> None:
        found = evaluate(thread("d1 b2 a1 c1", TWO_OF_ABC), NOW)
        assert (found.winner, found.participants) == ("1", ("d", "a", "c"))


class TestPeople:
    def test_have_one_of_four_states(self) -> None:
        found = evaluate(thread("a b! c- d1 e1! f!", ALL), NOW)
        assert found.people == {"a": "open", "b": "lapsed", "c": "declined", "d": "yes", "e": "yes", "f": "lapsed"}

    def test_are_open_again_when_their_slots_have_begun_or_are_gone(self) -> None:
        found = evaluate(thread("a0 b9 c0! d09!", ALL), NOW)
        assert found.people == {"a": "open", "b": "open", "c": "lapsed", "d": "lapsed"}

    def test_who_declined_has_chosen_nothing_whatever_the_row_says(self) -> None:
        facts = thread("a1", ANY)
        declined = facts.invitees[0]._replace(status="declined")
        assert evaluate(replace(facts, invitees=(declined,)), NOW).state == "impossible"


class TestMissing:
    @pytest.mark.parametrize(
        ("kind", "people", "missing"),
        [
            (ALL, "a b1 c- d", (("a", "c", "d"), (), 0)),
            (ALL_OF_AB, "b c", (("b", "a"), (), 0)),
            (TWO_OF_ABC, "a1 b c d", ((), ("b", "c"), 1)),
            (TWO_OF_ABC, "a1 b1 c d", ((), (), 0)),
            (A_AND_ONE_OF_BC, "a b c d", (("a",), ("b", "c"), 1)),
            (A_AND_ONE_OF_BC, "a b1 c d", (("a",), (), 0)),
            (ONE_OF_AB_OR_TWO_OF_CD, "c d a b", ((), ("a", "b"), 1)),
            (ONE_OF_AB_OR_TWO_OF_CD, "a- b- c1 d", ((), ("d",), 1)),
        ],
    )
    def test_is_told_for_each_slot(
        self, kind: DecisionRule, people: str, missing: tuple[tuple[str, ...], tuple[str, ...], int]
    ) -> None:
        found = evaluate(thread(people, kind), NOW).slots[1]
        assert (found.missing_all, found.missing_any, found.missing_count) == missing

    def test_the_deciding_set_is_the_smallest_then_that_of_the_earliest_slot(self) -> None:
        found = evaluate(thread("a b c1 d2 e", rule("K_OF_N", k=3)), NOW)
        assert (found.deciding_slot, found.deciding_set) == ("1", ("a", "b"))
        found = evaluate(thread("a b c2 d2 e", rule("K_OF_N", k=3)), NOW)
        assert (found.deciding_slot, found.deciding_set) == ("2", ("a",))

    def test_only_open_people_who_are_needed_can_change_the_outcome(self) -> None:
        assert evaluate(thread("d a b c1", TWO_OF_ABC), NOW).can_change == ("a", "b")
        assert evaluate(thread("d b1 c a", A_AND_ONE_OF_BC), NOW).can_change == ("c", "a")
        assert evaluate(thread("c d a- b!", ONE_OF_AB_OR_TWO_OF_CD), NOW).can_change == ("c", "d")
        assert evaluate(thread("c d- a b!", ONE_OF_AB_OR_TWO_OF_CD), NOW).can_change == ("a",)

    def test_before_the_deadline_those_who_could_make_an_earlier_slot_valid(self) -> None:
        later = thread("a2 b c-", ANY, waits_for_deadline=True)
        assert (evaluate(later, NOW).winner, evaluate(later, NOW).can_change) == ("2", ("b",))
        assert evaluate(thread("a1 b c-", ANY, waits_for_deadline=True), NOW).can_change == ()
        assert evaluate(thread("a3 b3 c d", TWO_OF_ABC, waits_for_deadline=True), NOW).can_change == ()
        by_hand = rule("ANY", finalize_policy={"auto_finalize": False})
        assert evaluate(thread("a2 b", by_hand, waits_for_deadline=True), NOW).can_change == ()

    def test_nobody_can_change_what_is_satisfied_or_impossible(self) -> None:
        for people in ("a1 b1 c", "a- b- c"):
            found = evaluate(thread(people, TWO_OF_ABC), NOW)
            assert (found.can_change, found.deciding_set, found.deciding_slot) == ((), (), None), people


class TestMaybe:
    def test_does_not_count_while_a_yes_can_still_decide(self) -> None:
        found = evaluate(thread("a1 b?1 c", TWO), NOW)
        assert (found.state, found.deciding_set, found.slots[1].valid_with_maybe) == ("open", ("c",), True)
        assert slot_to_finalize(found, thread("a1 b?1 c", TWO), at_deadline=False) is None

    def test_counts_when_no_slot_can_be_decided_by_yes_alone(self) -> None:
        found = evaluate(thread("c?1 a1 b2", TWO), NOW)
        assert (found.state, found.winner, found.winner_needs_maybe) == ("satisfied", "1", True)
        assert found.participants == ("c", "a")

    def test_a_later_slot_with_yes_wins_over_an_earlier_one_with_maybe(self) -> None:
        found = evaluate(thread("a2?1 b2?1", ALL), NOW)
        assert (found.winner, found.winner_needs_maybe, found.participants) == ("2", False, ("a", "b"))

    def test_and_an_open_person_together_keep_a_thread_open(self) -> None:
        found = evaluate(thread("a1 b?1 c", ALL), NOW)
        assert (found.state, found.deciding_set) == ("open", ("c",))

    def test_counts_at_the_deadline_where_yes_alone_is_not_enough(self) -> None:
        facts = thread("b?2 a2 c", TWO)
        found = slot_to_finalize(evaluate(facts, NOW), facts, at_deadline=True)
        assert found is not None
        assert (found.slot_id, participants_of(found, facts)) == ("2", ("b", "a"))

    def test_somebody_who_said_maybe_to_a_slot_that_yes_decides_does_not_take_part(self) -> None:
        facts = thread("a1 b1 c?1", TWO)
        found = slot_to_finalize(evaluate(facts, NOW), facts, at_deadline=False)
        assert found is not None
        assert participants_of(found, facts) == evaluate(facts, NOW).participants == ("a", "b")

    def test_does_not_take_part_in_a_slot_that_is_valid_in_no_way(self) -> None:
        facts = thread("a1 b?1 c- d-", rule("K_OF_N", k=3))
        assert participants_of(evaluate(facts, NOW).slots[1], facts) == ("a",)

    def test_is_not_told_of_somebody_who_said_yes_to_the_same_slot(self) -> None:
        assert evaluate(thread("a1?12", ANY), NOW).slots[1].maybe == ()

    def test_counts_for_nothing_where_it_is_not_allowed(self) -> None:
        found = evaluate(thread("a1 b?1", ALL, maybe_allowed=False), NOW)
        assert (found.state, found.people["b"], found.slots[1].maybe) == ("open", "open", ())


class TestSlotToFinalize:
    def test_is_the_winner(self) -> None:
        facts = thread("a2", ANY)
        found = slot_to_finalize(evaluate(facts, NOW), facts, at_deadline=False)
        assert found is not None
        assert (found.slot_id, participants_of(found, facts)) == ("2", ("a",))

    @pytest.mark.row("1.B.9")
    def test_is_none_where_the_rule_does_not_decide_by_itself(self) -> None:
        by_hand = rule("ANY", finalize_policy={"auto_finalize": False, "policy": "EARLIEST_VALID"})
        facts = thread("a2", by_hand)
        found = evaluate(facts, NOW)
        assert (found.state, found.winner, found.participants) == ("satisfied", "2", ("a",))
        assert slot_to_finalize(found, facts, at_deadline=False) is None
        assert slot_to_finalize(found, facts, at_deadline=True) is None

    def test_is_none_for_a_thread_that_is_not_active_and_for_one_without_a_rule(self) -> None:
        for status in ("draft", "cancelled", "finalized"):
            facts = thread("a2", ANY, status=status)
            assert slot_to_finalize(evaluate(facts, NOW), facts, at_deadline=True) is None, status
        facts = thread("a2", None)
        assert slot_to_finalize(evaluate(facts, NOW), facts, at_deadline=True) is None


class TestReason:
    def test_says_why_for_programs(self) -> None:
        decided = FinalDecision("1", None, ("a",), auto=True)
        cases = {
            "NO_RULE": thread("a1", None),
            "NO_SLOTS": thread("a", ANY, slots=SLOTS[:1]),
            "NO_INVITEES": thread("", ANY),
            "WAITING": thread("a", ANY),
            "SATISFIED": thread("a1", ANY),
            "IMPOSSIBLE": thread("a-", ANY),
            "FINALIZED": thread("a-", ANY, status="finalized", decided=decided),
            "CANCELLED": thread("a1", ANY, status="cancelled"),
        }
        assert {reason: evaluate(facts, NOW).reason for reason, facts in cases.items()} == {
            each: each for each in cases
        }

    def test_a_decided_thread_reports_the_decision_and_not_the_rule(self) -> None:
        decided = FinalDecision("3", "会長の都合", (), auto=False)
        found = evaluate(thread("a1", ANY, status="finalized", decided=decided), NOW)
        assert (found.state, found.winner, found.decided, found.can_change) == ("finalized", None, decided, ())
        assert evaluate(thread("a1", ANY, status="cancelled", decided=decided), NOW).state == "cancelled"


def test_one_instant_decides() -> None:
    """An invitation lapses, and a slot begins, at the very instant that is named."""
    facts = thread("a b", ANY)
    assert evaluate(facts, NOW + HOUR - timedelta(microseconds=1)).people["a"] == "open"
    assert evaluate(facts, NOW + HOUR).people["a"] == "lapsed"
    begins = SLOTS[1].starts_at
    assert not evaluate(facts, begins - timedelta(microseconds=1)).slots[1].begun
    assert evaluate(facts, begins).slots[1].begun
