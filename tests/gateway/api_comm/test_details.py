"""Details of a customer and of a reservation, and the reservations of a shop."""

from datetime import timedelta
from typing import Any

import pytest

from tests.factories.chain import LINE_USER, Chain
from tests.product_fixtures import sqlite_only
from tsudoi.core.clock import ManualClock

pytestmark = sqlite_only

DETAILS = {
    "stores.get_customer": ("STORES_CUSTOMER_DETAIL", "STORES_CUSTOMER_LOOKUP_FAILED", "customer"),
    "stores.get_reservation": ("STORES_RESERVATION_DETAIL", "STORES_RESERVATION_LOOKUP_FAILED", "reservation"),
}


class TestCustomer:
    @pytest.mark.row("4.4.33", "4.1.5")
    def test_everything_that_stores_knows(self, chain: Chain) -> None:
        book = {"product_canonical_id": "p1", "product_name": "回数券"}
        chain.customer(101, email="user@example.com", subscriptions=[], ticket_books=[book])
        chain.reservation(501, customer_canonical_id=101)
        found = chain.call("stores.get_customer", {"stores_customer_id": "101"})
        assert (found["status"], found["code"]) == ("success", "STORES_CUSTOMER_DETAIL_FOUND")
        customer = found["data"]["customer"]
        assert (customer["canonical_id"], customer["stores_customer_id"]) == (101, "101")
        assert (customer["subscriptions"], customer["ticket_books"]) == ([], [book])
        assert [one["canonical_id"] for one in customer["reservations"]] == [501]
        assert customer["email_masked"] == "u***@example.com"
        assert [one["path"] for one in chain.seen()] == ["/reserve/202101/customers/101"]


class TestReservation:
    @pytest.mark.row("4.4.40", "4.1.7")
    def test_the_reservation_as_stores_gives_it(self, chain: Chain) -> None:
        chain.reservation(
            501, booking_start="2026-11-22T10:00:00+09:00", customer_name="山田 太郎", unheard_of={"a": [1]}
        )
        headers = {"authorization": "Bearer tok_1", "user-agent": "test"}
        given = chain.box.http.get("/reserve/202101/reservations/501", headers=headers).json()
        chain.forget()
        found = chain.call("stores.get_reservation", {"reservation_canonical_id": "501"})
        assert found["code"] == "STORES_RESERVATION_DETAIL_FOUND"
        assert found["data"] == given
        assert found["data"]["reservation"]["unheard_of"] == {"a": [1]}
        assert [one["path"] for one in chain.seen()] == ["/reserve/202101/reservations/501"]


class TestBoth:
    @pytest.mark.row("4.4.34", "4.4.41")
    def test_what_does_not_exist_is_a_success_without_a_record(self, chain: Chain) -> None:
        for operation, (code, _failed, name) in DETAILS.items():
            found = chain.call(operation)
            assert (found["status"], found["code"]) == ("success", f"{code}_NOT_FOUND")
            assert (found["data"], found["error"]) == ({name: None}, None)

    @pytest.mark.row("4.4.35", "4.4.42")
    def test_a_failure_has_the_code_of_the_operation(self, chain: Chain) -> None:
        for operation, (_code, failed, _name) in DETAILS.items():
            for status in (500, 403, 400):
                chain.breaks("error_status", status=status)
                found = chain.call(operation)
                assert (found["status"], found["code"], found["data"]) == ("error", failed, None)

    @pytest.mark.row("4.4.43")
    def test_what_belongs_to_another_merchant_is_not_found(self, chain: Chain) -> None:
        chain.customer(101, merchant="mc_2")
        chain.reservation(501, merchant="mc_2")
        chain.behaves(other_merchants="shown")
        for operation, (code, _failed, name) in DETAILS.items():
            found = chain.call(operation)
            assert (found["code"], found["data"]) == (f"{code}_NOT_FOUND", {name: None})

    @pytest.mark.row("4.1.5", "4.1.7")
    def test_an_id_is_a_whole_number(self, chain: Chain) -> None:
        names = {"stores.get_customer": "stores_customer_id", "stores.get_reservation": "reservation_canonical_id"}
        for operation, name in names.items():
            for bad in ("abc", "", None, "1/../2", "1?x=1", "-1", "1.5", "１２", True, 10**20):
                found = chain.call(operation, {name: bad})
                assert found["code"] == "INVALID_REQUEST", bad
                assert found["error"]["details"]["field_errors"][0]["field"] == name
        assert chain.seen() == []


class TestReservations:
    @pytest.mark.row("4.4.36", "4.3.5", "4.3.7")
    def test_the_first_page_of_this_shop(self, chain: Chain) -> None:
        chain.reservation(
            501,
            booking_start="2026-11-22T10:00:00+09:00",
            booking_service_canonical_id="bs_1",
            customer_name="山田 太郎",
        )
        chain.reservation(601, merchant="mc_2")
        found = chain.call("stores.list_reservations", {"page": 1})
        assert (found["status"], found["code"]) == ("success", "STORES_RESERVATIONS_LISTED")
        assert found["data"]["pagination"] == {"page": 1, "total": 1}
        (one,) = found["data"]["reservations"]
        assert one.pop("raw")["canonical_id"] == 501
        assert one == {
            "canonical_id": 501,
            "booking_service_canonical_id": "bs_1",
            "booking_start": "2026-11-22T10:00:00+09:00",
            "customer_name": "山田 太郎",
            "status": "accepted",
            "merchant_canonical_id": "mc_1",
        }
        (request,) = chain.seen()
        assert request["query"] == {"merchant_canonical_ids": "mc_1", "page": "1"}

    @pytest.mark.row("4.4.37", "4.1.6")
    def test_filters_are_passed_on(self, chain: Chain) -> None:
        times = {
            "booking_start_from": "2025-11-22T00:00:00+09:00",
            "booking_start_to": "2025-11-23T00:00:00+09:00",
        }
        chain.call("stores.list_reservations", {**times, "status": "canceled_by_host"})
        (request,) = chain.seen()
        assert request["query"] == {
            "merchant_canonical_ids": "mc_1",
            "page": "1",
            "status": "canceled_by_host",
            **times,
        }
        assert "%2B09%3A00" in request["query_string"]

    @pytest.mark.row("4.4.38")
    def test_what_makes_no_sense_is_refused(self, chain: Chain) -> None:
        bad: list[tuple[str, dict[str, Any]]] = [
            ("page", {"page": 2}),
            ("page", {"page": "1"}),
            ("page", {"page": True}),
            ("booking_start_from", {"booking_start_from": "2025-11-22T00:00:00"}),
            ("booking_start_from", {"booking_start_from": "tomorrow"}),
            (
                "booking_start_to",
                {"booking_start_from": "2025-11-22T00:00:00+09:00", "booking_start_to": "2025-11-21T00:00:00+09:00"},
            ),
            ("status", {"status": "a&page=2"}),
        ]
        for field, payload in bad:
            found = chain.call("stores.list_reservations", payload)
            assert found["code"] == "INVALID_REQUEST", payload
            assert [one["field"] for one in found["error"]["details"]["field_errors"]] == [field]
        assert chain.seen() == []

    @pytest.mark.row("4.4.39")
    def test_a_failure(self, chain: Chain) -> None:
        chain.breaks("error_status", status=500)
        found = chain.call("stores.list_reservations")
        assert (found["status"], found["code"]) == ("error", "STORES_RESERVATIONS_LOOKUP_FAILED")


@pytest.mark.found("24.C13")
def test_a_record_without_its_id_or_with_another_is_handed_to_nobody(chain: Chain, clock: ManualClock) -> None:
    """It may be somebody else's: names and telephone numbers of a stranger at the door."""
    chain.customer(101, email="user@example.com", name="山田 太郎")
    chain.reservation(501, customer_canonical_id=101, customer_name="山田 太郎")
    chain.link("101")
    asked: dict[str, tuple[dict[str, Any], str]] = {
        "stores.get_customer": ({"stores_customer_id": "101"}, "STORES_CUSTOMER_LOOKUP_FAILED"),
        "stores.get_reservation": ({"reservation_canonical_id": "501"}, "STORES_RESERVATION_LOOKUP_FAILED"),
        "stores.resolve_customer_by_line_user": ({"line_user_id": LINE_USER}, "STORES_CUSTOMER_LOOKUP_FAILED"),
        "stores.resolve_customer_by_contact": ({"email": "user@example.com"}, "STORES_CUSTOMER_LOOKUP_FAILED"),
    }
    for ids in ("missing", "another"):
        chain.behaves(ids=ids)
        for operation, (payload, failed) in asked.items():
            if ids == "another" and operation == "stores.resolve_customer_by_contact":
                continue  # Nobody asked for an id there: the address decides.
            found = chain.call(operation, payload)
            assert (found["status"], found["code"]) == ("error", failed), (ids, operation)
            assert "山田" not in str(found), (ids, operation)
            clock.advance(timedelta(hours=1))  # Until the breaker lets a call through again.
