"""G8 for payments: signed webhooks, a third of them repeated, all shuffled, over a server that is killed in between."""

import hashlib
import hmac
import json
import random
import signal
import threading
import time
import uuid
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import httpx2
import pytest

from tests.booking.reservations.hospital import Hospital
from tests.concurrency.test_booking_rush import FAR_AWAY, SECRETS
from tests.factories.processes import started
from tests.factories.product import STRIPE_KEY, STRIPE_WEBHOOK_SECRET, Box
from tests.product_fixtures import box, shared_box
from tests.servers import browser, free_port, nobody_there
from tests.sizes import size
from tsudoi.booking.payments.models import Payment, PaymentTask, StoredStripeEvent
from tsudoi.booking.reservations.queries.consistency import flaws
from tsudoi.core import audit
from tsudoi.core.clock import SystemClock
from tsudoi.core.db.connect import open_database
from tsudoi.notifications.notices.models import NotificationJob

__all__ = ["box", "shared_box"]

PEOPLE, CLIENTS, PRICE = size(40, 800), 8, 3000
KILLS = {"sqlite": size(3, 60), "postgresql": size(2, 60)}
REPEATED, FORGED = 0.3, 0.1
HOOK = "/api/stripe/webhook"
Json = dict[str, Any]


def signed(event: Json, secret: str = STRIPE_WEBHOOK_SECRET) -> tuple[bytes, dict[str, str]]:
    body, at = json.dumps(event).encode(), int(time.time())
    made = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return body, {"content-type": "application/json", "stripe-signature": f"t={at},v1={made}"}


def event(kind: str, content: Json) -> Json:
    about = {"type": kind, "created": int(time.time()), "livemode": False, "data": {"object": content}}
    return {"id": f"evt_{uuid.uuid4().hex}", "object": "event", **about}


def events_of(session: Json) -> list[Json]:
    """What Stripe tells of a paid page. The event of the payment does not name the page."""
    intent = {
        "id": session["payment_intent"],
        "object": "payment_intent",
        "status": "succeeded",
        "amount_received": PRICE,
        "currency": "jpy",
        "metadata": session["metadata"],
    }
    return [event("checkout.session.completed", session), event("payment_intent.succeeded", intent)]


class PayingRush:
    """People who each book one seat and pay for it, while the server dies again and again."""

    def __init__(self, folder: Path, database_url: str, box: Box) -> None:
        self.folder, self.database_url, self.box, self.seed = folder, database_url, box, random.randrange(10**6)
        self.db = open_database(database_url, SystemClock())
        self.clinic = Hospital(self.db, SECRETS["JWT_SECRET"])
        self.slot_id = self.clinic.slot(self.clinic.type(price_jpy=PRICE), FAR_AWAY, capacity=PEOPLE)
        people = self.clinic.people(PEOPLE, first=1)
        self.clinic.sql("UPDATE staffs SET line_user_id = 'U' || staff_uid")
        self.settled = self.interrupted = self.repeated = self.forged = 0
        self.told: set[str] = set()
        self._port, self._heard, self._up = free_port(), threading.Condition(), threading.Event()
        self._pile: SimpleQueue[str] = SimpleQueue()
        for token in self.clinic.tokens(people):
            self._pile.put(token)

    def go(self, kills: int) -> None:
        moments = random.Random(self.seed)
        threads = [threading.Thread(target=self._client, args=(number,)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for moment in sorted(moments.sample(range(1, PEOPLE - CLIENTS), kills)):
            self._serve_until(moment, moments.uniform(0, 0.02))
        self._serve_until(PEOPLE, 0)
        for thread in threads:
            thread.join()

    def _serve_until(self, settled: int, then: float) -> None:
        more = {"DATABASE_URL": self.database_url, "LINE_API_BASE": nobody_there(), "WORKER_INLINE": "0", **SECRETS}
        stripe = {
            "STRIPE_API_BASE": self.box.url,
            "STRIPE_SECRET_KEY": STRIPE_KEY,
            "STRIPE_WEBHOOK_SECRET": STRIPE_WEBHOOK_SECRET,
        }
        with started(self.folder, "serve", PORT=str(self._port), **more, **stripe) as server:
            self._up.set()
            with self._heard:
                assert self._heard.wait_for(lambda: self.settled >= settled, 240), f"seed {self.seed}"
            time.sleep(then)
            server.stop(signal.SIGKILL)
            self._up.clear()

    def _client(self, number: int) -> None:
        chance = random.Random(self.seed + number)
        url = f"http://127.0.0.1:{self._port}"
        with browser(url) as http, browser(self.box.url) as stripe, suppress(Empty):
            while True:
                self._person(http, stripe, self._pile.get_nowait(), chance)
                with self._heard:
                    self.settled += 1
                    self._heard.notify_all()

    def _person(self, http: httpx2.Client, stripe: httpx2.Client, token: str, chance: random.Random) -> None:
        page = self._booked(http, {"authorization": f"Bearer {token}", "idempotency-key": "k"})
        session_id = page.partition("/c/pay/")[2].partition("#")[0]
        paid = stripe.post(f"/_sandbox/stripe/sessions/{session_id}/pay", json={"method": "card"})
        posts = events_of(paid.raise_for_status().json()["session"])
        with self._heard:
            self.told.update(one["id"] for one in posts)
        copies = [one for one in posts if chance.random() < REPEATED]
        self.repeated += len(copies)
        posts += copies
        chance.shuffle(posts)
        for one in posts:
            self._forge(http, one, chance)
            assert self._until_answered(http, lambda one=one: signed(one)).status_code == 200

    def _booked(self, http: httpx2.Client, headers: dict[str, str]) -> str:
        """The address of the payment page. Who gets none asks again with the same key."""
        content = json.dumps({"slotId": self.slot_id}).encode()
        while True:
            request = (content, {**headers, "content-type": "application/json"})
            made = self._until_answered(http, lambda: request, "/api/reservations")  # noqa: B023
            assert made.status_code == 201, made.text
            if made.json()["payment"]["checkoutUrl"] is not None:
                return str(made.json()["payment"]["checkoutUrl"])

    def _forge(self, http: httpx2.Client, real: Json, chance: random.Random) -> None:
        if chance.random() < FORGED:
            forged = {**real, "id": f"evt_forged_{uuid.uuid4().hex}"}
            answer = self._until_answered(http, lambda: signed(forged, "whsec_of_somebody_else_0000"))
            assert answer.status_code == 400, answer.text
            self.forged += 1

    def _until_answered(self, http: httpx2.Client, request: Any, path: str = HOOK) -> httpx2.Response:
        while True:
            # Without waiting, requests to a port where nobody listens would slow down the server's start.
            self._up.wait()
            content, headers = request()
            try:
                answer = http.post(path, content=content, headers=headers)
            except (httpx2.ConnectError, httpx2.TimeoutException):
                continue
            except httpx2.HTTPError:
                self.interrupted += 1
                continue
            if answer.status_code < 500:
                return answer


@pytest.mark.row("2.12.10", "2.12.11")
@pytest.mark.timeout(1700)
def test_killed_while_people_pay_every_event_is_applied_once(
    tmp_path: Path, database_url: str, backend: str, box: Box
) -> None:
    now = datetime.now(UTC).isoformat()
    box.http.post("/_sandbox/clock", json={"now": now}).raise_for_status()
    box.breaks("webhook_dropped", "stripe_webhook")
    rush = PayingRush(tmp_path, database_url, box)
    rush.go(KILLS[backend])
    seed, clinic = f"seed {rush.seed}", rush.clinic
    reservations = clinic.reservations()
    assert len(reservations) == clinic.booked(rush.slot_id) == PEOPLE, seed
    assert all(row.confirmed_at is not None and row.canceled_at is None for row in reservations), seed
    payments = clinic.rows(Payment)
    assert [row.reservation_id for row in payments] == sorted(row.id for row in reservations), seed
    assert {row.status for row in payments} == {"PAID"}, seed
    # A server that died between the commit and the call has asked again with the same key.
    sessions = box.http.get("/_sandbox/stripe").json()["sessions"]
    assert {one["id"] for one in sessions} == {row.session_id for row in payments}, seed
    assert len(sessions) == PEOPLE, seed
    events = clinic.rows(StoredStripeEvent)
    assert {row.event_id for row in events} == rush.told, seed
    assert sorted({row.detail for row in events}) == ["ALREADY_PAID", "CONFIRMED"], seed
    assert [row.detail for row in events].count("CONFIRMED") == PEOPLE, seed
    jobs = sorted((row.reservation_id, row.kind) for row in clinic.rows(NotificationJob))
    assert jobs == sorted((row.id, kind) for row in reservations for kind in ("CONFIRMATION", "REMINDER")), seed
    assert clinic.rows(PaymentTask) == [], seed
    assert rush.db.read_now(lambda tx: list(flaws(tx))) == [], seed
    assert rush.db.read_now(audit.verify).broken_at is None
    assert len(clinic.audit("RESERVE_CONFIRM")) == PEOPLE
    assert rush.interrupted > 0, "no kill met anybody in the middle of a request"
    assert rush.repeated > 0
    assert rush.forged > 0
    rush.db.close()
