"""Who would be invited: the union of what was chosen, filtered, in roster order."""

import httpx2
import pytest

from tests.conftest import NOON
from tests.factories.product import Product
from tests.roster.members.people import code, enrol, office

PATH = "/api/admin/recipients/candidates"


@pytest.fixture
def http(product: Product) -> httpx2.Client:
    """101 and 102 are in the board (1), 102, 103 and 104 in the committee (2), 105 and 106 in neither, 3 is empty."""
    enrol(product.db, (101, "山田太郎"), line_user_id="U1", is_target=1, display_order=30)
    enrol(product.db, (102, "佐藤花子"), line_user_id="U2", is_target=1, display_order=20)
    enrol(product.db, (103, "未紐付け"), is_target=1, display_order=10)
    enrol(product.db, (104, "対象外"), line_user_id="U4", is_target=0)
    enrol(product.db, (105, "退会者"), line_user_id="U5", is_target=1, withdrawn_at=NOON)
    enrol(product.db, (100, "順なし"), line_user_id="U6", is_target=1)
    client = office(product)
    for name, ids in {"理事会": [101, 102, 105], "委員会": [102, 103, 104], "空": []}.items():
        made = client.post("/api/admin/audiences", json={"name": name}).json()["id"]
        client.put(f"/api/admin/audiences/{made}/members", json={"member_ids": ids}).raise_for_status()
    return client


def ids(http: httpx2.Client, query: str) -> list[int]:
    return [item["member_id"] for item in http.get(f"{PATH}?{query}").raise_for_status().json()["items"]]


class TestCandidates:
    def test_are_the_union_filtered_and_in_order(self, http: httpx2.Client) -> None:
        everything = "require_target=0&require_line=0"
        for query, expected in {
            "": [],
            "audience_ids=": [],
            "audience_ids=3": [],
            "audience_ids=1": [102, 101],
            "audience_ids=2": [102],
            "audience_ids=1,2": [102, 101],
            "audience_ids=2,%201,1,": [102, 101],
            "all=1": [102, 101, 100],
            "all=1&audience_ids=2": [102, 101, 100],
            "audience_ids=2&require_line=0": [103, 102],
            "audience_ids=2&require_target=0": [102, 104],
            f"audience_ids=2&{everything}": [103, 102, 104],
            f"all=1&{everything}": [103, 102, 101, 100, 104],
            "all=0&audience_ids=1&require_target=1&require_line=1": [102, 101],
        }.items():
            assert ids(http, query) == expected, query
        taro = {"member_id": 101, "name": "山田太郎", "kana": None, "display_order": 30}
        assert http.get(f"{PATH}?audience_ids=1").json()["items"][1] == taro

    def test_of_groups_that_are_not_there_are_refused(self, http: httpx2.Client) -> None:
        answer = http.get(f"{PATH}?audience_ids=1,99,98")
        assert code(answer) == (400, "INVALID_INPUT")
        assert [detail["field"] for detail in answer.json()["details"]] == ["audience_ids.99", "audience_ids.98"]
        for wrong in ("x", "1;2", "-1", "1.5", "٣", "1,x", "9" * 16, "0x1", "1 2", "%00", "+1", "9" * 2001):
            assert code(http.get(PATH, params={"audience_ids": wrong})) == (400, "INVALID_INPUT"), wrong
        for flag in ("all=2", "all=yes", "require_line=-1", "require_target=true"):
            assert code(http.get(f"{PATH}?{flag}")) == (400, "INVALID_INPUT"), flag
        crowd = ",".join(str(n) for n in range(1, 500))
        assert code(http.get(f"{PATH}?audience_ids={crowd}")) == (400, "INVALID_INPUT")
