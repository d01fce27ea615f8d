"""What `tsudoi doctor` says about shops. It never asks STORES."""

from sqlalchemy import update

from tests.commands.doctor_fixtures import OK, PROBLEM, WARNING, Examine, clock, examine, product
from tests.factories.product import Box, Product
from tests.factories.shops import give_token, make_shop
from tsudoi.commands.checks.shops import SHOPS
from tsudoi.core.db.interface import Database
from tsudoi.shops.secrets.models import ShopSecret

__all__ = ["clock", "examine", "product"]


def test_it_says_whether_shops_are_on(product: Product, examine: Examine, box: Box) -> None:
    on = examine(product.settings)[SHOPS]
    assert (on.level, "open every secret" in on.message) == (OK, True)
    off = examine(product.settings, shop_secrets_keys=None)[SHOPS]
    assert (off.level, "SHOP_SECRETS_KEYS" in off.message) == (OK, True)
    assert box.http.get("/_sandbox/requests", params={"system": "stores"}).json()["requests"] == []


def test_a_key_that_is_missing_or_bad_is_a_problem(product: Product, db: Database, examine: Examine) -> None:
    give_token(db, make_shop(db, merchant_canonical_id="mc_1"))
    assert examine(product.settings)[SHOPS].level is OK
    assert examine(product.settings, shop_secrets_keys=None)[SHOPS].level is PROBLEM
    bad = product.settings.model_validate({**product.settings.model_dump(), "shop_secrets_keys": "not-a-key"})
    found = examine(bad)[SHOPS]
    assert (found.level, "not-a-key" in found.message) == (PROBLEM, False)


def test_a_secret_that_nobody_can_read_is_a_problem(product: Product, db: Database, examine: Examine) -> None:
    give_token(db, make_shop(db, merchant_canonical_id="mc_1"))
    db.write_now(lambda tx: tx.execute(update(ShopSecret).values(v_enc="v1.00000000.AAAA")))
    found = examine(product.settings)[SHOPS]
    assert (found.level, "ngy1 STORES_API_TOKEN" in found.message) == (PROBLEM, True)


def test_open_shops_without_token_or_merchant_are_named(product: Product, db: Database, examine: Examine) -> None:
    make_shop(db, "closed1", shop_status="closed")
    make_shop(db, "ngy1", merchant_canonical_id="mc_1")
    give_token(db, make_shop(db, "osk1"))
    found = examine(product.settings)[SHOPS]
    assert (found.level, "ngy1、osk1" in found.message, "closed1" in found.message) == (WARNING, True, False)
