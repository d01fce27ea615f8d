"""Odd values in every field of the accounts, sent by an administrator: refused in words, never a fault of ours."""

import json
from typing import Any

import pytest

from tests.access.test_own_account import enter
from tests.factories.product import PASSWORD, Product
from tests.product_fixtures import ProductMaker
from tsudoi.core import passwords

ODD: list[Any] = [
    None,
    0,
    2**63,
    True,
    [],
    {},
    "",
    " ",
    "\x00",
    "\ud800",
    "a\x00b",
    "\u202eabc\u200b",
    "１２３４５６",
    "٣٣٣٣٣٣",
    "🎣" * 30,
    "x" * 10_000,
]
FIELDS = {
    "/api/admin/account/password": {"current_password": PASSWORD, "new_password": "a phrase nobody guesses"},
    "/api/admin/account/totp": {"current_password": PASSWORD},
    "/api/admin/account/totp/confirmation": {"code": "123456"},
    "/api/admin/account/totp/removal": {"current_password": PASSWORD},
    "/api/admin/account/recovery-codes": {"current_password": PASSWORD},
    "/api/admin/accounts": {"username": "tanaka"},
    "/api/admin/login": {"username": "jimukyoku", "password": PASSWORD, "code": "123456"},
}
PATHS = [
    "/api/admin/accounts/{}/password-reset",
    "/api/admin/accounts/{}/disable",
    "/api/admin/accounts/1/sessions/{}",
    "/api/admin/links/waiting/{}",
]


def test_no_field_breaks_anything(make_product: ProductMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_COST", 4)
    product: Product = make_product()
    product.make_admin()
    http = enter(product)
    headers = {"content-type": "application/json", "x-csrf-token": http.headers["x-csrf-token"]}
    for path, good in FIELDS.items():
        for field in good:
            for odd in ODD:
                with product.client(cookies=dict(http.cookies)) as browser:
                    answer = browser.post(path, content=json.dumps({**good, field: odd}), headers=headers)
                told = (path, field, odd, answer.text[:200])
                assert answer.status_code < 500, told
                if answer.status_code >= 400:
                    assert set(answer.json()) == {"code", "message", "details"}, told
    for path in PATHS:
        for odd in ("0", "-1", str(2**63), "1.5", "%00", "%F0", "U" * 33, "x" * 500):
            answer = http.request("DELETE" if "sessions" in path or "waiting" in path else "POST", path.format(odd))
            assert answer.status_code in (400, 404), (path, odd, answer.status_code)
    names = [account["username"] for account in http.get("/api/admin/accounts").json()["items"]]
    assert all(name.isprintable() for name in names)
