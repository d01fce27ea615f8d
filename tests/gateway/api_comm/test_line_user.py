"""`stores.resolve_customer_by_line_user`: the stored link, and whether STORES still knows the customer behind it."""

import pytest

from tests.factories.chain import LINE_USER, Chain
from tests.product_fixtures import sqlite_only
from tsudoi.shops.links.models import CustomerLink

OPERATION = "stores.resolve_customer_by_line_user"
LINK = {"stores_customer_id": "101", "channel_type": "line", "external_user_id": LINE_USER}


@pytest.mark.row("4.4.24", "4.4.25", "4.4.29", "4.4.30", "4.2.8")
def test_without_a_link_of_this_shop_stores_is_not_asked(chain: Chain) -> None:
    chain.link("101", shop_id=2)
    found = chain.call(OPERATION)
    assert (found["status"], found["code"], found["error"]) == ("success", "STORES_CUSTOMER_LINK_NOT_FOUND", None)
    assert found["data"] == {"link_status": "none", "link": None, "customer": None}
    assert chain.seen() == []


@pytest.mark.row("4.4.26", "4.4.29", "4.2.8")
def test_a_link_leads_to_the_customer_with_one_question(chain: Chain) -> None:
    chain.customer(101, name="山田 太郎")
    chain.link("101")
    found = chain.call(OPERATION)
    assert (found["status"], found["code"]) == ("success", "STORES_CUSTOMER_FOUND_BY_LINK")
    assert (found["data"]["link_status"], found["data"]["link"]) == ("exists_valid", LINK)
    assert (found["data"]["customer"]["stores_customer_id"], found["data"]["customer"]["name"]) == ("101", "山田 太郎")
    assert [one["path"] for one in chain.seen()] == ["/reserve/202101/customers/101"]


@sqlite_only
@pytest.mark.row("4.4.27", "4.4.29", "4.4.30", "4.4.31", "4.8.1")
def test_a_link_to_a_customer_who_is_gone_is_broken_and_kept(chain: Chain) -> None:
    chain.link("101")
    before = chain.rows(CustomerLink)
    for status in (404, 403, 410):
        chain.breaks("error_status", status=status)
        found = chain.call(OPERATION)
        assert (found["status"], found["code"]) == ("success", "STORES_CUSTOMER_LINK_BROKEN"), status
        assert found["data"] == {"link_status": "exists_broken", "link": LINK, "customer": None}
    assert chain.rows(CustomerLink) == before
    # Nobody else is looked at, however many links are broken.
    assert len(chain.seen()) == 3


@sqlite_only
@pytest.mark.row("4.4.43")
def test_a_customer_of_another_merchant_is_a_broken_link(chain: Chain) -> None:
    chain.customer(101, merchant="mc_2")
    chain.link("101")
    chain.behaves(other_merchants="shown")
    assert chain.call(OPERATION)["code"] == "STORES_CUSTOMER_LINK_BROKEN"


@sqlite_only
@pytest.mark.row("4.4.28")
def test_a_failure_does_not_say_that_the_link_is_broken(chain: Chain) -> None:
    chain.link("101")
    chain.parameter("stores_api_retry_count", 0)
    chain.parameter("stores_api_timeout_sec", 1)
    kinds = [
        {"kind": "error_status", "status": 401},
        {"kind": "error_status", "status": 500},
        # Something between us and STORES refuses us with a page: that says nothing about the customer.
        {"kind": "html_page", "status": 403},
        {"kind": "slow", "seconds": 3},
    ]
    for kind in kinds:
        chain.faults({"endpoint": "stores", **kind})
        found = chain.call(OPERATION)
        assert (found["status"], found["code"]) == ("error", "STORES_CUSTOMER_LOOKUP_FAILED"), kind


@sqlite_only
@pytest.mark.row("4.4.32")
def test_the_line_user_is_needed(chain: Chain) -> None:
    for payload in ({}, {"line_user_id": None}, {"line_user_id": "taro"}, {"line_user_id": f"{LINE_USER}/../x"}):
        found = chain.call(OPERATION, payload)
        assert found["code"] == "INVALID_REQUEST"
        assert found["error"]["details"]["field_errors"][0]["field"] == "line_user_id"
    assert chain.seen() == []
