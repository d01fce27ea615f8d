"""Paid at a convenience store: the seat is held until the slip's last day is over."""

from datetime import UTC, datetime

from tests.booking.payments.till import Json, Till, session_in
from tests.product_fixtures import sqlite_only
from tests.servers import eventually
from tsudoi.booking.reservations.models import HOLD_EXPIRED
from tsudoi.booking.reservations.service.holds import give_back_expired


def with_slip(till: Till) -> Json:
    held = till.held(till.slot("2025-12-10", konbini=1))
    till.pay(held, "konbini")
    return held


def settle(till: Till, held: Json, *, paid: bool) -> None:
    till.control("POST", f"sessions/{session_in(held)}/konbini", {"paid": paid})


def test_the_seat_waits_for_the_shop(till: Till) -> None:
    held = with_slip(till)
    row = till.reservation(held["id"])
    # The slip is valid until the end of the third day after noon of 16 August, in Japan.
    assert row.hold_expires_at == datetime(2025, 8, 19, 17, 0, tzinfo=UTC)
    till.later(days=2)
    assert till.product.db.write_now(give_back_expired) == 0
    settle(till, held, paid=True)
    assert till.reservation(held["id"]).confirmed_at is not None
    assert till.notices(held["id"]) == {"CONFIRMATION": "SENT", "REMINDER": "PENDING"}


@sqlite_only
def test_the_person_sees_that_the_slip_is_not_paid_yet(till: Till) -> None:
    anna = till.person()
    held = till.held(till.slot("2025-12-10", konbini=1), anna)
    till.pay(held, "konbini")
    [own] = anna.http.get("/api/reservations/me").json()["items"]
    assert (own["payment"]["status"], own["payment"]["checkoutUrl"]) == ("WAITING", None)
    listed = till.office.get("/api/admin/payments", params={"status": "WAITING"}).json()["items"]
    assert [item["reservationId"] for item in listed] == [held["id"]]
    assert till.office.get("/api/admin/payments", params={"status": "OPEN"}).json()["items"] == []


def test_a_slip_that_is_never_paid_gives_the_seat_back(till: Till) -> None:
    held = with_slip(till)
    settle(till, held, paid=False)
    assert till.reservation(held["id"]).cancel_reason == HOLD_EXPIRED
    assert [one.status for one in till.payments(held["id"])] == ["FAILED"]
    assert till.notices(held["id"]) == {}


def test_somebody_with_a_slip_may_pay_by_card_instead_and_pays_once(till: Till) -> None:
    anna = till.person()
    held = till.held(till.slot("2025-12-10", konbini=1), anna)
    till.pay(held, "konbini")
    card = anna.http.post(f"/api/reservations/{held['id']}/payment").json()
    till.pay({"payment": card})
    assert till.reservation(held["id"]).confirmed_at is not None
    settle(till, held, paid=True)
    till.work()
    [refund] = till.refunds()
    assert refund["status"] == "requires_action"
    assert till.reservation(held["id"]).canceled_at is None


def test_the_refund_of_a_slip_takes_its_time(till: Till) -> None:
    """Stripe asks the person for a bank account first."""
    anna = till.person()
    held = till.held(till.slot("2025-12-10", konbini=1), anna)
    till.pay(held, "konbini")
    settle(till, held, paid=True)
    anna.cancel(held["id"])
    till.work()

    def shown() -> str:
        [own] = anna.http.get("/api/reservations/me").json()["items"]
        return str(own["payment"]["refund"]["status"])

    assert shown() == "PENDING"
    till.control("POST", f"refunds/{till.refunds()[0]['id']}", {"status": "succeeded"})
    assert eventually(lambda: shown() == "DONE")
