"""Stripe's own SDK as the judge of our requests: both are asked for the same, and a server compares what arrives."""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.conftest import NOON
from tests.factories.product import STRIPE_KEY
from tests.gateway.stripe_fixtures import order, stripe_client
from tests.product_fixtures import sqlite_only
from tests.servers import serving
from tsudoi.gateway.clients.stripe_forms import (
    KONBINI_DAYS,
    LEAST_YEN,
    LONGEST_LIFE,
    MOST_YEN,
    SHORTEST_LIFE,
    refund_form,
    session_form,
)
from tsudoi.gateway.http import HttpGateway

KEY = "5c1a7b5e-0000-4000-8000-000000000001"
META = {"reservation_id": "17", "kind": "予約"}
PARAMS: dict[str, Any] = {
    "mode": "payment",
    "line_items": [
        {
            "price_data": {
                "currency": "jpy",
                "unit_amount": 3000,
                "product_data": {"name": "インフルエンザ予防接種 💉"},
            },
            "quantity": 1,
        }
    ],
    "client_reference_id": "17",
    "metadata": META,
    "payment_intent_data": {"metadata": META},
    "success_url": "https://tsudoi.example.jp/staff/paid?session={CHECKOUT_SESSION_ID}",
    "cancel_url": "https://tsudoi.example.jp/staff/?from=pay&x=1",
    "expires_at": int((NOON + timedelta(minutes=35)).timestamp()),
    "locale": "ja",
    "submit_type": "book",
}
CARD_ONLY = {**PARAMS, "excluded_payment_method_types": ["konbini"]}
WITH_KONBINI = {
    **PARAMS,
    "payment_method_options": {"konbini": {"expires_after_days": 2}},
    "customer_email": "taro+a@example.jp",
}


@dataclass
class Arrived:
    """A request as Stripe would see it."""

    method: str
    path: str
    fields: list[tuple[str, str]]
    headers: dict[str, str]


class Recorder:
    """Takes everything, and answers with an object that nobody can read."""

    def __init__(self) -> None:
        self.arrived: list[Arrived] = []

    async def __call__(self, request: Request) -> Response:
        sent = (await request.body()).decode() if request.method == "POST" else request.url.query
        fields = sorted(parse_qsl(sent, keep_blank_values=True))
        self.arrived.append(Arrived(request.method, request.url.path, fields, dict(request.headers)))
        return JSONResponse({"object": "list", "data": [], "has_more": False, "id": "x_1"})


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def url(recorder: Recorder) -> Iterator[str]:
    with serving(Starlette(routes=[Route("/{path:path}", recorder.__call__, methods=["GET", "POST"])])) as found:
        yield found


@pytest.fixture
def sdk(url: str) -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import stripe  # noqa: PLC0415
    http: Any = stripe.RequestsClient()
    yield stripe.StripeClient(STRIPE_KEY, base_addresses={"api": url}, max_network_retries=0, http_client=http).v1
    http.close()


@pytest.fixture
def ours(url: str, gateway: HttpGateway, tmp_path: Path) -> SimpleNamespace:
    return SimpleNamespace(stripe=stripe_client(url, gateway, tmp_path))


Ask = Callable[[Any], Any]
OPTIONS = {"idempotency_key": KEY}
CALLS: dict[str, tuple[Ask, Ask]] = {
    "session": (
        lambda our: our.stripe.create_session(session_form(order()), KEY),
        lambda sdk: sdk.checkout.sessions.create(CARD_ONLY, OPTIONS),
    ),
    "session with konbini and mail": (
        lambda our: our.stripe.create_session(
            session_form(order(konbini_days=2, customer_email="taro+a@example.jp")), KEY
        ),
        lambda sdk: sdk.checkout.sessions.create(WITH_KONBINI, OPTIONS),
    ),
    "session read": (
        lambda our: our.stripe.session("cs_test_1"),
        lambda sdk: sdk.checkout.sessions.retrieve("cs_test_1"),
    ),
    "session expired": (
        lambda our: our.stripe.expire_session("cs_test_1", KEY),
        lambda sdk: sdk.checkout.sessions.expire("cs_test_1", {}, OPTIONS),
    ),
    "sessions of a payment": (
        lambda our: our.stripe.sessions_of("pi_1"),
        lambda sdk: sdk.checkout.sessions.list({"payment_intent": "pi_1", "limit": 100}),
    ),
    "payment": (lambda our: our.stripe.payment_intent("pi_1"), lambda sdk: sdk.payment_intents.retrieve("pi_1")),
    "refund of everything": (
        lambda our: our.stripe.refund(refund_form("pi_1", metadata=META), KEY),
        lambda sdk: sdk.refunds.create(
            {"payment_intent": "pi_1", "reason": "requested_by_customer", "metadata": META}, OPTIONS
        ),
    ),
    "refund of a part": (
        lambda our: our.stripe.refund(refund_form("pi_1", amount_jpy=500, reason=None), KEY),
        lambda sdk: sdk.refunds.create({"payment_intent": "pi_1", "amount": 500}, OPTIONS),
    ),
    "refunds of a payment": (
        lambda our: our.stripe.refunds_of("pi_1"),
        lambda sdk: sdk.refunds.list({"payment_intent": "pi_1", "limit": 100}),
    ),
    "events": (
        lambda our: our.stripe.events(["charge.refunded", "refund.failed"], NOON, "evt_1"),
        lambda sdk: sdk.events.list(
            {
                "types": ["charge.refunded", "refund.failed"],
                "created": {"gte": int(NOON.timestamp())},
                "starting_after": "evt_1",
                "limit": 100,
            }
        ),
    ),
}


def plain(fields: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """`types[0]` and `types[]` mean the same to Stripe."""
    return sorted((name.replace("[0]", "[]").replace("[1]", "[]"), value) for name, value in fields)


@sqlite_only
@pytest.mark.parametrize("name", CALLS)
def test_our_request_is_the_one_of_the_sdk(name: str, recorder: Recorder, ours: SimpleNamespace, sdk: Any) -> None:
    ask_ours, ask_sdk = CALLS[name]
    ask_ours(ours)
    ask_sdk(sdk)
    our, theirs = recorder.arrived[0], recorder.arrived[-1]
    assert (our.method, our.path, plain(our.fields)) == (theirs.method, theirs.path, plain(theirs.fields))
    for header in ("authorization", "stripe-version", "idempotency-key"):
        assert our.headers.get(header) == theirs.headers.get(header), header
    if our.fields and our.method == "POST":
        assert our.headers["content-type"] == theirs.headers["content-type"]


class TestForms:
    def test_are_the_same_bytes_every_time(self) -> None:
        assert session_form(order()) == session_form(order())
        assert session_form(order()).isascii()

    def test_the_mark_for_the_session_arrives_as_braces(self) -> None:
        fields = dict(parse_qsl(session_form(order())))
        assert fields["success_url"].endswith("?session={CHECKOUT_SESSION_ID}")

    def test_the_methods_of_payment_are_never_listed(self) -> None:
        assert "payment_method_types" not in session_form(order()).replace("excluded_payment_method_types", "")

    def test_the_limits_leave_a_margin_to_stripes(self) -> None:
        assert timedelta(minutes=30) < SHORTEST_LIFE < LONGEST_LIFE < timedelta(hours=24)
        assert (LEAST_YEN, MOST_YEN, KONBINI_DAYS) == (50, 99_999_999, (1, 60))
