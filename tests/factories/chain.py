"""A chain of two shops with their customers in the sandbox's STORES, and API_COMM as the product builds it."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import delete, insert, select

from tests.factories.product import Box, settings_for
from tsudoi.alarms.escalation.models import EscalationRule
from tsudoi.core.db.base import Base
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.settings import Settings
from tsudoi.gateway.api_comm.facade import ApiComm
from tsudoi.gateway.http import HttpGateway
from tsudoi.gateway.models import ApiCallLog
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.shops.api_data.service import api_comm_for
from tsudoi.shops.links.models import CustomerLink
from tsudoi.shops.parameters.models import SysParam
from tsudoi.shops.secrets.models import ShopSecret
from tsudoi.shops.secrets.rules import KeyRing, encrypt, secret_purpose
from tsudoi.shops.shop.models import Shop, ShopInternalInfo

KEYS = base64.b64encode(bytes(range(32))).decode()
RING = KeyRing.of(KEYS)
ROOM = "4242"
LINE_USER = "U" + "a" * 32
# The narrowest set of an operation decides which channel and actor a test uses.
ASKERS = {
    "stores.resolve_customer_by_line_user": ("line", "customer"),
    "system.check_connectivity": ("ai", "system"),
}
STORES_OPERATIONS: dict[str, dict[str, Any]] = {
    "stores.resolve_customer_by_contact": {"email": "user@example.com"},
    "stores.resolve_customer_by_line_user": {"line_user_id": LINE_USER},
    "stores.get_customer": {"stores_customer_id": "101"},
    "stores.list_reservations": {},
    "stores.get_reservation": {"reservation_canonical_id": "501"},
}

Json = dict[str, Any]


def chain_settings(box: Box, data_dir: Path, **more: Any) -> Settings:
    # The sandbox of the tests has the credentials that it comes with.
    sandbox = {one.name: one.default for one in fields(SandboxConfig)}
    ours = {
        "stores_api_base": f"{box.url}/reserve/202101",
        "chatwork_api_base": f"{box.url}/chatwork/v2",
        "chatwork_api_token": sandbox["chatwork_api_token"],
        "chatwork_room_id": ROOM,
        "sms_api_base": f"{box.url}/twilio",
        "sms_account": sandbox["sms_account"],
        "sms_token": sandbox["sms_token"],
        "sms_from": "+815012345678",
        "openai_api_base": f"{box.url}/openai/v1",
        "openai_api_key": sandbox["openai_api_key"],
        "smtp_url": box.smtp_url,
        "mail_from": "集い <office@example.jp>",
        "shop_secrets_keys": KEYS,
    }
    return settings_for("http://127.0.0.1:1", data_dir, box.url, **{**ours, **more})


def make_shop(tx: Tx, number: int, **more: Any) -> None:
    """Shop 1 is `ngy1` with the merchant `mc_1` and the token `tok_1`, and so on. None leaves a part out."""
    given = {"merchant": f"mc_{number}", "token": f"tok_{number}", "status": "open", **more}
    shop = insert(Shop).values(
        id=number,
        code=f"ngy{number}",
        name=f"{number}号店",
        shop_status=given["status"],
        created_at=tx.now,
        updated_at=tx.now,
        merchant_public_id=f"public-{number}",
    )
    tx.execute(shop)
    if given["merchant"] is not None:
        info = {"shop_id": number, "info_type": "stores_merchant_canonical_id", "value": given["merchant"]}
        tx.execute(insert(ShopInternalInfo).values(**info, updated_at=tx.now))
    if given["token"] is not None:
        sealed = encrypt(RING, given["token"], secret_purpose(number, "STORES_API_TOKEN"))
        tx.execute(insert(ShopSecret).values(shop_id=number, k="STORES_API_TOKEN", v_enc=sealed, updated_at=tx.now))


@dataclass
class Chain:
    box: Box
    db: Database
    settings: Settings
    api: ApiComm

    def call(self, operation: str, payload: Json | None = None, *, once: bool = False, **more: Any) -> Json:
        channel, actor = ASKERS.get(operation, ("help", "customer"))
        shop_id = None if operation.startswith("system.") else 1
        base: Json = {"request_id": None, "channel": channel, "actor_type": actor, "shop_id": shop_id}
        asked = {**base, "payload": STORES_OPERATIONS.get(operation, {}) if payload is None else payload, **more}
        return self.api.call(operation, asked, once=once).as_dict()

    def add_shop(self, number: int, **more: Any) -> None:
        self.db.write_now(lambda tx: make_shop(tx, number, **more))

    def execute(self, statement: str) -> None:
        """As somebody writes into the database by hand."""
        self.db.write_now(lambda tx: tx.driver.execute(statement))

    def contact(self, **payload: Any) -> Json:
        return self.call("stores.resolve_customer_by_contact", payload)

    def customer(self, number: int, merchant: str = "mc_1", **fields: Any) -> None:
        known = {"merchant_canonical_id": merchant, "name": f"客 {number}", "email": f"c{number}@example.com"}
        body = {**known, "primary_phone_number": f"0901111{number:04d}", **fields}
        self.box.http.put(f"/_sandbox/stores/customers/{number}", json=body).raise_for_status()

    def reservation(self, number: int, merchant: str = "mc_1", **fields: Any) -> None:
        body = {"merchant_canonical_id": merchant, "status": "accepted", **fields}
        self.box.http.put(f"/_sandbox/stores/reservations/{number}", json=body).raise_for_status()

    def behaves(self, **how: Any) -> None:
        self.box.http.put("/_sandbox/stores/behaviour", json=how).raise_for_status()

    def faults(self, *rules: Json) -> None:
        self.box.http.put("/_sandbox/faults", json={"rules": list(rules)}).raise_for_status()

    def breaks(self, kind: str, endpoint: str = "stores", **more: Any) -> None:
        self.faults({"kind": kind, "endpoint": endpoint, **more})

    def seen(self, system: str = "stores") -> list[Json]:
        return list(self.box.http.get("/_sandbox/requests", params={"system": system}).json()["requests"])

    def forget(self) -> None:
        self.box.http.delete("/_sandbox/requests").raise_for_status()

    def messages(self, room: str = ROOM) -> list[str]:
        found = self.box.http.get(f"/_sandbox/chatwork/rooms/{room}")
        return [one["body"] for one in found.json()["messages"]] if found.status_code == 200 else []

    def texts(self) -> list[Json]:
        return list(self.box.http.get("/_sandbox/sms").json()["messages"])

    def rows(self, model: type[Base]) -> list[Json]:
        key = model.__table__.primary_key
        found = self.db.read_now(lambda tx: tx.execute(select(model).order_by(*key)).mappings().all())
        return [dict(row) for row in found]

    def calls(self) -> list[Json]:
        return self.rows(ApiCallLog)

    def parameter(self, key: str, value: Any, shop_id: int | None = None) -> None:
        """Set a parameter for everybody or for a shop; None deletes it."""

        def put(tx: Tx) -> None:
            mine = (
                SysParam.key == key,
                SysParam.scope_id.is_(None) if shop_id is None else SysParam.scope_id == shop_id,
            )
            tx.execute(delete(SysParam).where(*mine))
            if value is not None:
                row = {"scope": "global" if shop_id is None else "shop", "scope_id": shop_id, "key": key}
                times = {"created_at_utc": tx.now, "updated_at_utc": tx.now}
                tx.execute(insert(SysParam).values(**row, value=str(value), value_type="int", **times))

        self.db.write_now(put)

    def rule(
        self, rule_code: str, *channels: str, severity: str = "warn", params: Json | None = None, **more: Any
    ) -> None:
        values: Json = {f"channel_{one}": 1 for one in channels}
        places = {"email_to": "ops@example.jp", "sms_to": "090-1234-5678"}

        def put(tx: Tx) -> None:
            tx.execute(delete(EscalationRule).where(EscalationRule.rule_code == rule_code))
            times = {"created_at_utc": tx.now, "updated_at_utc": tx.now}
            row = {**values, **places, **times, "severity": severity, "params_json": params, **more}
            tx.execute(insert(EscalationRule).values(rule_code=rule_code, **row))

        self.db.write_now(put)

    def link(self, customer: str, user: str = LINE_USER, shop_id: int = 1) -> None:
        def put(tx: Tx) -> None:
            row = {"shop_id": shop_id, "channel_type": "line", "external_user_id": user}
            times = {"created_at_utc": tx.now, "updated_at_utc": tx.now}
            tx.execute(insert(CustomerLink).values(**row, stores_customer_id=customer, **times))

        self.db.write_now(put)


def new_request_id() -> str:
    return str(uuid4())


@contextmanager
def chain_of(box: Box, db: Database, data_dir: Path, **more: Any) -> Iterator[Chain]:
    settings = chain_settings(box, data_dir, **more)
    gateway = HttpGateway(db)
    try:
        yield Chain(box, db, settings, api_comm_for(settings, db, gateway))
    finally:
        gateway.close()


def two_shops(tx: Tx) -> None:
    make_shop(tx, 1)
    make_shop(tx, 2)


def prepare(box: Box, db: Database) -> None:
    """Two shops here and there, without customers."""
    db.write_now(two_shops)
    for number in (1, 2):
        merchants = {"merchants": [f"mc_{number}"]}
        box.http.put(f"/_sandbox/stores/tokens/tok_{number}", json=merchants).raise_for_status()
    box.http.put("/_sandbox/chatwork/behaviour", json={"rate_limits": False}).raise_for_status()
    box.http.delete("/_sandbox/requests").raise_for_status()
