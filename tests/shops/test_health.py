from datetime import timedelta

from tests.factories.product import Product
from tests.factories.shops import RING, add, make_shop, make_state, make_ticket
from tsudoi.shops.proofs.models import IdentityProof
from tsudoi.shops.secrets.rules import encrypt, proof_purpose
from tsudoi.shops.secrets.service.rotating import forget_expired_proofs


def metrics(product: Product) -> dict[str, float]:
    lines = product.http.get("/metrics").text.splitlines()
    pairs = [line.rpartition(" ") for line in lines if line.startswith("tsudoi_")]
    return {name: float(value) for name, _, value in pairs}


def test_metrics_say_what_needs_a_person(product: Product) -> None:
    db, now = product.db, product.db.clock.now()
    calm = metrics(product)
    assert (calm["tsudoi_tickets_open"], calm["tsudoi_breakers_open"]) == (0, 0)
    assert calm["tsudoi_stores_failures_in_a_row"] == 0
    shop, other = make_shop(db, "ngy1"), make_shop(db, "osk1")
    make_ticket(db, shop_id=shop, dedupe_key="a")
    make_ticket(db, shop_id=other, dedupe_key="b", status="acknowledged")
    make_ticket(db, shop_id=shop, dedupe_key="c", status="closed", closed_at_utc=now)
    make_state(db, shop, "stores", failures_in_a_row=7, open_until_utc=now + timedelta(seconds=9))
    make_state(db, other, "stores", failures_in_a_row=2)
    seen = metrics(product)
    assert {name: seen[name] for name in seen if "tickets" in name or "breakers" in name} == {
        "tsudoi_tickets_open": 1,
        "tsudoi_tickets_acknowledged": 1,
        "tsudoi_breakers_open": 1,
    }
    assert (seen["tsudoi_stores_failures_in_a_row"], seen["tsudoi_chatwork_failures_in_a_row"]) == (7, 0)


def test_proofs_that_ended_are_forgotten_after_a_day(product: Product) -> None:
    db, now, shop = product.db, product.db.clock.now(), make_shop(product.db)
    kept = []
    for ago in (timedelta(0), timedelta(hours=23), timedelta(hours=25)):
        values = {"purpose": "liff_code", "shop_id": shop, "email_hash": "e", "secret_hash": "s"}
        sealed = encrypt(RING, "contact", proof_purpose(shop))
        times = {"created_at_utc": now - ago, "expires_at_utc": now - ago}
        kept.append(add(db, IdentityProof, **values, contact_enc=sealed, **times))
    db.write_now(forget_expired_proofs)
    assert [row["id"] for row in product.rows(IdentityProof)] == kept[:2]
