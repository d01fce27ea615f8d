from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.booking.office import audited, fault, office
from tests.factories.product import Box, Product
from tests.factories.shops import TOKEN, add, give_token, make_shop
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.shops.connectivity.models import ConnectivityCheck

ALL = "/api/admin/connectivity"


@pytest.fixture
def office_product(make_product: ProductMaker, box: Box) -> Product:
    """A product whose outside systems are all set up in the sandbox, with one shop."""
    config = SandboxConfig
    product = make_product(
        chatwork_api_base=f"{box.url}/chatwork/v2",
        chatwork_api_token=config.chatwork_api_token,
        sms_api_base=f"{box.url}/twilio",
        sms_account=config.sms_account,
        sms_token=config.sms_token,
        sms_from="+815012345678",
    )
    box.http.post("/_sandbox/stores/examples", json={"tokens": {"mc_1": TOKEN}}).raise_for_status()
    give_token(product.db, make_shop(product.db, merchant_canonical_id="mc_1"))
    return product


@pytest.fixture
def http(office_product: Product) -> Iterator[httpx2.Client]:
    with office(office_product) as client:
        yield client


def asked(box: Box, system: str) -> list[dict[str, Any]]:
    return list(box.http.get("/_sandbox/requests", params={"system": system}).json()["requests"])


def test_a_check_asks_each_system_once_and_is_kept(office_product: Product, http: httpx2.Client, box: Box) -> None:
    box.http.delete("/_sandbox/requests")
    said = http.post(ALL, json={"targets": ["stores", "chatwork", "sms", "line", "remotelock"]}).json()
    assert {name: one["status"] for name, one in said["results"].items()} == {
        "stores": "ok",
        "chatwork": "ok",
        "sms": "ok",
        "line": "ok",
        "remotelock": "stub",
    }
    assert (said["code"], said["message"]) == ("HEALTH_OK", "すべて正常です。")
    assert [len(asked(box, system)) for system in ("stores", "chatwork", "twilio", "line")] == [1, 1, 1, 1]
    assert {request["method"] for request in box.http.get("/_sandbox/requests").json()["requests"]} == {"GET"}
    kept = http.get(ALL).json()["history"]
    assert [(one["code"], one["asked_by"], one["request_id"]) for one in kept] == [
        ("HEALTH_OK", "admin:jimukyoku", said["request_id"])
    ]
    assert kept[0]["results"] == said["results"]
    assert http.get("/api/admin/shops").json()["shops"][0]["systems"][0]["light"] in ("ok", "unknown")
    assert len(audited(office_product.db, "CONNECTIVITY_CHECK")) == 1


@sqlite_only
def test_a_system_that_is_down_is_a_result_and_no_error(http: httpx2.Client, box: Box) -> None:
    box.breaks("error_status", "stores", status=500)
    answer = http.post(ALL, json={"targets": ["stores", "line"]})
    assert (answer.status_code, answer.json()["code"]) == (200, "HEALTH_ERROR")
    assert {name: one["status"] for name, one in answer.json()["results"].items()} == {"stores": "fail", "line": "ok"}
    assert http.get(ALL).json()["history"][0]["code"] == "HEALTH_ERROR"


@sqlite_only
@pytest.mark.parametrize("wrong", [["fax"], [], "stores", [1], ["stores"] * 7])
def test_only_known_systems_are_asked(office_product: Product, http: httpx2.Client, wrong: object) -> None:
    assert fault(http.post(ALL, json={"targets": wrong}))[1].partition(".")[0] == "targets"
    assert office_product.rows(ConnectivityCheck) == []


@sqlite_only
def test_the_newest_thirty_are_shown(office_product: Product, http: httpx2.Client) -> None:
    at = office_product.db.clock.now()
    ids = [
        add(
            office_product.db,
            ConnectivityCheck,
            checked_at_utc=at,
            code="HEALTH_OK",
            results_json={},
            asked_by="cli",
            request_id=str(number),
        )
        for number in range(32)
    ]
    assert [one["id"] for one in http.get(ALL).json()["history"]] == ids[:1:-1]
