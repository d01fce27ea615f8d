"""G17 for payments: addresses of payment pages, Stripe's secrets and names through a real server's log."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.attacks.test_booking_canaries import SECRETS
from tests.attacks.test_canaries import rows
from tests.booking.reservations.hospital import Hospital
from tests.factories.processes import started, tsudoi
from tests.factories.product import STRIPE_KEY, STRIPE_WEBHOOK_SECRET, Box
from tests.servers import eventually, nobody_there
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database

FAMILY = "金糸雀"


@pytest.mark.row("3.7.19")
def test_no_canary_of_payments_sings(tmp_path: Path, migrated_sqlite: Path, box: Box) -> None:
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "tsudoi.sqlite3"
    path.write_bytes(migrated_sqlite.read_bytes())
    box.http.post("/_sandbox/clock", json={"now": datetime.now(UTC).isoformat()}).raise_for_status()
    stripe = {
        "STRIPE_API_BASE": box.url,
        "STRIPE_SECRET_KEY": STRIPE_KEY,
        "STRIPE_WEBHOOK_SECRET": STRIPE_WEBHOOK_SECRET,
    }
    db = open_database(f"sqlite:///{path}", SystemClock())
    clinic = Hospital(db, SECRETS["JWT_SECRET"])
    day = (datetime.now(UTC) + timedelta(days=9)).date().isoformat()
    slot_id = clinic.slot(clinic.type(price_jpy=3000), day)
    token = clinic.token(clinic.staff(family_name=FAMILY))
    with started(
        tmp_path, "serve", LINE_API_BASE=nobody_there(), LOG_LEVEL="DEBUG", WORKER_INLINE="1", **stripe, **SECRETS
    ) as server:
        box.world.webhook_url = f"{server.url}/api/line/webhook"
        with server.client() as http:
            headers = {"authorization": f"Bearer {token}"}
            made = http.post("/api/reservations", json={"slotId": slot_id}, headers=headers).json()
            url = made["payment"]["checkoutUrl"]
            assert http.post(f"/api/reservations/{made['id']}/payment", headers=headers).json()["checkoutUrl"] == url
            session_id = url.partition("/c/pay/")[2].partition("#")[0]
            box.http.post(f"/_sandbox/stripe/sessions/{session_id}/pay", json={"method": "card"}).raise_for_status()
            http.post("/api/stripe/webhook", json={"id": FAMILY}, headers={"stripe-signature": "t=1,v1=CANARY"})
            assert http.delete(f"/api/reservations/{made['id']}", headers=headers).status_code == 204
            eventually(lambda: box.http.get("/_sandbox/stripe").json()["refunds"])
        log = server.said()
    db.close()
    tsudoi(tmp_path, "payments", "reconcile", LINE_API_BASE=nobody_there(), **stripe, **SECRETS)
    assert [json.loads(line) for line in server.log()]
    files = [found.read_text() for found in (tmp_path / "data").rglob("*.ndjson")]
    said = "\n".join([log, rows(tmp_path, "api_call_logs"), *files])
    assert "create_session" in said
    # What the sandbox's buyer types on Stripe's page.
    buyer = ("テスト 花子", "buyer@example.com")
    for canary in (
        url,
        url.partition("#")[0],
        "/c/pay/",
        FAMILY,
        "CANARY",
        token,
        STRIPE_KEY,
        STRIPE_WEBHOOK_SECRET,
        *buyer,
    ):
        assert canary not in said, canary
