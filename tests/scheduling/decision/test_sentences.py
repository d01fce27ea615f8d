"""The sentences for organisers."""

import pytest

from tests.scheduling.decision.board import NAMES, NOW, SLOTS, rule, thread
from tsudoi.scheduling.decision.rules.evaluating import evaluate
from tsudoi.scheduling.decision.rules.facts import DecisionRule, FinalDecision
from tsudoi.scheduling.decision.rules.sentences import decision_sentence, explanation, missing_sentence, rule_sentence

TWO_OF_ABC = rule("K_OF_N", participants=["a", "b", "c"], k=2)
BY_HAND = rule("ANY", finalize_policy={"auto_finalize": False})
_WHEN = "2026/12/02 12:00"
_DECIDE = "よければ決定してください。"
_WAYS_ON = "回答の変更をお願いするか、候補日、招待する人、または決め方を変えてください。"
GROUPS = [{"name": "理事会", "any_of_invitee_keys": ["a", "b"]}, {"any_of_invitee_keys": ["c", "d"], "min": 2}]


class TestRuleSentence:
    @pytest.mark.parametrize(
        ("kind", "sentence"),
        [
            (rule("ANY"), "招待した人のうち誰か1人が○と答えれば自動で決まります。"),
            (rule("ANY", participants=["a"]), "青木さんが○と答えれば自動で決まります。"),
            (rule("ALL"), "招待した全員が揃えば自動で決まります。"),
            (rule("ALL", participants=["a", "b"]), "青木さんと馬場さんが揃えば自動で決まります。"),
            (rule("ALL", participants=list("abcdef")), "青木さん、馬場さん、千葉さんほか3人が揃えば自動で決まります。"),
            (rule("K_OF_N", k=2), "招待した人のうち2人が揃えば自動で決まります。"),
            (TWO_OF_ABC, "青木さん、馬場さん、千葉さんのうち2人が揃えば自動で決まります。"),
            (rule("REQUIRED_PLUS_K", required=["a"], quorum=2), "青木さんと、ほかに2人が揃えば自動で決まります。"),
            (
                rule("REQUIRED_PLUS_K", required=["a"], optional=["a", "b", "c"], quorum=1),
                "青木さんと、馬場さんと千葉さんのうち1人が揃えば自動で決まります。",
            ),
            (rule("REQUIRED_PLUS_K", required=["a"], quorum=0), "青木さんが○と答えれば自動で決まります。"),
            (rule("REQUIRED_PLUS_K", quorum=2), "招待した人のうち2人が揃えば自動で決まります。"),
            (
                rule("GROUP_ANY", groups=GROUPS),
                "「理事会」から1人、または千葉さんと土井さんのうち2人が揃えば自動で決まります。",
            ),
            (
                BY_HAND,
                "招待した人のうち誰か1人が○と答えれば条件を満たします。自動では決まらないので、主催者が決定します。",
            ),
        ],
    )
    def test_says_what_decides(self, kind: DecisionRule, sentence: str) -> None:
        assert rule_sentence(kind, NAMES) == sentence

    def test_survives_a_person_who_is_gone(self) -> None:
        assert "招待されていない人" in rule_sentence(DecisionRule("ALL", participants=("z",)), NAMES)


class TestExplanation:
    @pytest.mark.parametrize(
        ("people", "kind", "sentence"),
        [
            (
                "a b c1",
                TWO_OF_ABC,
                "まだ決まっていません。あと1人（青木さん）が2026/12/02 12:00に○と答えると決まります。",
            ),
            (
                "a1",
                BY_HAND,
                _WHEN + "は1人が参加でき、条件を満たしています。自動では決まらないので、よければ決定してください。",
            ),
            (
                "a1 b?1 c-",
                TWO_OF_ABC,
                _WHEN + "は○だけでは決まらないため△も数えると、2人が参加でき、条件を満たしています。" + _DECIDE,
            ),
            (
                "a- b! c1",
                TWO_OF_ABC,
                "いまの回答のままでは決まりません。青木さんは参加できません。馬場さんは期限までに回答していません。"
                + _WAYS_ON,
            ),
            ("", TWO_OF_ABC, "まだ誰も招待していません。招待する人を追加してください。"),
        ],
    )
    def test_says_where_it_stands(self, people: str, kind: DecisionRule, sentence: str) -> None:
        facts = thread(people, kind)
        assert explanation(evaluate(facts, NOW), facts) == sentence

    def test_of_a_rule_that_waits_for_the_deadline(self) -> None:
        facts = thread("a1", rule("ANY"), waits_for_deadline=True)
        told = explanation(evaluate(facts, NOW), facts)
        assert told == f"{_WHEN}は1人が参加でき、条件を満たしています。回答の期限に自動で決まります。"

    def test_of_other_states(self) -> None:
        decided = FinalDecision("1", None, (), auto=True)
        cases = {
            "2026/12/02 12:00に決まりました。": thread("a", None, status="finalized", decided=decided),
            "削除された候補日に決まりました。": thread("a", None, decided=decided, slots=()),
            "この日程調整は中止になりました。": thread("a", None, status="cancelled"),
            "選べる候補日がありません。これからの候補日を追加してください。": thread("a", TWO_OF_ABC, slots=SLOTS[:1]),
        }
        for sentence, facts in cases.items():
            assert explanation(evaluate(facts, NOW), facts) == sentence
        no_rule = thread("a1", None)
        assert explanation(evaluate(no_rule, NOW), no_rule).startswith("決め方が設定されていない")


class TestMissingSentence:
    @pytest.mark.parametrize(
        ("people", "kind", "sentence"),
        [
            ("a1 b1 c", TWO_OF_ABC, None),
            ("a1 b c", TWO_OF_ABC, "あと馬場さんと千葉さんのうち1人が○と答えると、この日に決まります。"),
            ("a1 b c-", TWO_OF_ABC, "あと馬場さんが○と答えると、この日に決まります。"),
            ("a1 b- c-", TWO_OF_ABC, "いまの回答のままでは、この日には決まりません。1人の○が足りません。"),
            ("a b", rule("ALL"), "あと青木さんと馬場さんが○と答えると、この日に決まります。"),
            (
                "a b c",
                rule("REQUIRED_PLUS_K", required=["a"], quorum=1),
                "あと青木さんと、馬場さんと千葉さんのうち1人が○と答えると、この日に決まります。",
            ),
            ("a- b", rule("ALL"), "いまの回答のままでは、この日には決まりません。青木さんと馬場さんの○が足りません。"),
        ],
    )
    def test_says_who_is_missing(self, people: str, kind: DecisionRule, sentence: str | None) -> None:
        found = evaluate(thread(people, kind), NOW)
        assert missing_sentence(found.slots[1], NAMES) == sentence
        assert missing_sentence(found.slots[0], NAMES) is None


class TestDecisionSentence:
    def test_says_why_the_rule_decided_and_names_nobody(self) -> None:
        assert decision_sentence(2, needs_maybe=False) == "2人が参加でき、条件を満たしたため自動で決まりました。"
        assert decision_sentence(2, needs_maybe=True, at_deadline=True) == (
            "回答の期限になり、○だけでは決まらないため△も数えて、2人が参加でき、条件を満たしたため自動で決まりました。"
        )
