"""The shops of the demo: they ask the sandbox's STORES, and a second start leaves them as they are."""

import httpx2
import pytest

from tests.factories.product import Box, Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.alarms.escalation.models import EscalationRule
from tsudoi.alarms.tickets.models import Ticket
from tsudoi.commands.demo_shops import LINKS, TOKENS, check_once, fill_stores, make_shops
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.shops.connectivity.models import ConnectivityCheck
from tsudoi.shops.links.models import CustomerLink
from tsudoi.shops.secrets.models import ShopSecret
from tsudoi.shops.shop.models import Shop

pytestmark = sqlite_only


@pytest.fixture
def demo(make_product: ProductMaker, box: Box) -> Product:
    product = make_product(
        chatwork_api_base=f"{box.url}/chatwork/v2",
        chatwork_api_token=SandboxConfig.chatwork_api_token,
        chatwork_room_id="300100200",
        sms_api_base=f"{box.url}/twilio",
        sms_account=SandboxConfig.sms_account,
        sms_token=SandboxConfig.sms_token,
        sms_from="+815012345678",
    )
    product.make_admin()
    product.http.headers["x-csrf-token"] = product.log_in().json()["csrf_token"]
    return product


def start(demo: Product, box: Box) -> httpx2.Client:
    demo.db.write_now(make_shops, demo.settings)
    fill_stores(box.url)
    check_once(demo.http)
    return demo.http


def test_two_shops_ask_stores_with_their_tokens(demo: Product, box: Box) -> None:
    office = start(demo, box)
    shops = office.get("/api/admin/shops").json()["shops"]
    assert [(shop["code"], shop["has_token"], shop["open_tickets"]) for shop in shops] == [
        ("ngy1", True, 0),
        ("osk1", True, 1),
    ]
    for shop in shops:
        assert office.post(f"/api/admin/shops/{shop['id']}/secrets/STORES_API_TOKEN/test").json()["ok"] is True
    assert [one["code"] for one in office.get("/api/admin/connectivity").json()["history"]] == ["HEALTH_WARN"]
    links = office.get("/api/admin/customer-links").json()["links"]
    assert sorted(link["stores_customer_id"] for link in links) == sorted(LINKS.values())


def test_one_ticket_is_open_and_shows_its_call(demo: Product, box: Box) -> None:
    office = start(demo, box)
    listed = office.get("/api/admin/tickets").json()
    assert listed["counts"] == {"open": 1, "acknowledged": 0, "closed": 1}
    open_one = next(one for one in listed["tickets"] if one["status"] == "open")
    shown = office.get(f"/api/admin/tickets/{open_one['id']}").json()
    assert ([call["status_code"] for call in shown["calls"]], len(shown["attempts"])) == ([401], 1)


def test_a_second_start_changes_nothing(demo: Product, box: Box) -> None:
    office = start(demo, box)
    ticket = next(one for one in office.get("/api/admin/tickets").json()["tickets"] if one["status"] == "open")
    office.post(f"/api/admin/tickets/{ticket['id']}/close", json={}).raise_for_status()
    box.http.delete("/_sandbox/stores/customers/1002").raise_for_status()
    tables = (Shop, ShopSecret, EscalationRule, CustomerLink, Ticket, ConnectivityCheck)
    before = [demo.rows(table) for table in tables]
    start(demo, box)
    for table, rows in zip(tables, before, strict=True):
        assert demo.rows(table) == rows, table
    assert box.http.get("/_sandbox/stores/customers/1002").status_code == 404


def test_the_tokens_of_the_demo_are_those_of_its_merchants(demo: Product, box: Box) -> None:
    start(demo, box)
    known = box.http.get("/_sandbox/stores").json()["tokens"]
    assert {token: merchants for token, merchants in known.items() if token in TOKENS.values()} == {
        token: [merchant] for merchant, token in TOKENS.items()
    }
