"""G9 for notices and payments: good requests of the office and signed events of Stripe, with one hostile value each."""

import hashlib
import hmac
import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.attacks.test_hostile_booking import GoodRequest, bodies
from tests.attacks.test_hostile_input import CORPUS, QUERIES, check
from tests.booking.office import office
from tests.booking.reservations.hospital import Hospital, Person, person_at
from tests.factories.product import JSON, STRIPE_WEBHOOK_SECRET, Box, Product
from tests.sizes import share
from tsudoi.booking.payments.models import Payment
from tsudoi.booking.reservations.endpoints.own import BookingRoute
from tsudoi.notifications.notices.models import NotificationJob

SESSION: dict[str, Any] = {
    "id": "cs_test_1",
    "object": "checkout.session",
    "status": "complete",
    "payment_status": "paid",
    "payment_intent": "pi_1",
    "amount_total": 3000,
    "currency": "jpy",
    "client_reference_id": "1",
    "metadata": {"reservation_id": "1", "payment_sequence": "1"},
}
INTENT = {"id": "pi_1", "object": "payment_intent", "amount_received": 3000, "currency": "jpy", "metadata": {}}
CHARGE = {
    "id": "ch_1",
    "object": "charge",
    "payment_intent": "pi_1",
    "amount_refunded": 3000,
    "refunds": {"data": [{"id": "re_1", "status": "succeeded"}]},
    "metadata": {"reservation_id": "1"},
}
REMINDER = {"reservationTypeId": 1, "periodKey": "FY2025", "departmentId": "3A", "text": "ご予約ください"}
REFUND = {"id": "re_1", "object": "refund", "payment_intent": "pi_1", "amount": 3000, "status": "failed"}
EVENTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("checkout.session.completed", SESSION),
    ("payment_intent.succeeded", INTENT),
    ("charge.refunded", CHARGE),
    ("refund.updated", REFUND),
)


def good_requests(job_id: int, payment_id: int) -> list[GoodRequest]:
    notices, why = "/api/admin/notifications", {"reason": "電話"}
    templates = f"{notices}/templates/CONFIRMATION"
    price = {"priceJpy": 3000, "holdMinutes": 35, "konbini": True, "refundUntilHours": 24}
    more = {"place": "本館2階", "silentAtNight": True, "mailFallback": True}
    found: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", f"{notices}/{job_id}/resend", {**why, "accept_duplicate": True}),
        ("POST", f"{notices}/resend", {**why, "job_ids": [job_id]}),
        ("POST", f"{notices}/resend", {**why, "cause": "QUOTA"}),
        ("PUT", templates, {"body": "{氏名} 様 {日時}"}),
        ("POST", f"{templates}/preview", {"body": "{氏名} 様 {日時}"}),
        ("POST", f"{notices}/pause", why),
        ("POST", f"{notices}/resume", why),
        ("POST", f"/api/admin/payments/{payment_id}/refund", why),
        ("POST", "/api/admin/stripe-events/evt_1/resolve", {"note": "返金済み"}),
        ("POST", "/api/admin/reservation-types", {"name": "人間ドック", **price, **more}),
        ("PATCH", "/api/admin/reservation-types/1", {**price, **more}),
        ("POST", "/api/admin/coverage/reminders/preview", REMINDER),
        ("POST", "/api/admin/coverage/reminders", {**REMINDER, "confirmOverQuota": True}),
    ]
    return [GoodRequest("office", *one) for one in found]


def hostile_events() -> Iterator[bytes]:
    """A hostile value in one place of the event, of its object, or of the object's metadata."""
    yield from (value.encode() for value in CORPUS)
    for number, (kind, content) in enumerate(EVENTS):
        event = {"id": f"evt_{number}", "object": "event", "type": kind, "created": 1755313200, "livemode": False}
        for field in (*event, "data"):
            yield from _with(event | {"data": {"object": content}}, field)
        for field in content:
            for body in _with(content, field):
                yield json.dumps(event)[:-1].encode() + b',"data":{"object":' + body + b"}}"


def _with(good: dict[str, Any], field: str) -> Iterator[bytes]:
    others = "".join(f"{json.dumps(name)}:{json.dumps(good[name])}," for name in good if name != field)
    nested = [f'{{"{name}":{value}}}' for name in ("reservation_id", "object", "data") for value in CORPUS]
    for value in [*CORPUS, *(nested if isinstance(good[field], dict) else [])]:
        yield f"{{{others}{json.dumps(field)}:{value}}}".encode()


@pytest.fixture
def booked(product: Product, box: Box, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    """Somebody with a notice, and a seat that waits for its payment."""
    monkeypatch.setattr(BookingRoute, "limits_per_principal", ())
    hospital = Hospital(product.db)
    person = person_at(product, hospital, hospital.staff(line_user_id=box.friend()))
    person.booked(hospital.slot(hospital.type("人間ドック", price_jpy=3000)))
    person.booked(hospital.slot(hospital.type(), "2025-09-12"))
    yield person
    person.http.close()


def ids(product: Product) -> tuple[int, int]:
    return int(product.rows(NotificationJob)[0]["job_id"]), int(product.rows(Payment)[0]["id"])


def test_no_field_breaks_anything(product: Product, booked: Person) -> None:
    with office(product) as http:
        for good in good_requests(*ids(product)):
            for body in share(bodies(good.body), product.db.dialect):
                answer = http.request(good.method, good.path, content=body, headers=JSON)
                check(answer, (good.method, good.path, body[-300:]))


def test_no_event_of_stripe_breaks_anything(product: Product, booked: Person) -> None:
    at = int(product.db.clock.now().timestamp())
    for body in share(hostile_events(), product.db.dialect):
        made = hmac.new(STRIPE_WEBHOOK_SECRET.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
        headers = {**JSON, "stripe-signature": f"t={at},v1={made}"}
        answer = product.http.post("/api/stripe/webhook", content=body, headers=headers)
        assert answer.status_code in (200, 400, 413), (body[:300], answer.text[:200])
        check(answer, body[:300])


def test_no_place_in_an_address_breaks_anything(product: Product, booked: Person) -> None:
    addresses = (
        ("GET", "/api/admin/notifications/templates/{}"),
        ("PUT", "/api/admin/notifications/templates/{}"),
        ("POST", "/api/admin/notifications/{}/resend"),
        ("POST", "/api/admin/payments/{}/refund"),
        ("POST", "/api/admin/stripe-events/{}/resolve"),
        ("GET", "/api/admin/reservations/{}/timeline"),
        ("GET", "/api/admin/coverage/reminders/{}"),
    )
    good = {"reason": "電話", "note": "電話", "body": "x"}
    with office(product) as http:
        for method, path in addresses:
            for value in [one for one in QUERIES if one]:
                _harmless(http.request(method, path.format(value), json=None if method == "GET" else good))
    for value in [one for one in QUERIES if one]:
        _harmless(booked.http.post(f"/api/reservations/{value}/payment", json={}))


def _harmless(answer: httpx2.Response) -> None:
    assert answer.status_code < 500, (str(answer.url), answer.text[:200])
