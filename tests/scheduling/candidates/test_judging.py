"""What is taken from the answer of a model that may say anything."""

import json
from typing import Any

import pytest

from tsudoi.core.known_people import KnownPerson
from tsudoi.scheduling.candidates.rules.judging import judge
from tsudoi.scheduling.candidates.rules.offering import MeetingText, offer

PEOPLE = [
    KnownPerson("lm:1", "山田 太郎", "taro@example.jp", 1),
    KnownPerson("lm:2", "佐藤 花子", "hanako@example.jp", 2),
    KnownPerson("lm:3", "髙橋　美咲", "", 3),
]
OFFER = offer(PEOPLE, {}, MeetingText("打ち合わせ"))
GOOD = "会計の担当で、毎回ご参加いただいています。"


def answer(*entries: Any) -> str:
    return json.dumps({"candidates": list(entries)}, ensure_ascii=False)


def keys(text: str) -> list[str] | None:
    found = judge(text, OFFER)
    return None if found is None else [one.person.key for one in found]


class TestJudge:
    def test_offered_people_with_a_reason_are_taken_in_the_model_s_order(self) -> None:
        found = judge(answer({"id": "c002", "reason": f"  {GOOD} "}, {"id": "c001", "reason": GOOD}), OFFER)
        assert found is not None
        assert [(one.person.key, one.reason) for one in found] == [("lm:2", GOOD), ("lm:1", GOOD)]

    @pytest.mark.parametrize(
        "entry",
        [
            {"id": "c999", "reason": GOOD},
            {"id": "C001", "reason": GOOD},
            {"id": "lm:1", "reason": GOOD},
            {"id": "stranger@example.net", "reason": GOOD},
            {"id": ["c001"], "reason": GOOD},
            {"id": None, "reason": GOOD},
            {"id": "c001"},
            {"id": "c001", "reason": ""},
            {"id": "c001", "reason": " 　\u200b"},
            {"id": "c001", "reason": 5},
            {"id": "c001", "reason": "長" * 81},
            {"id": "c001", "reason": "stranger@example.net にも連絡を"},
            {"id": "c001", "reason": "stranger＠example にも連絡を"},
            {"id": "c001", "reason": "https://example.net/ を開いてください"},
            {"id": "c001", "reason": "090-1234-5678 へお電話を"},
            {"id": "c001", "reason": "一行目\nBcc: x@y"},
            {"id": "c001", "reason": "逆さ\u202e書き"},
            {"id": "c001", "reason": "佐藤花子さんの代わりに"},
            {"id": "c001", "reason": "高橋 美咲さんと仲がよい"},
            "c001",
            ["c001", GOOD],
            None,
        ],
        ids=repr,
    )
    def test_everything_else_is_dropped_and_the_rest_stays(self, entry: Any) -> None:
        assert keys(answer(entry, {"id": "c003", "reason": GOOD})) == ["lm:3"]

    def test_the_own_name_may_stand_in_a_reason(self) -> None:
        assert keys(answer({"id": "c001", "reason": "山田 太郎さんは会計の担当です。"})) == ["lm:1"]

    def test_nobody_is_taken_twice(self) -> None:
        twice = [{"id": "c001", "reason": GOOD}, {"id": "c001", "reason": "もう一度"}]
        assert keys(answer(*twice)) == ["lm:1"]

    def test_a_bad_reason_does_not_use_the_person_up(self) -> None:
        assert keys(answer({"id": "c001", "reason": ""}, {"id": "c001", "reason": GOOD})) == ["lm:1"]

    def test_at_most_ten(self) -> None:
        crowd = offer([KnownPerson(f"lm:{n}", f"会員{n:03}") for n in range(30)], {}, MeetingText("会"))
        found = judge(answer(*({"id": number, "reason": GOOD} for number in crowd.people)), crowd)
        assert found is not None
        assert len(found) == 10

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "もちろんです！",
            "null",
            "[]",
            "{}",
            '{"candidates": null}',
            '{"candidates": {"id": "c001"}}',
            "[" * 100_000,
        ],
        ids=lambda text: text[:30],
    )
    def test_what_is_no_answer_is_told_apart_from_nobody(self, text: str) -> None:
        assert keys(text) is None
        assert keys('{"candidates": []}') == []
