"""Shops straight in the tables, with their tokens and what happens to them."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import insert

from tests.factories.product import SHOP_KEYS
from tsudoi.alarms.outages.models import OutsideState
from tsudoi.alarms.tickets.models import Ticket
from tsudoi.core.db.base import Base
from tsudoi.core.db.interface import Database, Tx
from tsudoi.gateway.models import ApiCallLog
from tsudoi.shops.links.models import CustomerLink
from tsudoi.shops.secrets.rules import STORES_API_TOKEN, KeyRing
from tsudoi.shops.secrets.service.keeping import set_secret
from tsudoi.shops.shop.schemas import NewShop
from tsudoi.shops.shop.service import create_shop

RING = KeyRing.of(SHOP_KEYS)
# Long enough that the office sees its last four characters.
TOKEN = "tok_of_the_tests_0815"


def make_shop(db: Database, code: str = "ngy1", name: str = "名古屋栄店", **more: Any) -> int:
    return db.write_now(create_shop, NewShop(code=code, name=name, **more), "test")


def give_token(db: Database, shop_id: int, value: str = TOKEN) -> None:
    db.write_now(set_secret, RING, shop_id, STORES_API_TOKEN, value, "test")


def add(db: Database, model: type[Base], **values: Any) -> int:
    def write(tx: Tx) -> int:
        return int(tx.execute(insert(model).values(**values).returning(model.__table__.c.id)).scalar_one())

    return db.write_now(write)


def make_ticket(db: Database, **more: Any) -> int:
    now = db.clock.now()
    values = {
        "source": "api_comm",
        "rule_code": "API_ERROR_CRITICAL",
        "dedupe_key": f"API_ERROR_CRITICAL|{more.get('shop_id', 0)}|{len(more)}",
        "severity": "critical",
        "title": "STORES予約APIが3回連続で失敗しました。",
        "details_json": {"component": "StoresGateway.get_customer"},
        "opened_at_utc": now,
        "last_seen_at_utc": now,
    }
    return add(db, Ticket, **{**values, **more})


def make_call(db: Database, at: datetime | None = None, **more: Any) -> int:
    values = {
        "target": "stores",
        "operation": "customers",
        "method": "GET",
        "url": "https://stores.example/customers?email=***",
        "attempt": 1,
        "status_code": 200,
        "latency_ms": 12,
        "created_at_utc": at or db.clock.now(),
    }
    return add(db, ApiCallLog, **{**values, **more})


def make_link(db: Database, shop_id: int, user: str, customer: str, ago: timedelta = timedelta(0)) -> int:
    at = db.clock.now() - ago
    pair = {"external_user_id": user, "stores_customer_id": customer}
    return add(db, CustomerLink, shop_id=shop_id, channel_type="line", **pair, created_at_utc=at, updated_at_utc=at)


def make_state(db: Database, shop_id: int, system: str, **more: Any) -> int:
    return add(db, OutsideState, shop_id=shop_id, system=system, **more)
