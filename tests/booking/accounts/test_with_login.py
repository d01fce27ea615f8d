"""What the office does to an account, as the person notices it at the next request."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.booking.office import office
from tests.factories.booking import make_department
from tests.factories.product import Product
from tests.product_fixtures import sqlite_only

ALL = "/api/admin/staffs"
ME = "/api/staffs/me"
FILE = "名前(漢字),本部ID(staffId),部署(コード),職種\n山田 太郎,00123,3a,医師"


@pytest.fixture
def http(product: Product) -> Iterator[httpx2.Client]:
    make_department(product.db, "3A")
    with office(product) as client:
        yield client


def log_in(product: Product, staff_id: str, pin: str) -> httpx2.Response:
    return product.http.post("/auth/login", json={"staffId": staff_id, "pin": pin})


def bearer_of(answer: httpx2.Response) -> dict[str, str]:
    assert answer.status_code == 200, answer.text
    return {"authorization": f"Bearer {answer.json()['accessToken']}"}


@sqlite_only
@pytest.mark.row("3.6.12", "3.6.20", "3.6.21", "3.7.8", "3.7.12", "3.7.13", "3.7.22")
def test_p0_from_the_import_over_the_first_log_in_to_suspension(product: Product, http: httpx2.Client) -> None:
    imported = http.post(
        f"{ALL}/import", params={"dryRun": "false"}, content=FILE.encode(), headers={"content-type": "text/csv"}
    )
    assert imported.status_code == 201

    first = bearer_of(log_in(product, "00123", "0000"))
    assert product.http.get(ME, headers=first).status_code == 428
    pins = {"currentPin": "0000", "newPin": "7391"}
    assert product.http.post("/api/staffs/pin/change", json=pins, headers=first).is_success
    assert log_in(product, "00123", "0000").status_code == 401

    logged_in = log_in(product, "00123", "7391")
    own = bearer_of(logged_in)
    me: dict[str, Any] = product.http.get(ME, headers=own).json()
    person = f"{ALL}/{me['staffUid']}"
    assert product.http.get(ALL, headers=own).status_code in (401, 403)

    renumbered = {"version": me["version"], "reason": "番号の変更", "staffId": "777"}
    assert http.patch(person, json=renumbered).status_code == 200
    assert product.http.get(ME, headers=own).status_code == 401
    refresh = {"refreshToken": logged_in.json()["refreshToken"]}
    assert product.http.post("/auth/refresh", json=refresh).status_code == 401
    assert log_in(product, "00123", "7391").status_code == 401
    assert log_in(product, "777", "7391").status_code == 200

    assert [log_in(product, "777", "9999").status_code for _ in range(5)][-1] == 423
    assert log_in(product, "777", "7391").status_code == 423
    assert http.post(f"{person}/unlock", json={"reason": "本人から電話"}).status_code == 200
    own = bearer_of(log_in(product, "777", "7391"))

    assert http.post(f"{person}/pin-reset", json={"reason": "忘れた"}).status_code == 200
    assert product.http.get(ME, headers=own).status_code == 401
    assert log_in(product, "777", "7391").status_code == 401
    own = bearer_of(log_in(product, "777", "0000"))

    suspended = {"version": http.get(person).json()["version"], "reason": "休職", "status": "suspended"}
    assert http.patch(person, json=suspended).status_code == 200
    assert product.http.get(ME, headers=own).status_code == 403
    assert log_in(product, "777", "0000").status_code == 403
