"""`stores.resolve_customer_by_contact`: from what people type to one customer, or to nobody."""

from typing import Any

import pytest

from tests.factories.chain import Chain
from tests.product_fixtures import sqlite_only
from tsudoi.core.db.interface import Tx

pytestmark = sqlite_only


def only_query(chain: Chain) -> dict[str, Any]:
    (request,) = chain.seen()
    assert request["method"] == "GET"
    assert request["path"] == "/reserve/202101/customers"
    return dict(request["query"])


class TestTheQuestion:
    @pytest.mark.row("4.1.2", "4.1.4", "4.3.5", "4.3.7", "4.4.23")
    def test_asks_for_one_merchant_and_the_first_page_once(self, chain: Chain) -> None:
        chain.contact(email="user@example.com", phone_number="09012345678", name="山田 太郎")
        assert only_query(chain) == {
            "merchant_canonical_ids": "mc_1",
            "page": "1",
            "email": "user@example.com",
            "phone_number": "09012345678",
        }

    @pytest.mark.row("4.1.3")
    def test_each_shop_has_its_own_token(self, chain: Chain) -> None:
        for shop_id in (1, 2):
            chain.call("stores.list_reservations", {}, shop_id=shop_id)
        assert [one["headers"]["authorization"] for one in chain.seen()] == ["Bearer tok_1", "Bearer tok_2"]

    @pytest.mark.row("4.3.17")
    def test_the_address_is_passed_as_it_was_typed(self, chain: Chain) -> None:
        chain.contact(email="User@Example.com")
        (request,) = chain.seen()
        assert request["query"]["email"] == "User@Example.com"
        assert "email=User%40Example.com" in request["query_string"]

    @pytest.mark.row("4.3.15")
    def test_the_phone_number_is_passed_as_digits(self, chain: Chain) -> None:
        for typed in ("090-1234 5678", "０９０−１２３４−５６７８", "+81 90-1234-5678", "+81(0)90 1234 5678"):
            chain.forget()
            chain.contact(phone_number=typed)
            assert only_query(chain)["phone_number"] == "09012345678", typed

    @pytest.mark.row("4.4.8")
    def test_the_name_is_not_sent_and_changes_nothing(self, chain: Chain) -> None:
        chain.customer(101, email="user@example.com")
        named = chain.contact(email="user@example.com", name="別人")
        assert named["data"] == chain.contact(email="user@example.com")["data"]
        assert all("name" not in one["query"] for one in chain.seen())

    @pytest.mark.row("4.4.9", "4.4.10")
    def test_a_merchant_id_of_the_caller_wins(self, chain: Chain) -> None:
        chain.contact(email="user@example.com", merchant_canonical_id="mc_9")
        assert only_query(chain)["merchant_canonical_ids"] == "mc_9"

    @pytest.mark.row("4.3.6")
    def test_the_merchant_id_is_the_one_that_is_stored_now(self, chain: Chain) -> None:
        def change(tx: Tx) -> None:
            tx.driver.execute("UPDATE shop_internal_info SET value = 'mc_new' WHERE shop_id = 1")

        chain.db.write_now(change)
        chain.contact(email="user@example.com")
        assert only_query(chain)["merchant_canonical_ids"] == "mc_new"

    @pytest.mark.row("4.4.11")
    def test_without_a_merchant_id_nothing_is_asked(self, chain: Chain) -> None:
        for number, merchant in ((3, None), (4, "mc_1,mc_2")):
            chain.add_shop(number, merchant=merchant)
            found = chain.call("stores.resolve_customer_by_contact", shop_id=number)
            assert found["code"] == "STORES_CUSTOMER_LOOKUP_FAILED"
            details = {"reason": "merchant_not_configured", "retryable": False}
            assert found["error"] == {"type": "system", "details": details}
        chain.add_shop(9, token=None)
        assert chain.call("stores.get_customer", shop_id=9)["error"]["details"]["reason"] == "token_missing"
        assert chain.seen() == []


class TestTheMatch:
    @pytest.mark.row("4.3.16", "4.3.18", "4.3.19", "4.3.19a", "4.4.13", "4.4.16", "4.4.18", "4.7.6")
    def test_one_exact_match_is_the_customer(self, chain: Chain) -> None:
        chain.customer(
            101, name="山田 太郎", email=" USER@example.com ", primary_phone_number="090(1234)5678", subscriptions=[]
        )
        chain.customer(102, email="xuser@example.com")
        chain.customer(103, email="user@example.com.au")
        chain.behaves(phone_filter="ignored")
        found = chain.contact(email="user@Example.com", phone_number="090-1234-5678")
        assert (found["status"], found["code"], found["error"]) == ("success", "STORES_CUSTOMER_FOUND", None)
        data = found["data"]
        raw = data["customer"].pop("raw")
        assert raw["subscriptions"] == []
        assert data == {
            "match_status": "unique",
            "not_found_reason": "none",
            "customer": {
                "stores_customer_id": "101",
                "canonical_id": 101,
                "name": "山田 太郎",
                "email": " USER@example.com ",
                "primary_phone_number": "090(1234)5678",
                "merchant_canonical_id": "mc_1",
                "email_masked": "U***@example.com",
                "phone_last4": "5678",
            },
            "candidates": [],
            "pagination": {"page": 1, "total": 1},
        }

    @pytest.mark.row("4.3.16", "4.3.19", "4.4.14", "4.4.19")
    def test_nobody_who_only_looks_alike(self, chain: Chain) -> None:
        chain.customer(101, email="user@example.com", primary_phone_number="0901234567")
        chain.behaves(phone_filter="ignored")
        found = chain.contact(phone_number="09012345678")
        assert (found["status"], found["code"], found["error"]) == ("success", "STORES_CUSTOMER_NOT_FOUND", None)
        assert (found["data"]["match_status"], found["data"]["not_found_reason"]) == ("not_found", "no_record")
        assert found["data"]["customer"] is None

    @pytest.mark.row("4.4.15", "4.4.17", "4.3.19", "4.3.19a", "4.4.19")
    def test_two_exact_matches_are_candidates(self, chain: Chain) -> None:
        for number in (101, 102):
            chain.customer(number, email="user@example.com")
        found = chain.contact(email="user@example.com")
        assert (found["status"], found["code"]) == ("success", "STORES_CUSTOMER_MULTIPLE_CANDIDATES")
        data = found["data"]
        assert (data["match_status"], data["not_found_reason"], data["customer"]) == (
            "multiple_candidates",
            "none",
            None,
        )
        documented = {"stores_customer_id", "canonical_id", "name", "email", "primary_phone_number"}
        assert sorted(one["canonical_id"] for one in data["candidates"]) == [101, 102]
        assert all(set(one) == documented | {"email_masked", "phone_last4"} for one in data["candidates"])

    @pytest.mark.row("4.4.12")
    def test_both_have_to_match(self, chain: Chain) -> None:
        chain.customer(101, email="a@example.com", primary_phone_number="09011110001")
        chain.customer(102, email="b@example.com", primary_phone_number="09011110002")
        chain.behaves(phone_filter="ignored", email_filter="ignored")
        found = chain.contact(email="a@example.com", phone_number="09011110002")
        assert found["data"]["not_found_reason"] == "no_record"
        assert len(chain.seen()) == 1

    @pytest.mark.row("4.3.8", "4.3.19b", "4.3.7")
    def test_nobody_is_called_unique_while_there_are_further_pages(self, chain: Chain) -> None:
        chain.customer(101, email="user@example.com")
        chain.behaves(total=2)
        one = chain.contact(email="user@example.com")["data"]
        assert (one["match_status"], one["not_found_reason"]) == ("not_found", "over_page_limit")
        assert (one["customer"], one["candidates"], one["pagination"]) == (None, [], {"page": 1, "total": 2})
        chain.customer(102, email="user@example.com")
        two = chain.contact(email="user@example.com")["data"]
        assert (two["not_found_reason"], two["candidates"]) == ("too_many_candidates", [])
        assert {request["query"]["page"] for request in chain.seen()} == {"1"}

    def test_a_missing_total_counts_as_one_page(self, chain: Chain) -> None:
        chain.customer(101, email="user@example.com")
        for total in ("missing", 0):
            chain.behaves(total=total)
            assert chain.contact(email="user@example.com")["code"] == "STORES_CUSTOMER_FOUND"

    @pytest.mark.row("4.3.19c")
    def test_allow_multi_match_changes_nothing(self, chain: Chain) -> None:
        for number in (101, 102):
            chain.customer(number, email="user@example.com")
        found = [chain.contact(email="user@example.com", allow_multi_match=flag)["data"] for flag in (True, False)]
        assert found[0] == found[1]

    @pytest.mark.row("4.4.43")
    def test_a_customer_of_another_merchant_is_not_handed_out(self, chain: Chain) -> None:
        chain.customer(201, merchant="mc_2", email="user@example.com")
        chain.behaves(other_merchants="shown")
        chain.box.http.put("/_sandbox/stores/tokens/tok_1", json={"merchants": ["mc_1", "mc_2"]}).raise_for_status()
        assert chain.contact(email="user@example.com")["code"] == "STORES_CUSTOMER_NOT_FOUND"


class TestFailures:
    @pytest.mark.row("4.4.20")
    def test_a_refusal_is_a_failed_look_up(self, chain: Chain) -> None:
        for status in (400, 401, 403, 404, 500, 503):
            chain.breaks("error_status", status=status)
            found = chain.contact(email="user@example.com")
            assert (found["status"], found["code"]) == ("error", "STORES_CUSTOMER_LOOKUP_FAILED"), status
            assert found["error"]["type"] == "external_api"
            assert found["error"]["details"]["external_status_code"] == status
            assert found["data"] is None

    @pytest.mark.row("4.4.7", "4.4.22", "4.3.31")
    def test_a_bad_question_is_not_asked(self, chain: Chain) -> None:
        for payload in ({}, {"email": None, "phone_number": None}, {"email": "", "phone_number": ""}):
            found = chain.contact(**payload)
            assert (found["code"], found["error"]["type"]) == ("INVALID_REQUEST", "validation")
        bad = chain.contact(email="not an address")
        assert {"field": "email", "message": "メール形式が不正です"} in bad["error"]["details"]["field_errors"]
        assert chain.contact(phone_number="---")["error"]["details"]["field_errors"][0]["field"] == "phone_number"
        assert chain.seen() == []
