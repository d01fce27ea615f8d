"""What `tsudoi doctor` says about payments."""

from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import insert

from tests.commands.doctor_fixtures import OK, PROBLEM, WARNING, Examine, clock, examine, product
from tests.factories.product import Box, Product
from tests.product_fixtures import sqlite_only
from tests.servers import nobody_there
from tsudoi.booking.payments.models import StoredStripeEvent
from tsudoi.commands.checks.findings import DoctorContext
from tsudoi.commands.checks.payments import PAYMENTS, wrong_keys
from tsudoi.core.db.interface import Database

__all__ = ["clock", "examine", "product"]
pytestmark = sqlite_only


def test_good_keys_are_tried_at_stripe(product: Product, examine: Examine) -> None:
    found = examine(product.settings)[PAYMENTS]
    assert (found.level, "Stripe answers" in found.message) == (OK, True)


def test_without_keys_payments_are_off(product: Product, examine: Examine) -> None:
    found = examine(product.settings, stripe_secret_key=None, stripe_webhook_secret=None)[PAYMENTS]
    assert (found.level, "off" in found.message) == (OK, True)


@pytest.mark.parametrize(
    ("changes", "level", "word"),
    [
        ({"stripe_webhook_secret": None}, PROBLEM, "STRIPE_WEBHOOK_SECRET"),
        ({"stripe_secret_key": None}, PROBLEM, "STRIPE_SECRET_KEY"),
        ({"stripe_secret_key": SecretStr("pk_test_0123456789abcdef")}, PROBLEM, "pk_"),
        ({"stripe_webhook_secret": SecretStr("sk_test_0123456789abcdef")}, PROBLEM, "whsec_"),
        ({"stripe_secret_key": SecretStr("sk_live_0123456789abcdef")}, PROBLEM, "live key"),
        ({"stripe_secret_key": SecretStr("sk_test_of_somebody_else_00")}, PROBLEM, "401"),
        ({"stripe_api_base": nobody_there()}, PROBLEM, "out of reach"),
    ],
)
def test_what_is_wrong_is_said(
    product: Product, examine: Examine, changes: dict[str, Any], level: object, word: str
) -> None:
    found = examine(product.settings, **changes)[PAYMENTS]
    assert (found.level, word in found.message, bool(found.advice)) == (level, True, True), found.message


def test_a_test_key_at_the_real_stripe_takes_no_money(product: Product) -> None:
    real = {"stripe_api_base": "https://api.stripe.com", "public_base_url": "https://tsudoi.example.jp"}
    # Without a call: the real Stripe is not asked from here.
    settings = product.settings.model_copy(update=real)
    context = DoctorContext(settings, product.db.clock, None, None, None)  # type: ignore[arg-type]
    [finding] = wrong_keys(context, "sk_test_0123", "whsec_0123")
    assert (finding.level, "テスト用" in finding.message) == (WARNING, True)


def test_what_waits_for_the_office_is_counted(product: Product, db: Database, examine: Examine, box: Box) -> None:
    now = db.clock.now()
    row = {"event_id": "evt_1", "type": "x", "received_at": now, "outcome": "MISMATCH"}
    db.write_now(lambda tx: tx.execute(insert(StoredStripeEvent).values(**row)))
    found = examine(product.settings)[PAYMENTS]
    assert (found.level, "1 mismatches" in found.message) == (WARNING, True)
