"""The JSON of a rule: the document's examples, what is refused and where, and hostile values."""

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scheduling.decision.board import rule_json
from tests.sizes import size
from tsudoi.scheduling.decision.errors import BadRule
from tsudoi.scheduling.decision.rules.audiences import audiences_of, with_audiences
from tsudoi.scheduling.decision.rules.facts import DecisionRule, RuleGroup
from tsudoi.scheduling.decision.rules.parsing import DEFAULT_RULE, checked_rule, stored_rule, without_person

INVITED = ["a", "b", "c", "d"]
ALL = rule_json("ALL", participants=["a", "b"], slot_policy={"multiple_slots_allowed": False})
K_OF_N = rule_json("K_OF_N", participants=["a", "b", "c"], k=2, rule={"k": 2, "n": 3})
REQUIRED = rule_json(
    "REQUIRED_PLUS_K",
    required=["a"],
    optional=["b", "c", "d"],
    quorum=2,
    rule={"required_count": 1, "optional_quorum": 2},
)
BOARD = {"name": "理事会", "audience_id": 3, "any_of_invitee_keys": ["a", "b"], "min": 1}
GROUP = rule_json("GROUP_ANY", groups=[BOARD], rule={"groups": 1})
EXAMPLES = (DEFAULT_RULE, ALL, K_OF_N, REQUIRED, GROUP)


def refusal(raw: Any) -> list[tuple[str, str]]:
    with pytest.raises(BadRule) as caught:
        checked_rule(raw, INVITED)
    return [(detail.field, detail.reason) for detail in caught.value.details]


class TestCheckedRule:
    @pytest.mark.row("1.B.7")
    def test_understands_the_examples_of_the_document_and_a_group(self) -> None:
        assert [checked_rule(raw, INVITED) for raw in EXAMPLES] == [
            DecisionRule("ANY"),
            DecisionRule("ALL", participants=("a", "b"), multiple_slots_allowed=False),
            DecisionRule("K_OF_N", participants=("a", "b", "c"), k=2),
            DecisionRule("REQUIRED_PLUS_K", required=("a",), optional=("b", "c", "d"), quorum=2),
            DecisionRule("GROUP_ANY", groups=(RuleGroup("理事会", ("a", "b"), 1, 3),)),
        ]

    def test_leaves_what_it_was_given_as_it_is(self) -> None:
        for raw in EXAMPLES:
            before = deepcopy(raw)
            checked_rule(raw, INVITED)
            assert raw == before

    def test_takes_the_defaults_of_the_document_for_what_is_absent(self) -> None:
        assert checked_rule({"type": "ANY"}, ()) == checked_rule(DEFAULT_RULE, ())
        assert checked_rule({"type": "K_OF_N", "rule": {"k": 2}}, ()).k == 2
        assert checked_rule({"type": "REQUIRED_PLUS_K", "rule": {"optional_quorum": 2}}, ()).quorum == 2
        assert checked_rule(rule_json("GROUP_ANY", groups=[{"any_of_invitee_keys": ["a"]}]), "a").groups[0].least == 1

    @pytest.mark.row("1.B.5", "1.B.6", "1.B.7", "1.B.11")
    @pytest.mark.parametrize(
        ("raw", "field", "reason"),
        [
            ({}, "rule.type", "REQUIRED"),
            (rule_json("EXPRESSION"), "rule.type", "NOT_ALLOWED"),
            (rule_json("any"), "rule.type", "NOT_ALLOWED"),
            ({**DEFAULT_RULE, "version": "2.0"}, "rule.version", "NOT_ALLOWED"),
            ({**DEFAULT_RULE, "k": 1}, "rule.k", "UNKNOWN_FIELD"),
            ({**DEFAULT_RULE, "rule": {"k": 1}}, "rule.rule.k", "UNKNOWN_FIELD"),
            ({**DEFAULT_RULE, "rule": None}, "rule.rule", "INVALID_FORMAT"),
            ({**DEFAULT_RULE, "slot_policy": {"most": 1}}, "rule.slot_policy.most", "UNKNOWN_FIELD"),
            (
                {**DEFAULT_RULE, "finalize_policy": {"auto_finalize": True, "policy": "BEST_SCORE"}},
                "rule.finalize_policy.policy",
                "NOT_ALLOWED",
            ),
            (
                {**DEFAULT_RULE, "finalize_policy": {"auto_finalize": 1}},
                "rule.finalize_policy.auto_finalize",
                "INVALID_FORMAT",
            ),
            ({**ALL, "participants": ["a", "z"]}, "rule.participants.1", "NOT_INVITED"),
            ({**ALL, "participants": ["a", "a"]}, "rule.participants", "DUPLICATE"),
            ({**ALL, "participants": "ab"}, "rule.participants", "INVALID_FORMAT"),
            ({**ALL, "participants": ["a", 1]}, "rule.participants.1", "INVALID_FORMAT"),
            (rule_json("K_OF_N"), "rule.k", "REQUIRED"),
            ({**K_OF_N, "k": 0, "rule": {}}, "rule.k", "TOO_SMALL"),
            ({**K_OF_N, "k": -1, "rule": {}}, "rule.k", "TOO_SMALL"),
            ({**K_OF_N, "k": 4, "rule": {}}, "rule.k", "TOO_LARGE"),
            ({**K_OF_N, "k": 1}, "rule.rule.k", "MISMATCH"),
            ({**K_OF_N, "k": True}, "rule.k", "INVALID_FORMAT"),
            ({**K_OF_N, "k": 2.0}, "rule.k", "INVALID_FORMAT"),
            ({**K_OF_N, "k": "2"}, "rule.k", "INVALID_FORMAT"),
            ({**K_OF_N, "k": 10**400}, "rule.k", "TOO_LARGE"),
            ({**K_OF_N, "rule": {"k": 2, "n": 4}}, "rule.rule.n", "MISMATCH"),
            ({**REQUIRED, "quorum": 1}, "rule.rule.optional_quorum", "MISMATCH"),
            ({**REQUIRED, "quorum": 4, "rule": {}}, "rule.quorum", "TOO_LARGE"),
            ({**REQUIRED, "rule": {"required_count": 2}}, "rule.rule.required_count", "MISMATCH"),
            (rule_json("REQUIRED_PLUS_K", required=["a"]), "rule.quorum", "REQUIRED"),
            (rule_json("REQUIRED_PLUS_K", quorum=0), "rule.quorum", "TOO_SMALL"),
            ({**REQUIRED, "required": ["z"]}, "rule.required.0", "NOT_INVITED"),
            ({**REQUIRED, "participants": ["a"]}, "rule.participants", "UNKNOWN_FIELD"),
            ({**GROUP, "groups": []}, "rule.groups", "TOO_SHORT"),
            ({**GROUP, "groups": [BOARD] * 21}, "rule.groups", "TOO_LONG"),
            ({**GROUP, "rule": {"groups": 2}}, "rule.rule.groups", "MISMATCH"),
            ({**GROUP, "groups": [{**BOARD, "min": 3}]}, "rule.groups.0.min", "TOO_LARGE"),
            ({**GROUP, "groups": [{**BOARD, "min": 0}]}, "rule.groups.0.min", "TOO_SMALL"),
            ({**GROUP, "groups": [{**BOARD, "name": "a\0b"}]}, "rule.groups.0.name", "CONTROL_CHARACTER"),
            ({**GROUP, "groups": [{**BOARD, "name": "長" * 101}]}, "rule.groups.0.name", "TOO_LONG"),
            ({**GROUP, "groups": [{"name": "x"}]}, "rule.groups.0.any_of_invitee_keys", "REQUIRED"),
            ({**GROUP, "groups": [{**BOARD, "audience_id": 0}]}, "rule.groups.0.audience_id", "TOO_SMALL"),
        ],
    )
    def test_refuses(self, raw: dict[str, Any], field: str, reason: str) -> None:
        assert (field, reason) in refusal(raw)

    @pytest.mark.row("1.B.6")
    def test_accepts_somebody_in_both_lists(self) -> None:
        assert checked_rule({**REQUIRED, "optional": ["a", "b", "c"]}, INVITED).optional == ("a", "b", "c")

    def test_says_no_more_than_fifty_things_at_once(self) -> None:
        strangers = [f"e:{number}" for number in range(2000)]
        assert len(refusal({**ALL, "participants": strangers})) == 50
        assert refusal({**ALL, "participants": [*strangers, "one more"]}) == [("rule.participants", "TOO_LONG")]


HOSTILE_KEYS = st.sampled_from(
    ["type", "k", "rule", "participants", "groups", "min", "quorum", "\0", "\ud800", "é" * 300]
)
HOSTILE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(
        [10**400, -(10**400), float("nan"), float("inf"), "\0", "\ud800", "a" * 100_000, "ANY", "GROUP_ANY"]
    )
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(HOSTILE_KEYS, inner, max_size=4),
    max_leaves=12,
)


class TestHostileRules:
    @settings(max_examples=size(300, 5_000), deadline=None)
    @given(st.sampled_from(EXAMPLES), HOSTILE_KEYS, HOSTILE)
    def test_are_refused_and_never_raise_anything_else(self, raw: dict[str, Any], key: str, value: Any) -> None:
        for hostile in (value, {**raw, key: value}, {**raw, "rule": {key: value}}, {**GROUP, "groups": [{key: value}]}):
            try:
                rule = checked_rule(hostile, INVITED)
            except BadRule:
                continue
            assert stored_rule(json.dumps(hostile)) == rule

    def test_may_be_nested_deeply(self) -> None:
        deep: Any = []
        for _ in range(100_000):
            deep = [deep]
        assert refusal({**DEFAULT_RULE, "participants": deep}) == [("rule.participants.0", "INVALID_FORMAT")]
        assert refusal({**DEFAULT_RULE, "x": deep}) == [("rule.x", "UNKNOWN_FIELD")]


class TestStoredRule:
    def test_reads_what_was_checked(self) -> None:
        for raw in EXAMPLES:
            assert stored_rule(json.dumps(raw)) == checked_rule(raw, INVITED)

    def test_ignores_what_another_program_added(self) -> None:
        assert stored_rule(json.dumps({**DEFAULT_RULE, "note": "x", "rule": {"x": 1}})) == DecisionRule("ANY")

    def test_takes_numbers_as_they_are(self) -> None:
        found = stored_rule(json.dumps({**K_OF_N, "participants": ["a"]}))
        assert found == DecisionRule("K_OF_N", participants=("a",), k=2)

    def test_is_none_where_nobody_can_understand_it(self) -> None:
        for text in (None, "", "{", "null", "[]", "[" * 5000, '{"type":"EXPRESSION"}', '{"type":"K_OF_N"}', "\ud800"):
            assert stored_rule(text) is None, text


class TestWithoutPerson:
    @pytest.mark.row("1.I.10")
    def test_drops_the_key_and_counts_again(self) -> None:
        assert without_person(K_OF_N, "c") == {**K_OF_N, "participants": ["a", "b"], "rule": {"k": 2, "n": 2}}
        assert without_person(REQUIRED, "d") == {**REQUIRED, "optional": ["b", "c"]}
        without_a = {**REQUIRED, "required": [], "rule": {"required_count": 0, "optional_quorum": 2}}
        assert without_person(REQUIRED, "a") == without_a
        assert without_person(GROUP, "b")["groups"] == [{**BOARD, "any_of_invitee_keys": ["a"]}]

    def test_leaves_a_rule_alone_that_does_not_name_the_person(self) -> None:
        for raw in EXAMPLES:
            assert without_person(raw, "z") == raw

    def test_a_list_that_becomes_empty_no_longer_decides_by_itself(self) -> None:
        """An empty list means everybody: the first answer of anybody would decide."""
        only_a = rule_json("K_OF_N", participants=["a"], k=1)
        changed = without_person(only_a, "a")
        assert (changed["participants"], changed["finalize_policy"]["auto_finalize"]) == ([], False)
        assert only_a["finalize_policy"]["auto_finalize"] is True

    def test_keeps_the_number_that_is_asked_for_so_that_too_few_decide_nothing(self) -> None:
        left = without_person(without_person(K_OF_N, "c"), "b")
        assert stored_rule(json.dumps(left)) == DecisionRule("K_OF_N", participants=("a",), k=2)
        nobody = without_person(without_person(GROUP, "a"), "b")
        assert stored_rule(json.dumps(nobody)) == DecisionRule("GROUP_ANY", groups=(RuleGroup("理事会", (), 1, 3),))

    def test_survives_a_rule_of_another_shape(self) -> None:
        for raw in ({}, {"rule": 1, "participants": "a", "groups": 3}, {"groups": [1, {"any_of_invitee_keys": 1}]}):
            assert without_person(raw, "a").keys() == raw.keys()


class TestAudiences:
    def test_fill_the_groups_that_name_them(self) -> None:
        raw = rule_json("GROUP_ANY", groups=[{"audience_id": 3}, BOARD, {"name": "x"}])
        assert audiences_of(raw) == [3, 3]
        filled = with_audiences(raw, {3: ["lm:1", "lm:2"]})
        assert filled["groups"] == [{"audience_id": 3, "any_of_invitee_keys": ["lm:1", "lm:2"]}, BOARD, {"name": "x"}]
        assert raw["groups"][0] == {"audience_id": 3}

    def test_leave_everything_else_alone(self) -> None:
        for raw in (DEFAULT_RULE, {"groups": "x"}, {"groups": [1, {"audience_id": True}, {"audience_id": 10**30}]}):
            assert (audiences_of(raw), with_audiences(raw, {})) == ([], raw)
