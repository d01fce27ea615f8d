"""Stripe's side of the sandbox: a client with the key, and the other end of its webhooks."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from tests.sandbox.receiver import Receiver, receiving
from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import RunningSandbox

Json = dict[str, Any]
VERSION = "2026-10-28.endive"
BASIC = {
    "mode": "payment",
    "line_items[0][price_data][currency]": "jpy",
    "line_items[0][price_data][unit_amount]": "3000",
    "line_items[0][price_data][product_data][name]": "予防接種",
    "line_items[0][quantity]": "1",
    "success_url": "https://shop.example/done?id={CHECKOUT_SESSION_ID}",
    "cancel_url": "https://shop.example/back",
    "client_reference_id": "17",
    "metadata[reservation_id]": "17",
    "payment_intent_data[metadata][reservation_id]": "17",
}


def form(**changed: str | None) -> dict[str, str]:
    """The usual body with some fields changed; None leaves one out."""
    return {name: value for name, value in {**BASIC, **changed}.items() if value is not None}


def in_minutes(minutes: float) -> str:
    return str(int(time.time() + minutes * 60))


@pytest.fixture(scope="session")
def shared_stripe(shared_box: RunningSandbox, config: SandboxConfig) -> Iterator[httpx2.Client]:
    headers = {"authorization": f"Bearer {config.stripe_secret_key}", "stripe-version": VERSION}
    with httpx2.Client(base_url=shared_box.url, headers=headers, trust_env=False) as client:
        yield client


@pytest.fixture
def stripe_api(control: httpx2.Client, shared_stripe: httpx2.Client) -> httpx2.Client:
    return shared_stripe


@pytest.fixture
def open_session(stripe_api: httpx2.Client) -> Callable[..., Json]:
    def create(**changed: str | None) -> Json:
        answer = stripe_api.post("/v1/checkout/sessions", data=form(**changed))
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    return create


@pytest.fixture
def pay(control: httpx2.Client) -> Callable[..., Json]:
    def act(session: Json, method: str = "card") -> Json:
        answer = control.post(f"/_sandbox/stripe/sessions/{session['id']}/pay", json={"method": method})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    return act


@pytest.fixture
def hook(control: httpx2.Client) -> Iterator[Receiver]:
    """The product's end of Stripe's webhooks."""
    with receiving() as receiver:
        url = receiver.url.replace("/line/", "/stripe/")
        control.put("/_sandbox/stripe/webhooks", json={"url": url}).raise_for_status()
        yield receiver
        control.post("/_sandbox/reset").raise_for_status()


@pytest.fixture
def breaks(control: httpx2.Client) -> Callable[..., None]:
    def set_rules(*rules: Json) -> None:
        control.put("/_sandbox/faults", json={"rules": list(rules)}).raise_for_status()

    return set_rules
