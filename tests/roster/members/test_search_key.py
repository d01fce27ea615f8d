"""What is searched for is found, however it is spelled; the pages fold in the same way, by the same cases."""

import json
from pathlib import Path

from tsudoi.core.names import name_key
from tsudoi.roster.members.rules import VARIANTS, search_key

CASES = json.loads((Path(__file__).parents[3] / "web/api/search.cases.json").read_bytes())


class TestSearchKey:
    def test_has_the_same_table_of_variants_as_the_pages(self) -> None:
        assert list(VARIANTS) == CASES["variants"]

    def test_is_the_same_for_what_a_person_would_call_the_same(self) -> None:
        for one, other in CASES["same"]:
            assert search_key(one) == search_key(other), (one, other)

    def test_differs_where_the_names_differ(self) -> None:
        for one, other in CASES["different"]:
            assert search_key(one) != search_key(other), (one, other)

    def test_each_character_stands_in_one_group(self) -> None:
        characters = "".join(VARIANTS)
        assert len(set(characters)) == len(characters)

    def test_does_not_change_who_is_linked(self) -> None:
        assert name_key("髙橋", nfkc=True) != name_key("高橋", nfkc=True)
