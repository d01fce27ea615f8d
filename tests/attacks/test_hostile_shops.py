"""G9 for the office's routes of shops: a good request in which one value is hostile, about things that exist."""

import re
from typing import Any

import orjson
import pytest

from tests.attacks.shop_routes import SHOP_BODIES, SHOP_ROUTES
from tests.attacks.test_hostile_input import CORPUS, QUERIES, check
from tests.booking.office import office
from tests.factories.product import JSON, Product
from tests.factories.shops import give_token, make_call, make_link, make_shop, make_ticket
from tests.factories.webhooks import user_id
from tests.sizes import share
from tsudoi.shops.shop.models import Shop

WHOLE: dict[str, dict[str, Any]] = {
    **SHOP_BODIES,
    "/api/admin/shops": {
        "code": "new1",
        "name": "新店",
        "shop_status": "open",
        "shop_email": "a@example.jp",
        "phone": "03-1234-5678",
        "stores_public_url": "https://coubic.com/x",
        "merchant_public_id": "x",
        "merchant_canonical_id": "mc_9",
    },
    "/api/admin/escalation-rules/{rule_code}": {
        "severity": "info",
        "channels": ["email"],
        "chatwork_room_id": "1",
        "email_to": "a@example.jp",
        "sms_to": "090-1234-5678",
        "throttle_minutes": 5,
        "active": True,
        "fallback": True,
        "quiet_hours": True,
        "snoozed_until": "2025-08-16T13:00:00+09:00",
    },
}
WHOLE["/api/admin/shops/{shop_id}"] = WHOLE["/api/admin/shops"]
ROUTES = [route for route in SHOP_ROUTES if route[0] != "GET"]


@pytest.fixture
def things(product: Product) -> dict[str, str]:
    db = product.db
    shop = make_shop(db)
    give_token(db, shop)
    return {
        "{shop_id}": str(shop),
        "{ticket_id}": str(make_ticket(db, shop_id=shop)),
        "{call_id}": str(make_call(db, shop_id=shop)),
        "{link_id}": str(make_link(db, shop, user_id(1), "1")),
        "{rule_code}": "API_ERROR_CRITICAL",
    }


def address(path: str, things: dict[str, str], key: str) -> str:
    return re.sub(r"{\w+}", lambda found: things.get(found.group(), key), path)


def sources(body: dict[str, Any]) -> list[bytes]:
    """The body as JSON source, each time with one value of the corpus in one of its fields."""

    plain = {name: orjson.dumps(value).decode() for name, value in body.items()}
    return [
        ("{" + ",".join(f'"{name}":{text}' for name, text in {**plain, field: value}.items()) + "}").encode()
        for field in body
        for value in CORPUS
    ]


def test_no_value_breaks_anything(product: Product, things: dict[str, str]) -> None:
    tried = 0
    with office(product) as http:
        for method, path in ROUTES:
            key = "STORES_API_TOKEN" if "secrets" in path else "api_timeout_sec"
            if path.endswith("/test"):
                continue
            for body in share(iter(sources(WHOLE.get(path, {}))), product.db.dialect):
                answer = http.request(method, address(path, things, key), content=body, headers=JSON)
                check(answer, (method, path, body[:200]))
                tried += 1
    assert tried > 50
    assert all(row["code"] and row["name"] for row in product.rows(Shop))


def test_no_part_of_an_address_breaks_anything(product: Product, things: dict[str, str]) -> None:
    with office(product) as http:
        for method, path in SHOP_ROUTES:
            for hostile in share(iter(QUERIES[1:]), product.db.dialect):
                asked = re.sub(r"{\w+}", hostile, path)
                answer = http.request(method, asked, json=None if method == "GET" else WHOLE.get(path, {}))
                check(answer, (method, asked))
