"""What a lost webhook left open is found by asking Stripe, and applied in the same way."""

import json
import time
from contextlib import nullcontext
from datetime import timedelta

import pytest

from tests.booking.payments.till import ACCEPTED_AND_SILENT, PRICE, Till, session_in
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.booking.checkout.jobs.reconciling import Reconciliation, reconcile, reconcile_by_the_clock
from tsudoi.booking.reservations.models import HOLD_EXPIRED
from tsudoi.booking.reservations.service.holds import give_back_expired
from tsudoi.commands import payments


def run(till: Till) -> Reconciliation:
    return reconcile(till.product.runtime)


def told(found: Reconciliation) -> set[str]:
    return {one.outcome for one in found.differences}


def test_a_payment_that_nobody_told_us_about_is_applied(till: Till) -> None:
    till.drop_webhooks()
    held = till.held()
    till.pay(held)
    till.later(minutes=15)
    found = run(till)
    assert (told(found), found.complete) == ({"APPLIED CONFIRMED"}, True)
    assert [one.reservation_id for one in found.differences] == [held["id"]]
    assert till.reservation(held["id"]).confirmed_at is not None
    # The worker never sends notices: they wait for the command.
    assert till.notices(held["id"]) == {"CONFIRMATION": "PENDING", "REMINDER": "PENDING"}
    again = run(till)
    assert again.differences == []
    assert till.tasks("REFUND") == []


def test_the_webhook_that_comes_after_all_changes_nothing(till: Till) -> None:
    till.drop_webhooks()
    held = till.held()
    till.pay(held)
    till.later(minutes=15)
    run(till)
    for kind, content in (
        ("payment_intent.succeeded", till.control("GET", "")["payment_intents"][0]),
        ("checkout.session.completed", till.sessions()[0]),
    ):
        assert till.post(till.event(kind, content)).status_code == 200
    assert till.notices(held["id"]) == {"CONFIRMATION": "PENDING", "REMINDER": "PENDING"}
    assert [one.status for one in till.payments(held["id"])] == ["PAID"]
    assert till.tasks("REFUND") == []


def test_an_abandoned_page_frees_its_seat(till: Till) -> None:
    till.drop_webhooks()
    slot_id = till.slot()
    held = till.held(slot_id)
    till.later(minutes=32)
    assert told(run(till)) == {"APPLIED EXPIRED_SEAT_GIVEN_BACK"}
    assert till.reservation(held["id"]).cancel_reason == HOLD_EXPIRED
    assert till.hospital.booked(slot_id) == 0


def test_a_late_payment_whose_seat_is_gone_is_paid_back(till: Till) -> None:
    till.drop_webhooks()
    slot_id = till.slot()
    held = till.held(slot_id)
    till.pay(held)
    till.later(minutes=40)
    till.product.db.write_now(give_back_expired)
    till.held(slot_id)
    assert "APPLIED LATE_REFUNDED" in told(run(till))
    till.work()
    assert [one["amount"] for one in till.refunds()] == [PRICE]
    assert run(till).differences == []


def test_a_payment_on_a_page_whose_address_we_never_learned(till: Till) -> None:
    """The list of Stripe's events knows pages that our own call did not hear of."""
    till.drop_webhooks()
    till.faults(
        {"kind": ACCEPTED_AND_SILENT, "endpoint": "stripe_create", "times": 1, "seconds": 3},
        {"kind": "webhook_dropped", "endpoint": "stripe_webhook"},
    )
    held = till.held()
    assert held["payment"]["checkoutUrl"] is None
    [session] = till.sessions()
    till.control("POST", f"sessions/{session['id']}/pay", {"method": "card"})
    till.later(minutes=15)
    assert told(run(till)) == {"APPLIED CONFIRMED"}
    [payment] = till.payments(held["id"])
    assert (payment.status, payment.session_id) == ("PAID", session["id"])


def test_a_refund_that_nobody_told_us_about(till: Till) -> None:
    anna = till.person()
    held = till.held(person=anna)
    till.pay(held)
    anna.cancel(held["id"])
    till.faults(
        {"kind": ACCEPTED_AND_SILENT, "endpoint": "stripe_refund", "seconds": 3},
        {"kind": "webhook_dropped", "endpoint": "stripe_webhook"},
    )
    till.work()
    till.drop_webhooks()
    till.later(hours=24)
    till.work()
    assert till.tasks("REFUND")[0].status == "UNKNOWN"
    run(till)
    [task] = till.tasks("REFUND")
    assert (task.status, task.refund_id, task.refund_status) == ("DONE", till.refunds()[0]["id"], "succeeded")


class TestTrouble:
    def test_a_silent_stripe_is_reported_and_nothing_is_changed(self, till: Till) -> None:
        till.drop_webhooks()
        held = till.held()
        till.pay(held)
        till.later(minutes=15)
        till.faults({"kind": "error_500_before", "endpoint": "stripe"})
        found = run(till)
        assert (found.complete, len(found.errors)) == (False, 1)
        assert till.payments(held["id"])[0].last_error is not None
        assert till.reservation(held["id"]).confirmed_at is None

    @sqlite_only
    def test_it_stops_when_its_time_is_over(self, till: Till) -> None:
        till.held()
        till.later(minutes=15)
        found = reconcile(till.product.runtime, time.monotonic())
        assert (found.asked, found.complete) == (0, False)

    @sqlite_only
    def test_a_page_that_stripe_does_not_know_does_not_stop_the_others(self, till: Till) -> None:
        till.drop_webhooks()
        slot_id = till.slot(capacity=2)
        lost, held = till.held(slot_id), till.held(slot_id)
        till.sql(f"UPDATE payments SET session_id = 'cs_test_of_nobody' WHERE reservation_id = {lost['id']}")
        till.pay(held)
        till.later(minutes=15)
        found = run(till)
        assert found.complete
        assert till.reservation(held["id"]).confirmed_at is not None
        assert "404" in str(till.payments(lost["id"])[0].last_error)

    @sqlite_only
    def test_a_page_that_was_never_opened_ends(self, till: Till) -> None:
        till.box.breaks("timeout_before_accept", "stripe_create", seconds=3)
        held = till.held()
        till.box.mends()
        till.later(minutes=32)
        run(till)
        assert [one.status for one in till.payments(held["id"])] == ["EXPIRED"]

    @sqlite_only
    def test_by_the_clock_it_does_nothing_without_stripe(self, make_product: ProductMaker) -> None:
        assert reconcile_by_the_clock(make_product(stripe_secret_key=None).runtime) is None

    @sqlite_only
    def test_a_payment_without_its_seat_is_named(self, till: Till) -> None:
        held = till.held()
        till.pay(held)
        till.sql(f"UPDATE reservations SET confirmed_at = NULL WHERE id = {held['id']}")
        assert [one.reservation_id for one in run(till).differences] == [held["id"]]


@sqlite_only
def test_young_pages_are_not_asked_about(till: Till) -> None:
    till.drop_webhooks()
    held = till.held()
    till.later(minutes=5)
    run(till)
    assert till.box.calls(f"/v1/checkout/sessions/{session_in(held)}") == []
    assert till.clock.now() - till.payments(held["id"])[0].created_at == timedelta(minutes=5)


@sqlite_only
@pytest.mark.parametrize("as_json", [False, True])
def test_the_command(
    till: Till, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], as_json: bool
) -> None:
    monkeypatch.setattr(payments, "read_settings", lambda: till.product.settings)
    monkeypatch.setattr(payments, "database_of", lambda _settings: nullcontext(till.product.db))
    monkeypatch.setattr(payments, "configure_logging", lambda _level: None)
    assert payments.run_reconcile(as_json=as_json) == 0
    till.drop_webhooks()
    held = till.held()
    till.pay(held)
    till.later(minutes=15)
    capsys.readouterr()
    assert payments.run_reconcile(as_json=as_json) == 1
    said = capsys.readouterr().out
    if as_json:
        assert json.loads(said)["differences"][0]["reservation_id"] == held["id"]
    else:
        assert f"reservation {held['id']}" in said
    till.faults({"kind": "error_500_before", "endpoint": "stripe"})
    assert payments.run_reconcile(as_json=as_json) == 2
