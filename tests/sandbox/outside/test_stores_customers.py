from collections.abc import Callable
from typing import Any

import httpx2
import pytest

Client = httpx2.Client
CUSTOMERS = "/_sandbox/stores/customers"


def found(stores: Client, **query: Any) -> list[int]:
    answer = stores.get("/customers", params=query)
    assert answer.status_code == 200, answer.text
    return [customer["canonical_id"] for customer in answer.json()["customers"]]


def put(control: Client, number: int, **fields: Any) -> None:
    control.put(f"{CUSTOMERS}/{number}", json={"merchant_canonical_id": "mc_1", **fields}).raise_for_status()


class TestTheList:
    def test_a_customer_has_the_fields_of_stores(self, stores: Client) -> None:
        customer = stores.get("/customers", params={"email": "taro.yamada"}).json()["customers"][0]
        assert set(customer) == {
            *("canonical_id", "name", "email", "primary_phone_number", "phone_number", "membership_number"),
            *("customer_memo", "profile_fields", "subscriptions", "ticket_books", "merchant_canonical_id"),
        }
        assert (customer["canonical_id"], customer["name"]) == (1001, "山田 太郎")
        assert set(customer["profile_fields"][0]) == {"question", "answer"}

    def test_names_of_products_are_in_the_detail_alone(self, stores: Client) -> None:
        listed = stores.get("/customers", params={"email": "taro.yamada"}).json()["customers"][0]
        shown = stores.get("/customers/1001").json()["customer"]
        assert listed["subscriptions"][0]["product_name"] is None
        assert shown["subscriptions"][0] == {
            "canonical_id": 7000,
            "product_canonical_id": "sp_101",
            "product_name": "月4回コース",
            "contract_status": "active",
        }

    def test_total_is_the_number_of_pages(self, stores: Client) -> None:
        first, second = (stores.get("/customers", params={"page": page}).json() for page in (1, 2))
        assert first["pagination"] == {"page": 1, "total": 2}
        assert second["pagination"] == {"page": 2, "total": 2}
        assert (len(first["customers"]), len(second["customers"])) == (20, 4)
        assert stores.get("/customers", params={"page": 3}).json()["customers"] == []
        assert stores.get("/customers", params={"name": "いない"}).json() == {
            "pagination": {"page": 1, "total": 0},
            "customers": [],
        }

    def test_exactly_twenty_are_one_page(self, control: Client, stores: Client) -> None:
        for number in range(20):
            put(control, 9000 + number, email=f"family{number}@home.example")
        assert stores.get("/customers", params={"email": "@home.example"}).json()["pagination"]["total"] == 1
        put(control, 9020, email="family20@home.example")
        assert stores.get("/customers", params={"email": "@home.example"}).json()["pagination"]["total"] == 2

    def test_a_claimed_total_replaces_the_true_one(self, control: Client, stores: Client) -> None:
        for claimed, expected in ((7, {"page": 1, "total": 7}), (0, {"page": 1, "total": 0}), ("missing", {"page": 1})):
            control.put("/_sandbox/stores/behaviour", json={"total": claimed}).raise_for_status()
            assert stores.get("/customers").json()["pagination"] == expected


class TestFilters:
    def test_an_address_is_searched_as_a_part_in_any_case(self, control: Client, stores: Client) -> None:
        put(control, 9001, email=" USER@example.org ")
        put(control, 9002, email="xuser@example.org.au")
        put(control, 9003, email=None)
        assert found(stores, email="user@example.org") == [9001, 9002]

    def test_a_number_is_compared_by_its_digits_and_as_a_whole(self, control: Client, stores: Client) -> None:
        put(control, 9001, primary_phone_number="080(1234)5678")
        put(control, 9002, primary_phone_number="0801234567")
        put(control, 9003, primary_phone_number="03-1111-2222", phone_number="08012345678")
        assert found(stores, phone_number="08012345678") == [9001, 9003]
        assert found(stores, phone_number="080-1234-5678") == []
        assert found(stores, phone_number="1234") == []

    def test_a_name_is_searched_as_a_part(self, stores: Client) -> None:
        assert found(stores, name="田中") == [1005]

    def test_all_filters_must_hold(self, stores: Client) -> None:
        assert found(stores, email="taro.yamada", phone_number="09011000000") == [1001]
        assert found(stores, email="taro.yamada", phone_number="09011037411") == []

    def test_a_parameter_without_a_value_is_none(self, stores: Client) -> None:
        assert len(found(stores, email="", phone_number="")) == 20

    def test_without_the_filters_everybody_is_listed(self, control: Client, stores: Client) -> None:
        control.put("/_sandbox/stores/behaviour", json={"phone_filter": "ignored"}).raise_for_status()
        assert len(found(stores, phone_number="000")) == 20
        assert found(stores, phone_number="000", email="taro.yamada") == [1001]
        control.put("/_sandbox/stores/behaviour", json={"email_filter": "ignored"}).raise_for_status()
        assert len(found(stores, email="nobody")) == 20

    def test_backwards(self, stores: Client) -> None:
        assert found(stores, sort="created_desc")[0] == 1024

    @pytest.mark.parametrize("page", ["0", "-1", "x", "1.5"])
    def test_a_page_that_is_none(self, stores: Client, page: str) -> None:
        answer = stores.get("/customers", params={"page": page})
        assert (answer.status_code, answer.json()) == (400, {"errors": [{"message": "page is invalid"}]})


class TestShops:
    def test_a_token_sees_its_own_shop_alone(self, stores: Client, calling: Callable[..., Client]) -> None:
        other = calling("/reserve/202101", authorization="Bearer tok_2")
        assert found(stores, email="taro.yamada") == [1001]
        assert found(other, email="taro.yamada") == [2001]
        assert found(stores, merchant_canonical_ids="mc_2") == []
        assert found(stores, merchant_canonical_ids="mc_2,mc_1", email="taro.yamada") == [1001]

    def test_a_token_of_several_shops_is_narrowed_by_the_caller(self, control: Client, stores: Client) -> None:
        control.put("/_sandbox/stores/tokens/tok_1", json={"merchants": ["mc_1", "mc_2"]}).raise_for_status()
        assert found(stores, email="taro.yamada") == [1001, 2001]
        assert found(stores, email="taro.yamada", merchant_canonical_ids="mc_2") == [2001]

    @pytest.mark.parametrize(("choice", "status"), [("forbidden", 403), ("not_found", 404), ("shown", 200)])
    def test_the_detail_of_another_shop(self, control: Client, stores: Client, choice: str, status: int) -> None:
        control.put("/_sandbox/stores/behaviour", json={"other_merchants": choice}).raise_for_status()
        for path in ("/customers/2001", "/reservations/100001"):
            answer = stores.get(path)
            assert answer.status_code == status, path
            if status == 200:
                assert next(iter(answer.json().values()))["merchant_canonical_id"] == "mc_2"
            else:
                assert answer.json()["errors"][0]["message"]


class TestTheDetail:
    def test_has_the_reservations_of_the_person(self, stores: Client) -> None:
        customer = stores.get("/customers/1001").json()["customer"]
        assert customer["reservations"]
        assert {one["customer_name"] for one in customer["reservations"]} == {"山田 太郎"}
        starts = [one["booking_start"] for one in customer["reservations"]]
        assert starts == sorted(starts)

    @pytest.mark.parametrize("path", ["/customers/9999", "/customers/abc", "/customers/-1", "/menus", "/"])
    def test_what_does_not_exist(self, stores: Client, path: str) -> None:
        answer = stores.get(path)
        assert (answer.status_code, answer.json()) == (404, {"errors": [{"message": "Not Found"}]})

    def test_nothing_can_be_written(self, stores: Client) -> None:
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            assert stores.request(method, "/customers/1001").status_code == 404
        assert stores.get("/customers/1001").status_code == 200
