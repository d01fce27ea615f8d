"""Names that look alike: the three likeliest, found without comparing each with each."""

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tsudoi.roster.linking.rules import SimilarNames

NAMES = st.text("山田太郎花子", max_size=6)


def compared_one_by_one(key: str, members: list[tuple[int, str, str]]) -> list[tuple[int, bool]]:
    """The plain way, which takes seconds for a large roster."""

    def score(other: str) -> float:
        shorter, longer = sorted((key, other), key=len)
        if key == other:
            return 2.0 if key else 0.0
        if len(shorter) > 1 and shorter in longer:
            return 0.9
        return SequenceMatcher(None, key, other, autojunk=False).ratio()

    scored = sorted((-score(other), member_id) for member_id, _, other in members)
    return [(member_id, found == -2.0) for found, member_id in scored if found <= -0.5][:3]


class TestLookAlikes:
    @pytest.mark.parametrize(
        ("key", "expected"),
        [
            ("山田太郎", [(1, True), (2, False), (5, False)]),
            ("太郎", [(1, False), (5, False)]),
            ("やまだ", []),
            ("", []),
            ("鈴", [(4, False)]),
            ("山田太郎" * 2000, [(1, False)]),
        ],
    )
    def test_table(self, key: str, expected: list[tuple[int, bool]]) -> None:
        names = ["山田太郎", "山田太一", "佐藤花子", "鈴木", "斎藤太郎", ""]
        roster = SimilarNames((number, name, name) for number, name in enumerate(names, 1))
        assert [(alike.member_id, alike.exact) for alike in roster.of(key)] == expected

    @given(NAMES, st.lists(NAMES, max_size=12))
    def test_are_the_same_as_when_compared_one_by_one(self, key: str, names: list[str]) -> None:
        members = [(number, name, name) for number, name in enumerate(names, 1)]
        found = [(alike.member_id, alike.exact) for alike in SimilarNames(members).of(key)]
        assert found == compared_one_by_one(key, members)
