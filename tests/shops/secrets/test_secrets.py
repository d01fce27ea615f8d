from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import text, update

from tests.booking.office import audited, code, fault, office
from tests.factories.product import Box, Product
from tests.factories.shops import RING, TOKEN, give_token, make_shop
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.core.clock import ManualClock
from tsudoi.core.models import AuditLog, IdempotencyKey
from tsudoi.shops.secrets.models import ShopSecret
from tsudoi.shops.secrets.rules import decrypt, secret_purpose

KEY = "STORES_API_TOKEN"


@pytest.fixture
def shop(product: Product) -> int:
    return make_shop(product.db, merchant_canonical_id="mc_1")


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as client:
        yield client


def path(shop_id: int, *more: str) -> str:
    return "/".join((f"/api/admin/shops/{shop_id}/secrets", *more))


@pytest.mark.row("4.7.2", "4.7.3")
def test_a_secret_is_written_and_never_read_again(
    product: Product, http: httpx2.Client, shop: int, clock: ManualClock
) -> None:
    unset = {"key": KEY, "set": False, "last_four": None, "updated_at": None, "last_used_at": None, "age_days": None}
    assert http.get(path(shop)).json() == {"secrets": [unset]}
    answer = http.put(path(shop, KEY), json={"value": f" {TOKEN}\n"})
    clock.advance(timedelta(days=3))
    shown = http.get(path(shop))
    assert shown.json()["secrets"] == [
        {
            "key": KEY,
            "set": True,
            "last_four": "0815",
            "updated_at": "2025-08-16T12:00:00+09:00",
            "last_used_at": None,
            "age_days": 3,
        }
    ]
    row = product.rows(ShopSecret)[0]
    assert decrypt(RING, row["v_enc"], secret_purpose(shop, KEY)) == TOKEN
    everything = [answer.text, shown.text, http.get("/api/admin/shops").text, http.get("/api/admin/audit-logs").text]
    everything += [str(product.rows(table)) for table in (ShopSecret, AuditLog, IdempotencyKey)]
    assert [said for said in everything if TOKEN in said] == []
    assert http.get("/api/admin/shops").json()["shops"][0]["has_token"] is True
    assert len(audited(product.db, "SHOP_SECRET_SET")) == 1


@pytest.mark.row("4.7.2")
@sqlite_only
def test_no_file_of_the_database_holds_the_token(product: Product, http: httpx2.Client, shop: int) -> None:
    http.put(path(shop, KEY), json={"value": TOKEN}, headers={"idempotency-key": "one"}).raise_for_status()
    listed = product.db.read_now(lambda tx: tx.execute(text("PRAGMA database_list")).all())
    path_of_file = Path(listed[0].file)
    files = [file for file in path_of_file.parent.iterdir() if file.name.startswith(path_of_file.name)]
    assert files
    assert [file.name for file in files if TOKEN.encode() in file.read_bytes()] == []


def test_a_secret_is_replaced_and_removed(product: Product, http: httpx2.Client, shop: int) -> None:
    give_token(product.db, shop)
    assert http.put(path(shop, KEY), json={"value": "another_token_4711"}).json()["last_four"] == "4711"
    assert len(product.rows(ShopSecret)) == 1
    assert http.delete(path(shop, KEY)).status_code == 204
    assert product.rows(ShopSecret) == []
    assert code(http.delete(path(shop, KEY))) == (404, "NOT_FOUND")
    assert len(audited(product.db, "SHOP_SECRET_DELETE")) == 1


@sqlite_only
@pytest.mark.parametrize("wrong", ["", "   ", "a b", "tok\0", "トークン", "x" * 501, "a\nb", 5, None, ["x"]])
def test_a_value_that_no_header_can_carry_is_refused(
    product: Product, http: httpx2.Client, shop: int, wrong: object
) -> None:
    answer = http.put(path(shop, KEY), json={"value": wrong})
    assert fault(answer)[:2] == (400, "value")
    assert product.rows(ShopSecret) == []


@sqlite_only
def test_unknown_names_and_shops_are_refused(product: Product, http: httpx2.Client, shop: int) -> None:
    assert fault(http.put(path(shop, "OTHER"), json={"value": "x"})) == (400, "key", "NOT_ALLOWED")
    for method, more in (("GET", ()), ("PUT", (KEY,)), ("DELETE", (KEY,)), ("POST", (KEY, "test"))):
        body = {"value": TOKEN} if method == "PUT" else None
        assert code(http.request(method, path(999, *more), json=body)) == (404, "SHOP_NOT_FOUND")


class TestTrying:
    @pytest.fixture
    def token(self, product: Product, box: Box, shop: int) -> int:
        box.http.post("/_sandbox/stores/examples", json={"tokens": {"mc_1": TOKEN}}).raise_for_status()
        give_token(product.db, shop)
        return shop

    def tries(self, http: httpx2.Client, shop: int) -> dict[str, Any]:
        answer = http.post(path(shop, KEY, "test"))
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def asked(self, box: Box) -> list[dict[str, Any]]:
        return list(box.http.get("/_sandbox/requests", params={"system": "stores"}).json()["requests"])

    def test_asks_stores_one_harmless_question(
        self, product: Product, http: httpx2.Client, box: Box, token: int
    ) -> None:
        box.http.delete("/_sandbox/requests")
        said = self.tries(http, token)
        assert (said["ok"], said["code"], said["message"]) == (
            True,
            "STORES_RESERVATIONS_LISTED",
            "STORES予約に接続できました。",
        )
        request = self.asked(box)[0]
        assert (request["method"], request["path"]) == ("GET", "/reserve/202101/reservations")
        assert (request["query"]["page"], request["query"]["merchant_canonical_ids"]) == ("1", "mc_1")
        assert [row["new"] for row in audited(product.db, "SHOP_SECRET_TEST")] == [
            '{"result":"STORES_RESERVATIONS_LISTED","secret_name":"STORES_API_TOKEN"}'
        ]

    @sqlite_only
    @pytest.mark.parametrize(
        ("rule", "says"),
        [
            ({"kind": "error_status", "status": 401}, "受け付けませんでした"),
            ({"kind": "error_status", "status": 500}, "エラー（500）"),
            ({"kind": "rate_limited"}, "上限"),
            ({"kind": "drop_connection"}, "応答がありません"),
            ({"kind": "html_page", "status": 200}, "STORES予約"),
        ],
    )
    def test_says_what_came_back_and_does_not_repeat_itself(
        self, http: httpx2.Client, box: Box, token: int, rule: dict[str, Any], says: str
    ) -> None:
        echo = {"body": f"<p>{TOKEN}</p>"} if "status" in rule else {}
        box.breaks(endpoint="stores", **echo, **rule)
        box.http.delete("/_sandbox/requests")
        said = self.tries(http, token)
        assert (said["ok"], says in said["message"], TOKEN in str(said)) == (False, True, False), said
        assert len(self.asked(box)) == 1

    @sqlite_only
    def test_without_a_token_nothing_is_asked(self, http: httpx2.Client, box: Box, shop: int) -> None:
        box.http.delete("/_sandbox/requests")
        said = self.tries(http, shop)
        assert (said["ok"], said["message"]) == (False, "トークンが登録されていません。")
        assert self.asked(box) == []


@sqlite_only
def test_a_row_of_another_shop_opens_nothing(product: Product, http: httpx2.Client, box: Box, shop: int) -> None:
    """Whoever can write into the database cannot give one shop the token of another."""
    other = make_shop(product.db, "osk1", merchant_canonical_id="mc_2")
    give_token(product.db, shop)
    give_token(product.db, other, "token_of_the_other_shop")
    stolen = product.rows(ShopSecret)[1]["v_enc"]
    product.db.write_now(
        lambda tx: tx.execute(update(ShopSecret).where(ShopSecret.shop_id == shop).values(v_enc=stolen))
    )
    said = http.post(path(shop, KEY, "test")).json()
    assert (said["ok"], said["code"]) == (False, "STORES_RESERVATIONS_LOOKUP_FAILED")
    assert box.http.get("/_sandbox/requests", params={"system": "stores"}).json()["requests"] == []


@sqlite_only
def test_an_installation_without_keys_has_no_shops(make_product: ProductMaker) -> None:
    product = make_product(shop_secrets_keys=None)
    with office(product) as http:
        assert http.get("/api/admin/shops").status_code == 404
        assert http.get("/api/admin/events").status_code == 200
