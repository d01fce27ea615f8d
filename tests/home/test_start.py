"""The start page of the office: it is there whatever `FEATURES` says."""

from typing import Any

import httpx2
import pytest

from tests.booking.office import office
from tests.factories.product import Product
from tests.factories.shops import make_ticket
from tests.product_fixtures import ProductMaker, sqlite_only

HOME = "/api/admin/home"


def shown(product: Product) -> dict[str, Any]:
    with office(product) as http:
        found: dict[str, Any] = http.get(HOME).raise_for_status().json()
        return found


@pytest.mark.found("24.D4")
@pytest.mark.quick("happy_path")
@pytest.mark.row("8.D.9")
def test_open_alarms_and_tickets_are_shown_without_events_and_shops(make_product: ProductMaker) -> None:
    product = make_product(features=("scheduling",), shop_secrets_keys=None)
    first = make_ticket(product.db, rule_code="OUTAGE_LINE", dedupe_key="OUTAGE_LINE|0|", title="LINEに接続できません")
    taken = {"rule_code": "OUTAGE_MAIL", "dedupe_key": "OUTAGE_MAIL|0|", "status": "acknowledged"}
    second = make_ticket(product.db, **taken, title="メールを送れません")
    make_ticket(product.db, dedupe_key="by hand", source="asked")
    make_ticket(product.db, dedupe_key="of the office", rule_code="HELP_AT_THE_DOOR")
    now = product.db.clock.now()
    make_ticket(product.db, dedupe_key="over", rule_code="OUTAGE_STRIPE", status="closed", closed_at_utc=now)
    found = shown(product)
    assert (found["next_events"], found["troubles"], found["members"]) == ([], [], 0)
    assert [(one["cause"], one["title"], one["ticket_id"]) for one in found["alarms"]] == [
        ("OUTAGE_LINE", "LINEに接続できません", first),
        ("OUTAGE_MAIL", "メールを送れません", second),
    ]
    assert found["alarms"][0]["since"] == "2025-08-16T12:00:00+09:00"
    assert found["tickets_open"] == 3


@pytest.mark.found("24.D4")
@sqlite_only
def test_the_link_of_an_alarm_leads_somewhere_without_shops(make_product: ProductMaker) -> None:
    product = make_product(features=("booking",), shop_secrets_keys=None)
    ticket = make_ticket(product.db, rule_code="OUTAGE_MAIL", dedupe_key="OUTAGE_MAIL|0|")
    with office(product) as http:
        assert http.get(f"/api/admin/tickets/{ticket}").json()["rule_code"] == "OUTAGE_MAIL"
        assert http.get("/api/admin/calls").status_code == 200
        rules = http.get("/api/admin/escalation-rules").json()["rules"]
        assert "OUTAGE_MAIL" in [one["rule_code"] for one in rules]
        assert http.post("/api/admin/escalation-rules/OUTAGE_MAIL/dry-run", json={}).status_code == 200
        assert http.get("/api/admin/shops").status_code == 404
        page = http.get(f"/admin/tickets/{ticket}")
        assert page.status_code == 200
        assert "/tickets" in page.text, "the menu leads to the tickets"


@pytest.mark.quick("refusal")
@sqlite_only
def test_nobody_else_sees_it(product: Product) -> None:
    with httpx2.Client(base_url=product.url) as http:
        assert http.get(HOME).status_code == 401
