from collections.abc import Iterator
from datetime import timedelta

import httpx2
import pytest

from tests.booking.office import audited, code, fault, key, office
from tests.factories.product import Product
from tests.factories.shops import give_token, make_link, make_shop, make_state, make_ticket
from tests.factories.webhooks import user_id
from tests.product_fixtures import sqlite_only
from tsudoi.shops.shop.models import Shop, ShopInternalInfo

ALL = "/api/admin/shops"
WHOLE = {
    "code": "ngy1",
    "name": "名古屋栄店",
    "shop_status": "open",
    "shop_email": "sakae@example.jp",
    "phone": "052-123-4567",
    "stores_public_url": "https://coubic.com/ngy1",
    "merchant_public_id": "ngy1-sakae",
    "merchant_canonical_id": "mc_1",
}


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as client:
        yield client


@pytest.mark.quick("happy_path")
def test_a_shop_is_created_and_read_again(product: Product, http: httpx2.Client) -> None:
    made = http.post(ALL, json=WHOLE)
    assert made.status_code == 201
    shop = made.json()
    assert {name: shop[name] for name in WHOLE} == WHOLE
    assert (shop["has_token"], shop["open_tickets"], shop["links"]) == (False, 0, 0)
    assert shop["help_url"] == f"{product.settings.public_base_url}/help/ngy1"
    assert shop["systems"][0] == {
        "system": "stores",
        "light": "unknown",
        "failures_in_a_row": 0,
        "last_success_at": None,
        "last_failure_at": None,
        "last_error": None,
        "breaker": "closed",
        "open_until": None,
    }
    assert http.get(f"{ALL}/{shop['id']}").json() == shop
    assert http.get(ALL).json()["shops"] == [shop]
    assert [row["value"] for row in product.rows(ShopInternalInfo)] == ["mc_1"]
    assert [row["actor"] for row in audited(product.db, "SHOP_CREATE")] == ["admin:jimukyoku"]


def test_the_same_key_creates_one_shop(product: Product, http: httpx2.Client) -> None:
    once = key()
    first, second = (http.post(ALL, json={"code": "ngy1", "name": "栄"}, headers=once) for _ in range(2))
    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert len(product.rows(Shop)) == 1


def test_a_shop_is_changed_field_by_field(product: Product, http: httpx2.Client) -> None:
    shop_id = make_shop(product.db, phone="052-123-4567", merchant_canonical_id="mc_1")
    changed = http.patch(
        f"{ALL}/{shop_id}", json={"name": "栄店", "phone": None, "merchant_canonical_id": "mc_9"}
    ).json()
    assert (changed["name"], changed["phone"], changed["merchant_canonical_id"]) == ("栄店", None, "mc_9")
    assert http.patch(f"{ALL}/{shop_id}", json={"merchant_canonical_id": None}).json()["merchant_canonical_id"] is None
    assert product.rows(ShopInternalInfo) == []
    http.patch(f"{ALL}/{shop_id}", json={"name": "栄店"})
    assert len(audited(product.db, "SHOP_CHANGE")) == 2


def test_codes_and_public_ids_are_taken_once(product: Product, http: httpx2.Client) -> None:
    make_shop(product.db, "ngy1", merchant_public_id="sakae")
    other = make_shop(product.db, "osk1")
    for answer, field in (
        (http.post(ALL, json={"code": "ngy1", "name": "x"}), "code"),
        (http.post(ALL, json={"code": "tyo1", "name": "x", "merchant_public_id": "sakae"}), "merchant_public_id"),
        (http.patch(f"{ALL}/{other}", json={"code": "ngy1"}), "code"),
        (http.patch(f"{ALL}/{other}", json={"merchant_public_id": "sakae"}), "merchant_public_id"),
    ):
        assert code(answer) == (409, "SHOP_TAKEN")
        assert answer.json()["details"] == [{"field": field, "reason": "TAKEN"}]
    assert [row["code"] for row in product.rows(Shop)] == ["ngy1", "osk1"]


@sqlite_only
@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        *[("code", value) for value in ("", "NGY1", "a/b", "a b", "..", "x" * 33, 5, None, "ｎｇｙ１")],
        *[("name", value) for value in ("", " ", "x" * 61, "a\0b", 5, None)],
        *[("shop_status", value) for value in ("gone", "", 1, None)],
        *[("shop_email", value) for value in ("x", "a@b", "a@b@c.jp", "a b@c.jp", 'a"@c.jp', 5)],
        *[("phone", value) for value in ("", "abc", "１２３４５６", 521234567, "0" * 30)],
        *[("stores_public_url", value) for value in ("x", "http://coubic.com", "javascript:alert(1)", "https://u@h/")],
        *[("merchant_public_id", value) for value in ("", "a b", "mc,2", "x" * 65, 1)],
        *[("merchant_canonical_id", value) for value in ("", "mc_1,mc_2", "a&b=c", 1)],
    ],
)
def test_each_field_is_read_strictly(product: Product, http: httpx2.Client, field: str, wrong: object) -> None:
    assert fault(http.post(ALL, json={**WHOLE, field: wrong}))[:2] == (400, field)
    shop_id = make_shop(product.db, "osk1")
    before = product.rows(Shop)
    assert fault(http.patch(f"{ALL}/{shop_id}", json={field: wrong}))[:2] == (400, field)
    assert product.rows(Shop) == before


@pytest.mark.quick("refusal")
@sqlite_only
def test_unknown_fields_and_shops_are_refused(product: Product, http: httpx2.Client) -> None:
    assert fault(http.post(ALL, json={**WHOLE, "token": "x"})) == (400, "token", "UNKNOWN_FIELD")
    assert code(http.get(f"{ALL}/999")) == (404, "SHOP_NOT_FOUND")
    assert code(http.patch(f"{ALL}/999", json={"name": "x"})) == (404, "SHOP_NOT_FOUND")
    assert http.get(f"{ALL}/0").status_code == 400
    assert product.rows(Shop) == []


def test_the_list_counts_and_shows_lights(product: Product, http: httpx2.Client) -> None:
    db, now = product.db, product.db.clock.now()
    first, second = make_shop(db, "ngy1"), make_shop(db, "osk1", "大阪梅田店")
    give_token(db, first)
    make_ticket(db, shop_id=first, dedupe_key="a")
    make_ticket(db, shop_id=first, dedupe_key="b", status="closed", closed_at_utc=now)
    make_link(db, first, user_id(1), "123")
    open_until = now + timedelta(seconds=20)
    make_state(db, first, "stores", failures_in_a_row=5, last_failure_at_utc=now, open_until_utc=open_until)
    make_state(db, second, "stores", last_success_at_utc=now)
    make_state(db, 0, "chatwork", last_success_at_utc=now - timedelta(hours=1), last_failure_at_utc=now)
    said = http.get(ALL).json()
    one, two = said["shops"]
    assert (one["has_token"], one["open_tickets"], one["links"]) == (True, 1, 1)
    assert [(shop["systems"][0]["light"], shop["systems"][0]["breaker"]) for shop in (one, two)] == [
        ("fail", "open"),
        ("ok", "closed"),
    ]
    assert one["systems"][0]["open_until"] == "2025-08-16T12:00:20+09:00"
    assert {system["system"]: system["light"] for system in said["systems"]} == {
        "chatwork": "warn",
        "sms": "unknown",
        "email": "unknown",
        "line": "unknown",
        "openai": "unknown",
        "remotelock": "stub",
    }
