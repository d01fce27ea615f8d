"""Where people pay: the product, the sandbox as Stripe, and one clock for both."""

import hashlib
import hmac
import json
import uuid
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import httpx2
from sqlalchemy import select, text

from tests.booking.office import office as the_office
from tests.booking.reservations.hospital import Hospital, Person, person_at
from tests.factories.product import STRIPE_WEBHOOK_SECRET, Box, Product
from tsudoi.booking.payments.models import Payment, PaymentTask, StoredStripeEvent
from tsudoi.booking.reservations.models import Reservation
from tsudoi.booking.slots.models import ReservationSlot
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.clock import ManualClock
from tsudoi.notifications.notices.models import NotificationJob

PRICE = 3000
HOOK = "/api/stripe/webhook"
# All faults of the sandbox's Stripe in which the work is done and nobody hears of it.
ACCEPTED_AND_SILENT = "timeout_after_accept"

Json = dict[str, Any]


class Till:
    """Books seats with a price, pays for them, and reads what became of it."""

    def __init__(self, product: Product, hospital: Hospital, box: Box, clock: ManualClock) -> None:
        self.product, self.hospital, self.box, self.clock = product, hospital, box, clock
        self._people = ExitStack()
        self._office: httpx2.Client | None = None

    def close(self) -> None:
        self._people.close()

    def slot(self, day: str = "2025-09-10", *, capacity: int = 1, start: int = 540, **more: Any) -> int:
        """Of a type of its own with a price."""
        type_id = self.hospital.type("人間ドック オプション", **{"price_jpy": PRICE, **more})
        return self.hospital.slot(type_id, day, start, capacity=capacity)

    def type_of(self, slot_id: int) -> int:
        return int(self.hospital.rows(ReservationSlot, id=slot_id)[0].reservation_type_id)

    def person(self, *, linked: bool = True, **more: Any) -> Person:
        link: Json = {"line_user_id": self.box.friend()} if linked else {}
        found = person_at(self.product, self.hospital, self.hospital.staff(**link, **more))
        self._people.enter_context(found.http)
        return found

    def held(self, slot_id: int | None = None, person: Person | None = None, **headers: str) -> Json:
        """The answer to a booking of a seat with a price."""
        answer = (person or self.person()).book(slot_id or self.slot(), **headers)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def pay(self, reservation: Json, method: str = "card") -> Json:
        """The person pays on Stripe's page; gives what Stripe's webhooks heard."""
        return self.control("POST", f"sessions/{session_in(reservation)}/pay", {"method": method})

    def control(self, method: str, path: str, body: Json | None = None) -> Json:
        answer = self.box.http.request(method, f"/_sandbox/stripe/{path}".rstrip("/"), json=body)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def drop_webhooks(self) -> None:
        self.faults({"kind": "webhook_dropped", "endpoint": "stripe_webhook"})

    def faults(self, *rules: Json) -> None:
        self.box.http.put("/_sandbox/faults", json={"rules": list(rules)}).raise_for_status()

    def later(self, **delta: float) -> None:
        """Time passes, here and at Stripe."""
        self.clock.advance(timedelta(**delta))
        self.box.http.post("/_sandbox/clock", json={"now": self.clock.now().isoformat()}).raise_for_status()

    def post(self, event: Json, *, secret: str = STRIPE_WEBHOOK_SECRET, age: int = 0) -> httpx2.Response:
        """An event that we sign ourselves."""
        body = json.dumps(event).encode()
        headers = {"content-type": "application/json", "stripe-signature": self.signature(body, secret, age)}
        return self.product.http.post(HOOK, content=body, headers=headers)

    def signature(self, body: bytes, secret: str = STRIPE_WEBHOOK_SECRET, age: int = 0) -> str:
        at = int(self.clock.now().timestamp()) - age
        made = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
        return f"t={at},v1={made}"

    def event(self, kind: str, content: Mapping[str, Any], **more: Any) -> Json:
        created = int(self.clock.now().timestamp())
        return {
            "id": f"evt_{uuid.uuid4().hex}",
            "object": "event",
            "type": kind,
            "created": created,
            "livemode": False,
            "data": {"object": dict(content)},
            **more,
        }

    def work(self) -> None:
        """Let the worker do what is due, also what had to wait."""
        self.sql("UPDATE payment_tasks SET due_at = created_at WHERE status = 'PENDING'")
        self.product.drain()

    def sql(self, statement: str) -> None:
        self.product.db.write_now(lambda tx: tx.execute(text(statement)))

    def reservation(self, reservation_id: int) -> Any:
        [row] = self.hospital.rows(Reservation, id=reservation_id)
        return row

    def payments(self, reservation_id: int) -> list[Any]:
        return self.hospital.rows(Payment, reservation_id=reservation_id)

    def tasks(self, kind: str) -> list[Any]:
        return self.hospital.rows(PaymentTask, kind=kind)

    def events(self, **only: Any) -> list[Any]:
        return self.hospital.rows(StoredStripeEvent, **only)

    def notices(self, reservation_id: int) -> dict[str, str]:
        """The jobs of a reservation: their states by kind."""
        statement = select(NotificationJob.kind, NotificationJob.status)
        found = statement.where(NotificationJob.reservation_id == reservation_id)
        return {row.kind: row.status for row in self.product.db.read_now(lambda tx: tx.execute(found).all())}

    def pushes(self) -> list[Json]:
        return self.box.calls("/v2/bot/message/push")

    def told(self, reservation_id: int) -> list[str]:
        """What the person of a reservation has read in LINE."""
        [person] = self.hospital.rows(StaffAccount, staff_uid=self.reservation(reservation_id).staff_uid)
        return [json.dumps(message, ensure_ascii=False) for message in self.box.chat(person.line_user_id)]

    @property
    def office(self) -> httpx2.Client:
        """With a token, which lives longer than a session."""
        if self._office is None:
            self._office = self._people.enter_context(the_office(self.product))
        return self._office

    def slots(self, person: Person) -> list[Json]:
        found: list[Json] = person.http.get("/api/slots").json()["items"]
        return found

    def cells(self, reservation_id: int) -> Json:
        """What the office's screen shows of the notices of a reservation."""
        listed = self.office.get("/api/admin/notifications", params={"query": str(reservation_id)}).json()["items"]
        return dict(next(item["cells"] for item in listed if item["reservation_id"] == reservation_id))

    def refunds(self) -> list[Json]:
        found: list[Json] = self.control("GET", "")["refunds"]
        return found

    def sessions(self) -> list[Json]:
        found: list[Json] = self.control("GET", "")["sessions"]
        return found


def session_in(reservation: Json) -> str:
    """The id of the session in the address of its page."""
    url: str = reservation["payment"]["checkoutUrl"]
    return url.partition("/c/pay/")[2].partition("#")[0].partition("?")[0]


def session_object(reservation_id: int, **more: Any) -> Json:
    """A paid session as Stripe would describe it, with ids of its own."""
    return {
        "id": f"cs_test_{uuid.uuid4().hex}",
        "object": "checkout.session",
        "status": "complete",
        "payment_status": "paid",
        "payment_intent": f"pi_{uuid.uuid4().hex}",
        "amount_total": PRICE,
        "currency": "jpy",
        "client_reference_id": str(reservation_id),
        "metadata": {"reservation_id": str(reservation_id)},
        **more,
    }


def intent_object(reservation_id: int, **more: Any) -> Json:
    return {
        "id": f"pi_{uuid.uuid4().hex}",
        "object": "payment_intent",
        "status": "succeeded",
        "amount": PRICE,
        "amount_received": PRICE,
        "currency": "jpy",
        "metadata": {"reservation_id": str(reservation_id)},
        **more,
    }
