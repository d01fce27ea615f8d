"""A shop with customers at STORES, and a person in front of its door with a phone."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx2
from sqlalchemy import insert

from tests.factories.events import liff_cookie
from tests.factories.product import Box, Product
from tests.servers import browser
from tsudoi.core.clock import jst_text
from tsudoi.core.db.interface import Database, Tx
from tsudoi.shops.secrets.models import ShopSecret
from tsudoi.shops.secrets.rules import STORES_API_TOKEN, KeyRing, encrypt, secret_purpose
from tsudoi.shops.shop.models import Shop, ShopInternalInfo

# 32 bytes in base64: the key ring of the tests.
SHOP_KEYS = "dGVzdHMgb2YgdHN1ZG9pOiBrZXkgb2Ygc2hvcHMgMDE="
MAIL, PHONE, NAME = "taro@kyaku.example", "090-1234-5678", "山田 太郎"
TYPED = {"email": MAIL, "phone_number": PHONE, "name": NAME}
LINK = re.compile(r"https?://\S+/help/(\w+)/verify/([\w-]+)")
CODE = re.compile(r"確認コード：(\d{6})")


def shop_settings(box: Box) -> dict[str, Any]:
    """The settings of a product with shops, a mail server, and the sandbox's STORES."""
    return {
        "shop_secrets_keys": SHOP_KEYS,
        "smtp_url": box.smtp_url,
        "mail_from": "お店 <help@example.jp>",
        "stores_api_base": f"{box.url}/reserve/202101",
        "chatwork_api_base": f"{box.url}/chatwork/v2",
    }


def make_shop(db: Database, number: int = 1, code: str = "ngy1", **more: Any) -> int:
    """Shop `number` with the merchant `mc_<number>` and the token `tok_<number>` at STORES."""
    return db.write_now(_make_shop, number, code, more)


def _make_shop(tx: Tx, number: int, code: str, more: dict[str, Any]) -> int:
    row = {
        "id": number,
        "code": code,
        "name": f"テスト店{number}",
        "phone": f"052-000-000{number}",
        "shop_email": f"{code}@shop.example",
        "stores_public_url": f"https://coubic.example/{code}",
    }
    tx.execute(insert(Shop).values(**{**row, **more}))
    tx.execute(
        insert(ShopInternalInfo).values(shop_id=number, info_type="stores_merchant_canonical_id", value=f"mc_{number}")
    )
    sealed = encrypt(KeyRing.of(SHOP_KEYS), f"tok_{number}", secret_purpose(number, STORES_API_TOKEN))
    tx.execute(insert(ShopSecret).values(shop_id=number, k=STORES_API_TOKEN, v_enc=sealed))
    return number


@dataclass
class Stores:
    """The sandbox's STORES: what is known there, and what it was asked."""

    box: Box

    def open(self, *numbers: int) -> None:
        for number in numbers:
            path = f"/_sandbox/stores/tokens/tok_{number}"
            self.box.http.put(path, json={"merchants": [f"mc_{number}"]}).raise_for_status()

    def customer(self, number: int = 123, merchant: str = "mc_1", **more: Any) -> int:
        given = {"name": NAME, "email": MAIL, "primary_phone_number": "09012345678", **more}
        path = f"/_sandbox/stores/customers/{number}"
        self.box.http.put(path, json={"merchant_canonical_id": merchant, **given}).raise_for_status()
        return number

    def removes(self, number: int) -> None:
        self.box.http.delete(f"/_sandbox/stores/customers/{number}").raise_for_status()

    def reservation(self, number: int, begins_at: Any, customer: int = 123, **more: Any) -> None:
        given = {
            "merchant_canonical_id": "mc_1",
            "customer_canonical_id": customer,
            "booking_service_name": "ルームA",
            "booking_start": jst_text(begins_at),
            "checkout_at": jst_text(begins_at + timedelta(hours=2)),
            "status": "accepted",
            **more,
        }
        self.box.http.put(f"/_sandbox/stores/reservations/{number}", json=given).raise_for_status()

    def asked(self) -> list[str]:
        """The paths that STORES was asked for since the last look."""
        found = self.box.http.get("/_sandbox/requests", params={"system": "stores"}).json()["requests"]
        self.box.http.delete("/_sandbox/requests", params={"system": "stores"}).raise_for_status()
        return [one["path"].removeprefix("/reserve/202101") for one in found]


@dataclass
class Door:
    """One shop, STORES, and what a customer does in front of the door."""

    product: Product
    box: Box
    stores: Stores
    code: str = "ngy1"

    @property
    def page(self) -> str:
        return f"/help/{self.code}"

    @property
    def api(self) -> str:
        return f"/api/help/{self.code}"

    def mails(self, to: str = MAIL) -> list[str]:
        """The texts of the mails that arrived, after the worker has sent what is due."""
        self.product.drain()
        return [mail["text"] for mail in self.box.mails(to)]

    def identify(self, http: httpx2.Client | None = None, **typed: Any) -> httpx2.Response:
        return (http or self.product.http).post(f"{self.api}/identify", json={**TYPED, **typed})

    def link(self, to: str = MAIL, **typed: Any) -> str:
        """Ask for a mail and give the path of its link."""
        assert self.identify(email=to, **typed).status_code == 202
        found = LINK.findall(self.mails(to)[-1])
        assert len(found) == 1
        return f"/help/{found[0][0]}/verify/{found[0][1]}"

    def enter(self, http: httpx2.Client, to: str = MAIL, **typed: Any) -> httpx2.Response:
        """The whole way to a session in this browser."""
        return http.post(self.link(to, **typed), follow_redirects=False)

    def session(self, http: httpx2.Client) -> dict[str, Any]:
        answer = http.get(f"{self.api}/session")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def refresh(self, http: httpx2.Client) -> httpx2.Response:
        token = self.session(http)["csrf_token"]
        return http.post(f"{self.api}/refresh", headers={"x-csrf-token": token})


@dataclass
class LinePhone:
    """A LINE user inside the member pages."""

    door: Door
    user_id: str
    http: httpx2.Client

    def asks(self, **typed: Any) -> httpx2.Response:
        return self.http.post("/api/liff/identity", json={"store_code": self.door.code, **TYPED, **typed})

    def code(self, to: str = MAIL, **typed: Any) -> str:
        answer = self.asks(email=to, **typed)
        assert answer.status_code == 202, answer.text
        found: str = CODE.findall(self.door.mails(to)[-1])[0]
        return found

    def confirms(self, code: str, **more: Any) -> httpx2.Response:
        return self.http.post("/api/liff/identity/confirm", json={"store_code": self.door.code, "code": code, **more})

    def shop(self) -> dict[str, Any]:
        answer = self.http.get(f"/api/liff/shops/{self.door.code}")
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


PhoneMaker = Callable[..., LinePhone]


@contextmanager
def line_phone(door: Door, name: str = "太郎") -> Iterator[LinePhone]:
    """A friend of the account who opens the member pages, with a new session."""
    who = door.box.friend(name)
    with browser(door.product.url, cookies={"tsudoi_liff": liff_cookie(door.product.db, who)}) as http:
        yield LinePhone(door, who, http)
