"""`/metrics` and the description of the API are for those who run the server."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product as pairs
from threading import Event, Semaphore
from typing import Any

import pytest
from fastapi import applications

from tests.factories.documented import documented_statuses
from tests.factories.product import Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.access.admins import service

pytestmark = sqlite_only
TOKEN = "metrics-token-of-the-tests"
DESCRIPTIONS = ("/api/docs", "/api/openapi.json")
PATHS = ("/metrics", *DESCRIPTIONS)


def heard(product: Product, **headers: str) -> list[int]:
    with product.client() as http:
        return [http.get(path, headers=headers).status_code for path in PATHS]


@pytest.fixture
def behind_proxy(make_product: ProductMaker) -> Product:
    return make_product(trusted_proxies="127.0.0.1")


def test_this_machine_and_the_private_network_may_read_them(behind_proxy: Product) -> None:
    assert heard(behind_proxy) == [200] * 3
    for address in ("10.0.0.8", "192.168.1.2", "fd00::8"):
        assert heard(behind_proxy, **{"x-forwarded-for": address}) == [200] * 3, address


def test_nobody_outside_may(behind_proxy: Product) -> None:
    for chain in ("203.0.113.9", "10.0.0.8, 203.0.113.9", "2001:db8::9", "127.0.0.1, 198.51.100.1"):
        assert heard(behind_proxy, **{"x-forwarded-for": chain}) == [401] * 3, chain


def test_a_proxy_that_nobody_has_named_opens_nothing(product: Product, make_product: ProductMaker) -> None:
    """Its own address is internal, and anybody may be behind it."""
    other = make_product(trusted_proxies="10.9.9.9")
    headers = ({"x-forwarded-for": "203.0.113.9"}, {"x-real-ip": "203.0.113.9"}, {"forwarded": "for=203.0.113.9"})
    for one, given in pairs((product, other), ({"x-forwarded-for": "127.0.0.1"}, *headers)):
        assert heard(one, **given) == [401] * 3, given


def test_with_a_token_it_is_the_only_way(make_product: ProductMaker) -> None:
    product = make_product(metrics_token=TOKEN, trusted_proxies="127.0.0.1")
    outside = {"x-forwarded-for": "203.0.113.9"}
    assert heard(product) == [401] * 3
    assert heard(product, **outside, authorization=f"Bearer {TOKEN}") == [200] * 3
    assert heard(product, authorization="Bearer wrong") == [401] * 3


def test_an_administrator_may_read_the_description_from_anywhere(behind_proxy: Product) -> None:
    behind_proxy.make_admin()
    outside = {"x-forwarded-for": "203.0.113.9"}
    behind_proxy.http.post(
        "/api/admin/login", json={"username": "jimukyoku", "password": "correct horse battery staple"}, headers=outside
    ).raise_for_status()
    assert [behind_proxy.http.get(path, headers=outside).status_code for path in PATHS] == [401, 200, 200]
    token = behind_proxy.db.write_now(service.create_token, "jimukyoku")
    assert heard(behind_proxy, **outside, authorization=f"Bearer {token}") == [401, 200, 200]


def test_in_the_demo_everybody_may(make_product: ProductMaker) -> None:
    product = make_product(tsudoi_demo=True, trusted_proxies="127.0.0.1")
    assert heard(product, **{"x-forwarded-for": "203.0.113.9"}) == [200] * 3


def test_nobody_waits_while_the_description_is_written_once(product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    documented_statuses()  # The product of a test reads the description too.
    describe = vars(applications)["get_openapi"]
    begun, goes_on = Semaphore(0), Event()

    def slow(**options: Any) -> Any:
        begun.release()
        assert goes_on.wait(60)
        return describe(**options)

    monkeypatch.setattr(applications, "get_openapi", slow)
    with ThreadPoolExecutor(2) as pool, product.client() as other:
        readers = [pool.submit(product.http.get, "/api/openapi.json") for _ in range(2)]
        try:
            assert begun.acquire(timeout=60)
            assert other.get("/livez", timeout=10).status_code == 200
        finally:
            goes_on.set()
        first, second = (reader.result(60) for reader in readers)
    assert (first.status_code, second.content) == (200, first.content)
    assert not begun.acquire(blocking=False)
