from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from sqlalchemy import update

from tests.booking.office import audited, code, fault, office
from tests.factories.product import Product
from tests.factories.shops import add, make_shop
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.gateway.api_comm.parameters import PARAMETERS
from tsudoi.shops.parameters.models import SysParam
from tsudoi.shops.shop.models import OptionMaster, ShopOption

ALL = "/api/admin/sys-params"
KEY = "api_timeout_sec"


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as client:
        yield client


def put(http: httpx2.Client, key: str, value: Any, shop_id: int | None = None, **more: Any) -> httpx2.Response:
    scope = "global" if shop_id is None else "shop"
    return http.put(f"{ALL}/{key}", json={"value": value, "scope": scope, "shop_id": shop_id, **more})


def holds(http: httpx2.Client, key: str, shop_id: int | None = None) -> tuple[int | None, str]:
    listed = http.get(ALL, params={} if shop_id is None else {"shop_id": shop_id}).json()["parameters"]
    found = next(one["effective"] for one in listed if one["key"] == key)
    return found["value"], found["source"]


@pytest.mark.row("4.2.2")
@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("merchant_canonical_id", "DOUBLES_SHOP_DATA"),
        ("stores_merchant_canonical_id", "DOUBLES_SHOP_DATA"),
        ("STORES_API_TOKEN", "DOUBLES_SHOP_DATA"),
        ("shop_email", "DOUBLES_SHOP_DATA"),
        ("made_up", "NOT_ALLOWED"),
        ("API_TIMEOUT_SEC", "NOT_ALLOWED"),
        ("stores_api_max_calls_per_request", "NOT_ALLOWED"),
        ("stores_api_read_only", "NOT_ALLOWED"),
    ],
)
def test_only_known_keys_are_accepted(product: Product, http: httpx2.Client, key: str, reason: str) -> None:
    assert fault(put(http, key, 5)) == (400, "key", reason)
    assert fault(http.delete(f"{ALL}/{key}", params={"scope": "global"})) == (400, "key", reason)
    assert product.rows(SysParam) == []


def test_every_parameter_is_listed_with_its_range(http: httpx2.Client) -> None:
    listed = http.get(ALL).json()["parameters"]
    assert [one["key"] for one in listed] == [one.key for one in PARAMETERS]
    assert listed[0] == {
        "key": "api_timeout_sec",
        "label": "外部APIの応答を待つ秒数",
        "value_type": "int",
        "lowest": 1,
        "highest": 60,
        "default": 10,
        "per_shop": True,
        "effective": {"value": 10, "source": "default", "why": "どこにも設定がないため、初期値を使っています。"},
        "stored": [],
    }


def test_a_shop_of_its_own_wins_over_everybody(product: Product, http: httpx2.Client) -> None:
    shop = make_shop(product.db)
    assert put(http, KEY, 5).status_code == 200
    assert put(http, KEY, 3, shop).json()["parameters"][0]["effective"]["value"] == 3
    assert [holds(http, KEY), holds(http, KEY, shop)] == [(5, "sys_params_global"), (3, "sys_params_shop")]
    assert [holds(http, "stores_api_timeout_sec", shop)] == [(3, "api_sys_params_shop")]
    stored = http.get(ALL).json()["parameters"][0]["stored"]
    assert [(one["scope"], one["shop_id"], one["value"]) for one in stored] == [
        ("global", None, "5"),
        ("shop", shop, "3"),
    ]
    put(http, KEY, 3, shop)
    put(http, KEY, 4, shop)
    assert len(audited(product.db, "SYS_PARAM_SET")) == 3
    assert http.delete(f"{ALL}/{KEY}", params={"scope": "shop", "shop_id": shop}).status_code == 204
    assert holds(http, KEY, shop) == (5, "sys_params_global")
    assert code(http.delete(f"{ALL}/{KEY}", params={"scope": "shop", "shop_id": shop})) == (404, "NOT_FOUND")
    assert len(audited(product.db, "SYS_PARAM_DELETE")) == 1


def test_each_place_holds_until_a_stronger_one_speaks(make_product: ProductMaker) -> None:
    product = make_product(api_timeout_sec=30, stores_api_timeout_sec=20)
    shop = make_shop(product.db)
    with office(product) as http:
        assert holds(http, KEY, shop) == (30, "env")
        put(http, KEY, 9)
        assert holds(http, KEY, shop) == (9, "sys_params_global")
        # What is said for STORES alone, wherever it stands, comes before what is said for every system.
        assert holds(http, "stores_api_timeout_sec", shop) == (20, "env")
        put(http, KEY, 8, shop)
        assert holds(http, KEY, shop) == (8, "sys_params_shop")
        option = add(product.db, OptionMaster, option_code=KEY, option_name="x")
        add(product.db, ShopOption, shop_id=shop, option_id=option, value=7)
        assert holds(http, KEY, shop) == (7, "shop")
        assert holds(http, KEY) == (9, "sys_params_global")


def test_nonsense_in_the_table_is_skipped_and_named(product: Product, http: httpx2.Client) -> None:
    put(http, KEY, 5)
    product.db.write_now(lambda tx: tx.execute(update(SysParam).values(value="ten")))
    found = http.get(ALL).json()["parameters"][0]["effective"]
    assert (found["value"], found["source"]) == (10, "default")
    assert "「ten」は使えない値のため" in found["why"]


@sqlite_only
@pytest.mark.parametrize(
    ("key", "value", "field"),
    [
        *[(KEY, value, "value") for value in (0, 61, -1, 2**63, "5", 5.0, True, None)],
        ("api_retry_count", 6, "value"),
        ("stores_breaker_failures", 11, "value"),
        ("stores_breaker_seconds", 4, "value"),
    ],
)
def test_a_value_has_to_be_a_number_in_range(
    product: Product, http: httpx2.Client, key: str, value: Any, field: str
) -> None:
    assert fault(put(http, key, value))[:2] == (400, field)
    assert product.rows(SysParam) == []


@sqlite_only
def test_scope_and_shop_go_together(product: Product, http: httpx2.Client) -> None:
    shop = make_shop(product.db)
    assert fault(put(http, KEY, 5, shop, scope="global")) == (400, "shop_id", "NOT_ALLOWED")
    assert fault(put(http, KEY, 5, scope="shop")) == (400, "shop_id", "REQUIRED")
    assert fault(put(http, KEY, 5, scope="channel")) == (400, "scope", "NOT_ALLOWED")
    assert fault(put(http, "stores_healthcheck_shop_id", shop, shop)) == (400, "scope", "NOT_ALLOWED")
    assert code(put(http, KEY, 5, 999)) == (404, "SHOP_NOT_FOUND")
    assert code(put(http, "stores_healthcheck_shop_id", 999)) == (404, "SHOP_NOT_FOUND")
    assert http.get(ALL, params={"shop_id": 999}).status_code == 404
    assert http.delete(f"{ALL}/{KEY}").status_code == 400
    assert product.rows(SysParam) == []
    assert put(http, "stores_healthcheck_shop_id", shop).status_code == 200
