from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from tests.booking.office import audited, code, fault, office
from tests.factories.product import Product
from tests.factories.shops import make_call, make_link, make_shop
from tests.factories.webhooks import user_id
from tests.product_fixtures import sqlite_only
from tsudoi.line.friends.models import LineFriend
from tsudoi.shops.links.models import CustomerLink

ALL = "/api/admin/customer-links"


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    with office(product) as client:
        yield client


def link(http: httpx2.Client, shop: int, user: str, customer: str = "123", /, **more: Any) -> httpx2.Response:
    body = {"shop_id": shop, "line_user_id": user, "stores_customer_id": customer, "reason": "来店時に確認"}
    return http.post(ALL, json={**body, **more})


def friend(product: Product, user: str, name: str) -> None:
    now = product.db.clock.now()
    times = {"first_contact_at": now, "last_contact_at": now, "updated_at": now}
    row = {"user_id": user, "display_name": name, "following": True, "state_ms": 1, **times}
    product.db.write_now(lambda tx: tx.execute(LineFriend.__table__.insert().values(row)))  # type: ignore[attr-defined]


def test_a_customer_is_linked_and_unlinked_by_hand(product: Product, http: httpx2.Client) -> None:
    shop = make_shop(product.db)
    friend(product, user_id(1), "たろう")
    made = link(http, shop, user_id(1))
    assert made.status_code == 201
    assert made.json() == {
        "id": made.json()["id"],
        "shop_id": shop,
        "shop_name": "名古屋栄店",
        "external_user_id": user_id(1),
        "display_name": "たろう",
        "stores_customer_id": "123",
        "created_at": "2025-08-16T12:00:00+09:00",
        "updated_at": "2025-08-16T12:00:00+09:00",
        "state": "unknown",
    }
    again = link(http, shop, user_id(1))
    assert (again.status_code, again.json()) == (201, made.json())
    gone = http.request("DELETE", f"{ALL}/{made.json()['id']}", json={"reason": "別の方でした"})
    assert gone.status_code == 204
    assert product.rows(CustomerLink) == []
    assert [row["reason"] for row in audited(product.db, "CUSTOMER_LINK")] == ["来店時に確認"]
    assert [row["reason"] for row in audited(product.db, "CUSTOMER_UNLINK")] == ["別の方でした"]
    assert http.request("DELETE", f"{ALL}/{made.json()['id']}", json={"reason": "x"}).status_code == 404


def test_a_link_is_never_overwritten(product: Product, http: httpx2.Client) -> None:
    first, second = make_shop(product.db, "ngy1"), make_shop(product.db, "osk1")
    make_link(product.db, first, user_id(1), "123")
    before = product.rows(CustomerLink)
    for answer, field in (
        (link(http, first, user_id(1), "124"), "line_user_id"),
        (link(http, first, user_id(2), "123"), "stores_customer_id"),
    ):
        assert code(answer) == (409, "LINK_CONFLICT")
        assert answer.json()["details"] == [{"field": field, "reason": "TAKEN"}]
    assert product.rows(CustomerLink) == before
    assert link(http, second, user_id(1), "123").status_code == 201


def test_links_that_race_give_one_row_and_conflicts(product: Product, http: httpx2.Client) -> None:
    shop = make_shop(product.db)
    with ThreadPoolExecutor(8) as pool:
        heard = list(pool.map(lambda number: link(http, shop, user_id(number)).status_code, range(8)))
    assert sorted(heard) == [201, *[409] * 7]
    assert len(product.rows(CustomerLink)) == 1


def test_links_are_found_by_shop_name_and_id(product: Product, http: httpx2.Client) -> None:
    first, second = make_shop(product.db, "ngy1"), make_shop(product.db, "osk1", "大阪梅田店")
    friend(product, user_id(1), "Taro_100%")
    ids = [
        make_link(product.db, first, user_id(1), "123"),
        make_link(product.db, second, user_id(1), "124"),
        make_link(product.db, second, user_id(2), "125"),
    ]

    def found(**filters: Any) -> list[int]:
        return [one["id"] for one in http.get(ALL, params=filters).json()["links"]]

    assert found() == ids[::-1]
    assert found(shop_id=first) == ids[:1]
    assert found(query="taro") == ids[1::-1]
    assert (found(query="o_1"), found(query="0%"), found(query="%"), found(query="x_1")) == (
        ids[1::-1],
        ids[1::-1],
        ids[1::-1],
        [],
    )
    assert found(query="125") == ids[2:]
    assert found(query=user_id(2)) == ids[2:]
    assert found(before=ids[2]) == ids[1::-1]
    assert http.get(ALL, params={"limit": 1}).json()["next_before"] == ids[2]


def test_a_link_shows_what_stores_said_last(product: Product, http: httpx2.Client) -> None:
    db, base = product.db, product.settings.stores_api_base
    shop, other = make_shop(db, "ngy1"), make_shop(db, "osk1")
    for number, customer in enumerate(("1", "2", "3", "4", "5")):
        make_link(db, shop, user_id(number), customer, timedelta(hours=1))
    make_call(db, shop_id=shop, url=f"{base}/customers/1", status_code=404)
    make_call(db, shop_id=shop, url=f"{base}/customers/1", status_code=200)
    make_call(db, shop_id=shop, url=f"{base}/customers/2", status_code=404)
    make_call(db, shop_id=shop, url=f"{base}/customers/3", status_code=500)
    make_call(db, shop_id=other, url=f"{base}/customers/4", status_code=200)
    # Said before the link was made: it was about another link.
    make_call(db, shop_id=shop, url=f"{base}/customers/5", status_code=200, at=db.clock.now() - timedelta(hours=2))
    said = {one["stores_customer_id"]: one["state"] for one in http.get(ALL).json()["links"]}
    assert said == {"1": "valid", "2": "broken", "3": "unknown", "4": "unknown", "5": "unknown"}


@sqlite_only
@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        *[("line_user_id", value) for value in ("", "U123", "U" + "A" * 32, user_id(1) + "\n", 5, None)],
        *[("stores_customer_id", value) for value in ("", "abc", "0", "-1", "１２", "1" * 19, 123, None)],
        *[("shop_id", value) for value in ("1", 0, 2**60, None, True)],
        *[("reason", value) for value in ("", " ", "x" * 201, None, 5)],
        ("transfer", True),
    ],
)
def test_a_link_is_read_strictly(product: Product, http: httpx2.Client, field: str, wrong: object) -> None:
    shop = make_shop(product.db)
    assert fault(link(http, shop, user_id(1), **{field: wrong}))[:2] == (400, field)
    assert product.rows(CustomerLink) == []


@sqlite_only
def test_a_shop_that_does_not_exist_has_no_customers(product: Product, http: httpx2.Client) -> None:
    assert code(link(http, 999, user_id(1))) == (404, "SHOP_NOT_FOUND")
    link_id = make_link(product.db, make_shop(product.db), user_id(1), "1")
    for body in ({}, {"reason": ""}, {"reason": "x", "more": 1}):
        assert http.request("DELETE", f"{ALL}/{link_id}", json=body).status_code == 400
    assert http.delete(f"{ALL}/{link_id}").status_code == 415
    assert len(product.rows(CustomerLink)) == 1
