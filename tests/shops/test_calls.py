from collections.abc import Iterator
from datetime import timedelta

import httpx2
import pytest

from tests.booking.office import fault, office
from tests.factories.product import Product
from tests.factories.shops import add, make_call, make_shop
from tests.product_fixtures import sqlite_only
from tsudoi.alarms.calls.rules import curl_command
from tsudoi.alarms.system_events.models import SysEvent
from tsudoi.alarms.system_events.service import KEPT_EVENTS, forget_old_events
from tsudoi.gateway.call_log import forget_old_calls
from tsudoi.gateway.models import ApiCallLog

ALL = "/api/admin/calls"


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as client:
        yield client


def test_calls_are_found_by_request_shop_system_and_outcome(product: Product, http: httpx2.Client) -> None:
    db = product.db
    shop = make_shop(db)
    good = make_call(db, shop_id=shop, request_id="one", channel="help", component="StoresGateway.get_customer")
    bad = make_call(db, request_id="one", target="chatwork", status_code=500, error_code="ESCALATION_FAILED")
    silent = make_call(db, target="sms", status_code=None, error="ReadTimeout")

    def found(**filters: str | int) -> list[int]:
        return [call["id"] for call in http.get(ALL, params=filters).json()["calls"]]

    assert found() == [silent, bad, good]
    assert found(request_id="one") == [bad, good]
    assert found(shop_id=shop) == [good]
    assert found(system="sms") == [silent]
    assert found(status="ok") == [good]
    assert found(status="failed") == [silent, bad]
    assert found(before=bad) == [good]
    assert http.get(ALL, params={"limit": 1}).json()["next_before"] == silent
    shown = http.get(ALL, params={"shop_id": shop}).json()["calls"][0]
    assert (shown["shop_name"], shown["channel"], shown["created_at"]) == (
        "名古屋栄店",
        "help",
        "2025-08-16T12:00:00+09:00",
    )


def test_one_call_comes_with_its_bodies_and_a_command_to_copy(product: Product, http: httpx2.Client) -> None:
    call = make_call(product.db, method="POST", request_body='{"body":"***"}', response_body='{"message_id":"1"}')
    shown = http.get(f"{ALL}/{call}").json()
    assert shown["response_body"] == '{"message_id":"1"}'
    assert shown["curl"] == """curl -X POST 'https://stores.example/customers?email=***' --data '{"body":"***"}'"""
    assert http.get(f"{ALL}/999").status_code == 404


@sqlite_only
def test_filters_are_checked(http: httpx2.Client) -> None:
    assert fault(http.get(ALL, params={"status": "x"})) == (400, "status", "NOT_ALLOWED")
    assert fault(http.get(ALL, params={"limit": 201}))[:2] == (400, "limit")
    assert fault(http.get(ALL, params={"shop_id": "x"}))[:2] == (400, "shop_id")
    assert http.get(ALL, params={"request_id": "' OR 1=1 --"}).json()["calls"] == []


def test_a_command_to_copy_is_quoted_for_the_shell() -> None:
    assert curl_command("GET", "https://x/?a='b'&c=$(rm)", None) == """curl -X GET 'https://x/?a='"'"'b'"'"'&c=$(rm)'"""


def test_old_calls_and_events_are_forgotten(product: Product) -> None:
    db, now, moment = product.db, product.db.clock.now(), timedelta(seconds=1)
    kept_calls = timedelta(days=product.settings.keep_api_calls_days)
    kept = make_call(db, at=now - kept_calls + moment)
    make_call(db, at=now - kept_calls - moment)
    event = {"event_type": "escalation_triggered", "payload_json": {}}
    kept_event = add(db, SysEvent, **event, occurred_at_utc=now - KEPT_EVENTS + moment)
    add(db, SysEvent, **event, occurred_at_utc=now - KEPT_EVENTS - moment)
    assert db.write_now(forget_old_calls, kept_calls) == 1
    assert db.write_now(forget_old_events) == 1
    assert [row["id"] for row in product.rows(ApiCallLog)] == [kept]
    assert [row["id"] for row in product.rows(SysEvent)] == [kept_event]
    assert (timedelta(days=60), timedelta(days=400)) == (kept_calls, KEPT_EVENTS)
