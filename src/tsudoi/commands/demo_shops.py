"""The two shops of the demo: with tokens, customers in the sandbox's STORES, a rule, links, and two tickets."""

from datetime import datetime, timedelta
from typing import Any

import httpx2
from sqlalchemy import func, insert, select

from tsudoi.alarms.escalation.models import EscalationAttempt, EscalationRule
from tsudoi.alarms.escalation.schemas import EscalationRuleChange
from tsudoi.alarms.escalation.service import set_rule
from tsudoi.alarms.tickets.models import Ticket
from tsudoi.commands.demo_people import FRIENDS
from tsudoi.core.clock import JST, SystemClock
from tsudoi.core.db.interface import Tx
from tsudoi.core.settings import Settings
from tsudoi.gateway.models import ApiCallLog
from tsudoi.shops.links.models import CustomerLink
from tsudoi.shops.secrets.models import ShopSecret
from tsudoi.shops.secrets.rules import STORES_API_TOKEN
from tsudoi.shops.secrets.service.keeping import ring_of, set_secret
from tsudoi.shops.shop.models import Shop
from tsudoi.shops.shop.schemas import NewShop
from tsudoi.shops.shop.service import create_shop

SAKAE = NewShop(
    code="ngy1",
    name="名古屋栄店",
    shop_email="sakae@tsudoi.example",
    phone="052-123-4567",
    stores_public_url="https://coubic.com/tsudoi-sakae",
    merchant_public_id="tsudoi-sakae",
    merchant_canonical_id="mc_1",
)
UMEDA = NewShop(
    code="osk1",
    name="大阪梅田店",
    shop_email="umeda@tsudoi.example",
    phone="06-1234-5678",
    stores_public_url="https://coubic.com/tsudoi-umeda",
    merchant_public_id="tsudoi-umeda",
    merchant_canonical_id="mc_2",
)
TOKENS = {"mc_1": "tok_demo_of_sakae_1001", "mc_2": "tok_demo_of_umeda_2002"}
# Customers of the sandbox's example data. The second one is not among them: that link is broken.
LINKS = {"山田 太郎": "1001", "鈴木 一郎": "1999"}
_SERVICES = (
    ("マシンピラティス 60分", timedelta(days=1, hours=18), "accepted"),
    ("マットピラティス", timedelta(days=6, hours=10), "pending"),
)
_ACTOR = "demo"
_CRITICAL, _REFUSED = "API_ERROR_CRITICAL", "STORES_AUTH_FAILED"
_COMPONENT = "StoresGateway.resolve_customer_by_contact"
_OPEN_REQUEST = "6f1d7a52-3c1e-4f0a-9b7e-0d5c2a4e8f11"
_CLOSED_REQUEST = "1a9c0d3e-58b2-4d6f-8a17-b3e4f6c7d802"


def make_shops(tx: Tx, settings: Settings) -> None:
    """Create only what is missing. Links and tickets are made once, so that nobody finds again what they closed."""
    is_new = tx.scalar(select(func.count()).select_from(Shop)) == 0
    ids = {shop.code: _shop(tx, shop, settings) for shop in (SAKAE, UMEDA)}
    if tx.scalar(select(func.count()).select_from(EscalationRule)) == 0:
        change = EscalationRuleChange(
            severity="critical",
            channels=["chatwork", "email", "sms"],
            email_to="honbu@tsudoi.example",
            sms_to="090-1234-5678",
            fallback=True,
        )
        set_rule(tx, settings, _CRITICAL, change, _ACTOR)
    if is_new:
        _link(tx, ids[SAKAE.code])
        _closed_ticket(tx, ids[SAKAE.code], tx.now - timedelta(days=1))
        _open_ticket(tx, ids[UMEDA.code], tx.now - timedelta(minutes=40), settings.stores_api_base)


def fill_stores(sandbox_url: str) -> None:
    """Put customers and reservations into the sandbox's STORES, unless it knows the tokens already."""
    with httpx2.Client(base_url=sandbox_url, timeout=30, trust_env=False) as box:
        known = box.get("/_sandbox/stores").raise_for_status().json()["tokens"]
        if not set(TOKENS.values()) <= set(known):
            box.post("/_sandbox/stores/examples", json={"tokens": TOKENS}).raise_for_status()
            for number, booking in enumerate(_bookings(SystemClock().now()), 50101):
                box.put(f"/_sandbox/stores/reservations/{number}", json=booking).raise_for_status()


def _bookings(now: datetime) -> list[dict[str, Any]]:
    """Reservations of a linked customer that are still to come, so that the first page that one opens is not empty."""
    today = now.astimezone(JST).replace(hour=0, minute=0, second=0, microsecond=0)
    common = {"merchant_canonical_id": SAKAE.merchant_canonical_id, "customer_canonical_id": int(LINKS["山田 太郎"])}
    return [
        {
            **common,
            "booking_service_name": service,
            "booking_start": (today + begins).isoformat(),
            "checkout_at": (today + begins + timedelta(hours=1)).isoformat(),
            "status": status,
        }
        for service, begins, status in _SERVICES
    ]


def check_once(office: httpx2.Client) -> None:
    """One check of the outside systems, so that the lights of the demo are on."""
    if not office.get("/api/admin/connectivity").raise_for_status().json()["history"]:
        office.post("/api/admin/connectivity", json={}).raise_for_status()


def _shop(tx: Tx, shop: NewShop, settings: Settings) -> int:
    found = tx.scalar(select(Shop.id).where(Shop.code == shop.code))
    shop_id = create_shop(tx, shop, _ACTOR) if found is None else int(found)
    if found is None or not tx.scalar(select(ShopSecret.id).where(ShopSecret.shop_id == shop_id)):
        token = TOKENS[shop.merchant_canonical_id or ""]
        set_secret(tx, ring_of(settings), shop_id, STORES_API_TOKEN, token, _ACTOR)
    return shop_id


def _link(tx: Tx, shop_id: int) -> None:
    users = {friend.name: friend.user_id for friend in FRIENDS}
    times = {"created_at_utc": tx.now - timedelta(days=9), "updated_at_utc": tx.now - timedelta(days=9)}
    rows = [
        {"shop_id": shop_id, "channel_type": "line", "external_user_id": users[name], "stores_customer_id": customer}
        for name, customer in LINKS.items()
    ]
    tx.execute(insert(CustomerLink), [{**row, **times} for row in rows])


def _closed_ticket(tx: Tx, shop_id: int, at: datetime) -> None:
    ended = at + timedelta(minutes=25)
    values = {
        "title": "STORES予約APIが3回連続で失敗しました。",
        "request_id": _CLOSED_REQUEST,
        "occurrences": 7,
        "status": "closed",
        "alarmed_at_utc": at,
        "all_clear_at_utc": ended,
        "acknowledged_at_utc": at + timedelta(minutes=4),
        "acknowledged_by": "admin:jimukyoku",
        "closed_at_utc": ended + timedelta(minutes=5),
        "closed_by": "admin:jimukyoku",
        "last_seen_at_utc": ended - timedelta(minutes=2),
    }
    ticket = _ticket(tx, shop_id, _CRITICAL, at, 503, values)
    _told(tx, ticket, "alarm", at)
    _told(tx, ticket, "all_clear", ended)


def _open_ticket(tx: Tx, shop_id: int, at: datetime, stores_base: str) -> None:
    values = {
        "title": "STORES予約がトークンを受け付けません。",
        "request_id": _OPEN_REQUEST,
        "occurrences": 3,
        "alarmed_at_utc": at,
        "last_seen_at_utc": at + timedelta(minutes=8),
    }
    ticket = _ticket(tx, shop_id, _REFUSED, at, 401, values)
    _told(tx, ticket, "alarm", at)
    call = {
        "request_id": _OPEN_REQUEST,
        "channel": "help",
        "component": _COMPONENT,
        "shop_id": shop_id,
        "target": "stores",
        "operation": "customers",
        "method": "GET",
        "url": f"{stores_base}/customers?merchant_canonical_ids=***&page=***&email=***",
        "attempt": 1,
        "status_code": 401,
        "error_code": "STORES_CUSTOMER_LOOKUP_FAILED",
        "latency_ms": 143,
        "response_body": '{"errors":"***"}',
        "created_at_utc": at + timedelta(minutes=8),
    }
    tx.execute(insert(ApiCallLog).values(**call))


def _ticket(tx: Tx, shop_id: int, rule_code: str, at: datetime, status: int, more: dict[str, Any]) -> int:
    values = {
        "shop_id": shop_id,
        "source": "api_comm",
        "rule_code": rule_code,
        "dedupe_key": f"{rule_code}|{shop_id}|{_COMPONENT}",
        "severity": "critical",
        "details_json": {"component": _COMPONENT, "last_status_code": status},
        "opened_at_utc": at,
    }
    return int(tx.execute(insert(Ticket).values(**values, **more).returning(Ticket.id)).scalar_one())


def _told(tx: Tx, ticket_id: int, kind: str, at: datetime) -> None:
    told = {"ticket_id": ticket_id, "kind": kind, "channel": "chatwork", "outcome": "sent", "attempted_at_utc": at}
    tx.execute(insert(EscalationAttempt).values(**told))
