"""The roster as the office sees it: everybody, in the sheet's order, with what can be known about LINE."""

import httpx2
import pytest

from tests.conftest import NOON
from tests.factories.product import Product
from tests.factories.webhooks import user_id
from tests.roster.members.people import code, enrol, office
from tsudoi.line.friends.service import record_following

PATH = "/api/admin/members"


@pytest.fixture
def http(product: Product) -> httpx2.Client:
    enrol(product.db, (5, "順なし後"), (3, "順なし先"))
    enrol(
        product.db, (1, "山田太郎"), display_order=20, line_user_id=user_id(1), is_target=1, line_display_name="たろう"
    )
    enrol(product.db, (2, "佐藤花子"), display_order=10, line_user_id=user_id(2), is_target=0, role="admin")
    enrol(product.db, (4, "退会者"), display_order=0, withdrawn_at=NOON, line_user_id=user_id(4))
    product.db.write_now(record_following, user_id(1), round(NOON.timestamp() * 1000), following=True)
    product.db.write_now(record_following, user_id(2), round(NOON.timestamp() * 1000), following=False)
    product.db.write_now(record_following, user_id(4), round(NOON.timestamp() * 1000), following=True)
    return office(product)


class TestMembers:
    def test_come_in_roster_order_with_the_documented_fields(self, http: httpx2.Client) -> None:
        items = http.get(PATH).json()["items"]
        assert [item["id"] for item in items] == [4, 2, 1, 3, 5]
        assert items[2] == {
            "id": 1,
            "name": "山田太郎",
            "kana": None,
            "display_order": 20,
            "line_user_id_present": True,
            "is_target": 1,
            "role": "member",
            "line_display_name": "たろう",
            "reachable": True,
            "withdrawn": False,
            "last_contact_at": "2025-08-16T12:00:00+09:00",
        }
        assert [item["reachable"] for item in items] == [True, False, True, False, False]
        assert [item["withdrawn"] for item in items] == [True, False, False, False, False]
        assert (items[1]["role"], items[3]["line_display_name"]) == ("admin", None)
        assert user_id(1) not in http.get(PATH).text, "that there is a LINE user, not which"

    def test_are_filtered_by_target_and_by_line(self, http: httpx2.Client) -> None:
        for query, expected in {
            "is_target=1": [1],
            "is_target=0": [4, 2, 3, 5],
            "has_line=1": [4, 2, 1],
            "has_line=0": [3, 5],
            "is_target=0&has_line=1": [4, 2],
            "is_target=1&has_line=0": [],
        }.items():
            assert [item["id"] for item in http.get(f"{PATH}?{query}").json()["items"]] == expected, query
        for wrong in ("is_target=2", "is_target=x", "has_line=true", "has_line=-1", "has_line="):
            assert code(http.get(f"{PATH}?{wrong}")) == (400, "INVALID_INPUT"), wrong
