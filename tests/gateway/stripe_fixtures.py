"""A Stripe client with less patience than in production, and an order to send with it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.conftest import NOON
from tests.factories.product import Box, settings_for
from tsudoi.gateway.clients.stripe import POLICIES, StripeClient, StripeConfig, StripePolicies
from tsudoi.gateway.clients.stripe_forms import CheckoutOrder
from tsudoi.gateway.clients.stripe_outcomes import StripeSession
from tsudoi.gateway.http import HttpGateway

_PATIENCE = timedelta(seconds=1.5)
IMPATIENT = StripePolicies(
    write=replace(POLICIES.write, timeout=_PATIENCE, deadline=_PATIENCE),
    read=replace(POLICIES.read, timeout=_PATIENCE, deadline=2 * _PATIENCE),
)


def stripe_client(url: str, gateway: HttpGateway, tmp_path: Path, **more: Any) -> StripeClient:
    config = StripeConfig.of(settings_for("http://127.0.0.1:1", tmp_path, url, **more))
    return StripeClient(config, gateway, IMPATIENT)


def order(**changed: Any) -> CheckoutOrder:
    usual = CheckoutOrder(
        amount_jpy=3000,
        product_name="インフルエンザ予防接種 💉",
        reference="17",
        success_url="https://tsudoi.example.jp/staff/paid?session={CHECKOUT_SESSION_ID}",
        cancel_url="https://tsudoi.example.jp/staff/?from=pay&x=1",
        expires_at=NOON + timedelta(minutes=35),
        metadata={"reservation_id": "17", "kind": "予約"},
    )
    return replace(usual, **changed)


def pay(box: Box, session: object, method: str = "card") -> None:
    assert isinstance(session, StripeSession), session
    box.pays(session.id, method)


def long_ago() -> datetime:
    return datetime(2025, 1, 1, tzinfo=UTC)
