"""Money that comes when the hold is over: the seat if there is one, otherwise the money goes back, once."""

import pytest

from tests.booking.payments.till import PRICE, Json, Till, intent_object, session_object
from tests.booking.reservations.hospital import Person
from tests.concurrency.threads import at_once
from tests.product_fixtures import sqlite_only
from tsudoi.booking.reservations.models import HOLD_EXPIRED
from tsudoi.booking.reservations.queries.consistency import flaws
from tsudoi.booking.reservations.service.holds import give_back_expired
from tsudoi.core.db.interface import Database


def paid_late(till: Till, slot_id: int, person: Person | None = None) -> tuple[Json, Json, Json]:
    """The person pays in the last moment, and the hold is over before Stripe tells; gives the two events to come."""
    till.drop_webhooks()
    held = till.held(slot_id, person)
    till.pay(held)
    page = next(one for one in till.sessions() if one["id"] == till.payments(held["id"])[0].session_id)
    intents = till.control("GET", "")["payment_intents"]
    intent = next(one for one in intents if one["id"] == page["payment_intent"])
    till.later(minutes=36)
    till.product.db.write_now(give_back_expired)
    assert till.reservation(held["id"]).cancel_reason == HOLD_EXPIRED
    return held, till.event("checkout.session.completed", page), till.event("payment_intent.succeeded", intent)


def counts_are_right(db: Database) -> bool:
    return db.read_now(lambda tx: list(flaws(tx))) == []


def test_the_seat_is_still_free_and_is_given(till: Till) -> None:
    """H32."""
    slot_id = till.slot()
    held, page, _ = paid_late(till, slot_id)
    assert till.post(page).status_code == 200
    row = till.reservation(held["id"])
    assert (row.canceled_at, row.cancel_reason, row.confirmed_at) == (None, None, till.clock.now())
    assert till.hospital.booked(slot_id) == 1
    assert till.notices(held["id"]) == {"CONFIRMATION": "SENT", "REMINDER": "PENDING"}
    assert till.tasks("REFUND") == []
    assert counts_are_right(till.product.db)
    cells = till.cells(held["id"])
    assert cells["CANCEL_COMPLETED"]["reason"] == "NOT_CANCELLED"


def test_the_seat_is_gone_and_the_money_goes_back_once(till: Till) -> None:
    """H32: whatever Stripe tells, and however often, there is one refund, one notice of it and no confirmation."""
    slot_id = till.slot()
    held, page, intent = paid_late(till, slot_id)
    other = till.held(slot_id)
    for event in (page, intent, page, {**page, "id": "evt_other"}, {**intent, "id": "evt_another"}):
        assert till.post(event).status_code == 200
    till.work()
    till.work()
    [task] = till.tasks("REFUND")
    done = (task.status, task.amount_jpy, task.requested_by, task.refund_status)
    assert done == ("DONE", PRICE, "stripe", "succeeded")
    assert [(one["amount"], one["status"]) for one in till.refunds()] == [(PRICE, "succeeded")]
    assert till.notices(held["id"]) == {"CANCEL_COMPLETED": "SENT"}
    [text] = till.told(held["id"])
    assert "返金" in text
    assert till.hospital.live(slot_id) == [till.reservation(other["id"]).staff_uid]
    assert counts_are_right(till.product.db)
    cells = till.cells(held["id"])
    assert (cells["CONFIRMATION"]["reason"], cells["REMINDER"]["reason"]) == ("NOT_CONFIRMED", "NOT_CONFIRMED")


@pytest.mark.parametrize("seats", [1, 2])
def test_late_payments_in_parallel_share_the_seats_that_are_left(till: Till, seats: int) -> None:
    slot_id = till.slot(capacity=3)
    till.drop_webhooks()
    people = [till.held(slot_id) for _ in range(3)]
    till.later(minutes=36)
    till.product.db.write_now(give_back_expired)
    for _ in range(3 - seats):
        till.held(slot_id)
    events = [till.event("checkout.session.completed", session_object(one["id"])) for one in people]
    events += [till.event("checkout.session.completed", event["data"]["object"]) for event in events]
    answers = at_once(len(events), lambda number: till.post(events[number]).status_code)
    assert answers == [200] * len(events)
    confirmed = [one for one in people if till.reservation(one["id"]).confirmed_at is not None]
    assert len(confirmed) == seats
    assert len(till.tasks("REFUND")) == 3 - seats
    assert till.hospital.booked(slot_id) == 3
    assert counts_are_right(till.product.db)


def test_a_hold_that_ran_out_and_was_not_given_back_is_simply_paid(till: Till) -> None:
    till.drop_webhooks()
    held = till.held()
    till.pay(held)
    page = till.event("checkout.session.completed", till.sessions()[0])
    till.later(minutes=36)
    till.post(page)
    assert till.reservation(held["id"]).confirmed_at is not None
    assert [row.detail for row in till.events(type="checkout.session.completed")] == ["CONFIRMED"]


class TestGone:
    @sqlite_only
    @pytest.mark.parametrize("why", ["booked_again", "begun", "closed_type", "suspended", "draft"])
    def test_a_seat_that_the_person_may_not_have_any_more(self, till: Till, why: str) -> None:
        slot_id = till.slot("2025-08-16", start=12 * 60 + 50, capacity=2)
        anna = till.person()
        held, page, _ = paid_late(till, slot_id, anna)
        if why == "booked_again":
            assert anna.book(slot_id).status_code == 201
        elif why == "begun":
            till.later(minutes=20)
            page = till.event("checkout.session.completed", page["data"]["object"])
        else:
            till.sql(
                {
                    "closed_type": "UPDATE reservation_types SET active = 0",
                    "suspended": "UPDATE staffs SET status = 'suspended'",
                    "draft": "UPDATE reservation_slots SET status = 'draft'",
                }[why]
            )
        assert till.post(page).status_code == 200
        [task] = till.tasks("REFUND")
        assert (task.amount_jpy, till.reservation(held["id"]).canceled_at is not None) == (PRICE, True)
        assert till.notices(held["id"]).keys() == {"CANCEL_COMPLETED"}

    def test_somebody_who_cancelled_and_paid_all_the_same_is_paid_back(self, till: Till) -> None:
        anna, slot_id = till.person(), till.slot()
        till.drop_webhooks()
        held = till.held(slot_id, anna)
        till.pay(held)
        anna.cancel(held["id"])
        till.faults()
        assert till.post(till.event("checkout.session.completed", till.sessions()[0])).status_code == 200
        till.work()
        assert [one["amount"] for one in till.refunds()] == [PRICE]
        assert till.notices(held["id"]) == {"CANCEL_COMPLETED": "SENT"}
        assert "返金" in till.told(held["id"])[0]
        assert till.hospital.booked(slot_id) == 0


class TestTwice:
    def test_the_second_payment_goes_back(self, till: Till) -> None:
        """Two pages of one reservation, both paid before Stripe told of either."""
        anna = till.person()
        till.drop_webhooks()
        held = till.held(person=anna)
        till.pay(held)
        till.later(minutes=33)
        second = anna.http.post(f"/api/reservations/{held['id']}/payment").json()
        till.pay({"payment": second})
        pages = till.sessions()
        events = [till.event("checkout.session.completed", page) for page in pages]
        answers = at_once(2, lambda number: till.post(events[number]).status_code)
        assert answers == [200, 200]
        assert [one.status for one in till.payments(held["id"])] == ["PAID", "PAID"]
        till.faults()
        till.work()
        assert len(till.refunds()) == 1
        assert till.reservation(held["id"]).canceled_at is None
        assert till.notices(held["id"]) == {"CONFIRMATION": "SENT", "REMINDER": "PENDING"}
        [own] = anna.http.get("/api/reservations/me").json()["items"]
        assert (own["payment"]["status"], own["payment"]["refund"]) == ("PAID", None)

    def test_a_payment_on_a_page_that_we_do_not_know(self, till: Till) -> None:
        held = till.held()
        till.pay(held)
        stray = intent_object(held["id"])
        for _ in range(2):
            assert till.post(till.event("payment_intent.succeeded", stray)).status_code == 200
        assert [(one.sequence, one.status) for one in till.payments(held["id"])] == [(1, "PAID"), (2, "PAID")]
        [task] = till.tasks("REFUND")
        assert task.payment_id == till.payments(held["id"])[1].id
        assert till.reservation(held["id"]).canceled_at is None

    def test_a_page_that_is_still_open_is_closed_when_the_other_is_paid(self, till: Till) -> None:
        anna = till.person()
        till.drop_webhooks()
        held = till.held(person=anna)
        till.pay(held)
        page = till.sessions()[0]
        till.later(minutes=33)
        anna.http.post(f"/api/reservations/{held['id']}/payment")
        till.post(till.event("checkout.session.completed", page))
        till.faults()
        till.work()
        assert {one["status"] for one in till.sessions()} == {"complete", "expired"}
        assert till.reservation(held["id"]).canceled_at is None
