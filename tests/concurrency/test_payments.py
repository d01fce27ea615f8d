"""Two events of one payment at the same moment, with the lock and, as the control, without it."""

from contextlib import suppress
from threading import Barrier, BrokenBarrierError

import pytest

from tests.booking.payments.conftest import impatient_stripe, till
from tests.booking.payments.till import Till, intent_object, session_object
from tests.booking.reservations.conftest import hospital
from tests.concurrency.threads import at_once
from tests.product_fixtures import box, impatient, make_product, plain_log, postgresql_only, product, shared_box
from tsudoi.booking.checkout.queries.payments import payments_of_reservation
from tsudoi.booking.checkout.service import receiving
from tsudoi.booking.reservations.queries.reservations import StoredReservation, reservation_of
from tsudoi.core.db.interface import Tx

__all__ = [
    "box",
    "hospital",
    "impatient",
    "impatient_stripe",
    "make_product",
    "plain_log",
    "product",
    "shared_box",
    "till",
]


def both_at_once(till: Till) -> list[str]:
    """The details of the two events, after both were posted in the same moment."""
    held = till.held()
    intent = intent_object(held["id"])
    page = session_object(held["id"], payment_intent=intent["id"])
    events = [till.event("checkout.session.completed", page), till.event("payment_intent.succeeded", intent)]
    at_once(2, lambda number: till.post(events[number]))
    return sorted(row.detail for row in till.events())


@postgresql_only
def test_two_events_of_one_payment_confirm_once(till: Till) -> None:
    assert both_at_once(till) == ["ALREADY_PAID", "CONFIRMED"]


@postgresql_only
def test_control_without_the_lock_both_confirm(till: Till, monkeypatch: pytest.MonkeyPatch) -> None:
    meeting = Barrier(2)

    def unlocked(tx: Tx, reservation_id: int) -> StoredReservation | None:
        return reservation_of(tx, reservation_id)

    def together(tx: Tx, reservation_id: int) -> object:
        found = payments_of_reservation(tx, reservation_id)
        # The database runs a transaction again after a deadlock; then the other one has passed already.
        with suppress(BrokenBarrierError):
            meeting.wait(10)
        return found

    monkeypatch.setattr(receiving, "lock_reservation", unlocked)
    monkeypatch.setattr(receiving, "payments_of_reservation", together)
    assert both_at_once(till) == ["CONFIRMED", "CONFIRMED"]
