"""What `api_call_logs` keeps of calls to Stripe: nothing with which one could pay, and nobody's name or address."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.conftest import NOON
from tests.factories.product import STRIPE_KEY, Box
from tests.gateway.stripe_fixtures import long_ago, order, pay, stripe_client
from tests.product_fixtures import sqlite_only
from tests.servers import serving
from tsudoi.core.db.interface import Database
from tsudoi.gateway.clients.stripe_forms import refund_form, session_form
from tsudoi.gateway.clients.stripe_outcomes import StripeSession
from tsudoi.gateway.http import HttpGateway
from tsudoi.gateway.models import ApiCallLog

pytestmark = sqlite_only
MAIL = '"taro..y"@docomo.ne.jp'


@pytest.fixture
def rows(db: Database) -> Callable[[], list[dict[str, Any]]]:
    statement = select(ApiCallLog).order_by(ApiCallLog.id)
    return lambda: [dict(row) for row in db.read_now(lambda tx: tx.execute(statement).mappings().all())]


def test_a_whole_payment_leaves_no_secret_and_no_person(
    gateway: HttpGateway, box: Box, tmp_path: Path, rows: Any
) -> None:
    stripe = stripe_client(box.url, gateway, tmp_path)
    body = session_form(order(customer_email=MAIL, konbini_days=1))
    made = [stripe.create_session(body, f"key-{n}") for n in range(2)]
    pay(box, made[0])
    pay(box, made[1], "konbini")
    for one in made:
        assert isinstance(one, StripeSession)
        found = stripe.session(one.id)
        assert isinstance(found, StripeSession)
        stripe.payment_intent(str(found.payment_intent))
        stripe.refund(refund_form(str(found.payment_intent)), f"refund-{one.id}")
    stripe.events(["checkout.session.completed", "charge.succeeded", "payment_intent.requires_action"], long_ago())
    stripe_client(box.url, gateway, tmp_path, stripe_secret_key="sk_test_of_somebody_else").session("cs_1")
    written = rows()
    text = str(written)
    assert len(written) == 10
    secrets = [intent.client_secret for intent in box.world.stripe.payment_intents.values()]
    pages = [session.page_url.partition("#")[2] for session in box.world.stripe.sessions.values()]
    canaries = ("taro..y", "docomo", "テスト 花子", "buyer@", "09012345678", "123456", "4242", "/c/pay/")
    for word in (STRIPE_KEY, "sk_test_", "whsec_", "_secret_", *secrets, *pages, *canaries):
        assert word not in text, word
    assert {row["target"] for row in written} == {"stripe"}
    assert all(row["external_request_id"].startswith("req_") for row in written)
    assert '"amount_total":3000' in text, "what an engineer needs is still there"
    assert '"reservation_id":"17"' in text


def test_secrets_in_the_middle_of_a_sentence(gateway: HttpGateway, tmp_path: Path, rows: Any) -> None:
    words = (
        "rk_live_abcdefgh whsec_abcdefgh cs_test_a1b2_secret_xyz pi_3Abc_secret_def "
        "see https://checkout.stripe.com/c/pay/cs_live_a1#fidabc and sk_live_****1234"
    )

    async def say(_request: Request) -> Response:
        return JSONResponse({"error": {"message": words, "request_log_url": "https://dashboard.example/x"}}, 400)

    with serving(Starlette(routes=[Route("/{path:path}", say)])) as url:
        stripe_client(url, gateway, tmp_path).events([], NOON)
    [row] = rows()
    for word in ("rk_live", "whsec", "_secret_", "/c/pay/", "sk_live", "dashboard"):
        assert word not in row["response_body"], word
    assert "see *** and ***" in row["response_body"]
