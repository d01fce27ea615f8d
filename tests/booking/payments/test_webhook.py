"""Stripe tells that somebody has paid: once or ten times, in any order, and only Stripe itself."""

import random
import time

import pytest

from tests.booking.payments.till import HOOK, PRICE, Till, intent_object, session_object
from tests.concurrency.threads import at_once
from tests.product_fixtures import ProductMaker, sqlite_only
from tsudoi.notifications.notices.models import NotificationSkip


@pytest.mark.row("2.12.1", "2.12.3", "2.12.6")
def test_a_completed_and_paid_page_confirms(till: Till) -> None:
    held = till.held()
    heard = till.pay(held)
    assert [one["status"] for one in heard["webhooks"]] == [200] * 3
    row = till.reservation(held["id"])
    assert row.confirmed_at == till.clock.now()
    [payment] = till.payments(held["id"])
    assert (payment.status, payment.amount_jpy, payment.paid_at) == ("PAID", PRICE, till.clock.now())
    assert (payment.session_id, payment.payment_intent_id) != (None, None)
    assert till.notices(held["id"]) == {"CONFIRMATION": "SENT", "REMINDER": "PENDING"}
    assert len(till.pushes()) == 1
    [audited] = till.hospital.audit("RESERVE_CONFIRM")
    assert (audited.actor, audited.subject) == ("stripe", f"reservation:{held['id']}")


@pytest.mark.row("2.12.2", "2.12.4")
def test_the_payment_alone_confirms_without_any_event_of_the_page(till: Till) -> None:
    till.control("PUT", "webhooks", {"types": ["payment_intent.succeeded"]})
    held = till.held()
    till.pay(held)
    assert [row.type for row in till.events()] == ["payment_intent.succeeded"]
    assert till.reservation(held["id"]).confirmed_at is not None
    assert till.notices(held["id"]) == {"CONFIRMATION": "SENT", "REMINDER": "PENDING"}
    [payment] = till.payments(held["id"])
    assert payment.status == "PAID"


@pytest.mark.row("2.12.10", "2.5.10")
def test_both_events_ten_times_each_in_parallel_give_one_of_everything(till: Till) -> None:
    till.drop_webhooks()
    held = till.held()
    till.pay(held)
    page, intent = till.sessions()[0], till.control("GET", "")["payment_intents"][0]
    events = [till.event("checkout.session.completed", page) for _ in range(5)]
    events += [till.event("payment_intent.succeeded", intent) for _ in range(5)]
    copies = events * 2
    random.shuffle(copies)
    answers = at_once(len(copies), lambda number: till.post(copies[number]))
    assert {(answer.status_code, answer.text) for answer in answers} == {(200, '{"received":true}')}
    assert till.notices(held["id"]) == {"CONFIRMATION": "SENT", "REMINDER": "PENDING"}
    assert len(till.pushes()) == 1
    assert len(till.events()) == len(events)
    assert [one.detail for one in till.events()].count("CONFIRMED") == 1
    assert [one.status for one in till.payments(held["id"])] == ["PAID"]
    assert till.tasks("REFUND") == []


@pytest.mark.row("2.12.9")
@sqlite_only
def test_stripe_has_its_answer_whatever_line_does(till: Till) -> None:
    till.drop_webhooks()
    held = till.held()
    till.pay(held)
    page = till.sessions()[0]
    till.faults({"kind": "slow", "endpoint": "push", "seconds": 12})
    started = time.monotonic()
    assert till.post(till.event("checkout.session.completed", page)).status_code == 200
    assert time.monotonic() - started < 10
    till.faults()
    assert till.reservation(held["id"]).confirmed_at is not None
    assert till.notices(held["id"])["CONFIRMATION"] == "PENDING"


class TestForged:
    @pytest.mark.row("2.12.11")
    def test_what_stripe_has_not_signed_now_is_refused_and_not_stored(self, till: Till) -> None:
        held = till.held()
        event = till.event("checkout.session.completed", session_object(held["id"]))
        refused = [
            till.post(event, secret="whsec_of_somebody_else_0123456789"),
            till.post(event, age=301),
            till.post(event, age=-301),
            till.product.http.post(HOOK, json=event),
            till.product.http.post(HOOK, json=event, headers={"stripe-signature": "t=1,v1=00"}),
        ]
        assert {answer.status_code for answer in refused} == {400}
        assert {answer.json()["code"] for answer in refused} == {"BAD_SIGNATURE"}
        assert till.events() == []
        assert till.reservation(held["id"]).confirmed_at is None
        assert till.pushes() == []
        for age in (299, -299):
            assert till.post(till.event("customer.created", {"object": "customer"}), age=age).status_code == 200

    @sqlite_only
    def test_a_body_that_was_changed_after_signing(self, till: Till) -> None:
        held = till.held()
        headers = {"stripe-signature": till.signature(b'{"id":"evt_1"}'), "content-type": "application/json"}
        body = till.event("checkout.session.completed", session_object(held["id"]))
        assert till.product.http.post(HOOK, json=body, headers=headers).status_code == 400

    @sqlite_only
    def test_signed_nonsense_changes_nothing(self, till: Till) -> None:
        good = till.event("checkout.session.completed", session_object(1))
        nonsense: list[object] = [
            [],
            {},
            {**good, "id": ""},
            {**good, "id": "evt_\u0000"},
            {**good, "id": "x" * 300},
            {**good, "type": 5},
            {**good, "created": 10**30},
            {**good, "data": None},
            {**good, "object": "something"},
        ]
        for event in nonsense:
            assert till.post(event).status_code == 400, event  # type: ignore[arg-type]
        assert till.events() == []

    @sqlite_only
    def test_odd_values_in_a_good_event_are_stored_as_nothing(self, till: Till) -> None:
        odd = session_object(1, amount_total=2**70, currency="j\u0000", metadata={"reservation_id": "1" * 40}, id=[])
        odd |= {"payment_intent": {"id": "\ud800"}, "client_reference_id": 2**80, "payment_status": "paid"}
        assert till.post(till.event("checkout.session.completed", odd)).status_code == 200
        [row] = till.events()
        kept = (row.amount, row.currency, row.reservation_id, row.session_id, row.payment_intent_id, row.outcome)
        assert kept == (None, None, None, None, None, "IGNORED")

    @sqlite_only
    def test_a_body_of_more_than_a_megabyte_is_not_read(self, till: Till) -> None:
        body = b"x" * (1024 * 1024 + 1)
        headers = {"stripe-signature": till.signature(body)}
        assert till.product.http.post(HOOK, content=body, headers=headers).status_code == 413

    @sqlite_only
    @pytest.mark.parametrize("missing", ["stripe_secret_key", "stripe_webhook_secret"])
    def test_without_stripe_there_is_no_such_address(self, make_product: ProductMaker, missing: str) -> None:
        assert make_product(**{missing: None}).http.post(HOOK, json={}).status_code == 404


class TestNotPaid:
    @pytest.mark.row("2.6.7")
    def test_a_page_that_is_complete_but_unpaid_confirms_nothing(self, till: Till) -> None:
        """H29: somebody who chose a konbini has completed the page and has not paid."""
        held = till.held(till.slot("2025-12-10", konbini=1))
        till.pay(held, "konbini")
        assert till.reservation(held["id"]).confirmed_at is None
        assert till.notices(held["id"]) == {}
        assert till.pushes() == []

    def test_a_declined_card_leaves_the_seat_held(self, till: Till) -> None:
        held = till.held()
        till.pay(held, "declined")
        row = till.reservation(held["id"])
        assert (row.confirmed_at, row.canceled_at) == (None, None)
        till.pay(held)
        assert till.reservation(held["id"]).confirmed_at is not None

    def test_an_event_about_nobody_we_know_is_stored_and_ignored(self, till: Till) -> None:
        """H30: another program may use the same account of Stripe."""
        for content in (session_object(999), session_object(1, metadata={}, client_reference_id=None)):
            assert till.post(till.event("checkout.session.completed", content)).status_code == 200
        assert [(row.outcome, row.detail) for row in till.events()] == [("IGNORED", "UNKNOWN_RESERVATION")] * 2
        assert till.post(till.event("customer.created", {"object": "customer", "id": "cus_1"})).status_code == 200
        assert {(row.outcome, row.detail) for row in till.events(type="customer.created")} == {
            ("IGNORED", "OTHER_TYPE")
        }

    def test_the_same_number_in_another_installation_is_not_ours(self, till: Till) -> None:
        """Two servers may share one account of Stripe, and both have a reservation 1."""
        held = till.held()
        names = {"reservation_id": str(held["id"]), "payment_key": "tsudoi-of-somebody-else"}
        for kind, content in (
            ("checkout.session.completed", session_object(held["id"], metadata=names)),
            ("payment_intent.succeeded", intent_object(held["id"], metadata=names)),
        ):
            assert till.post(till.event(kind, content)).status_code == 200
        assert {(row.outcome, row.detail) for row in till.events()} == {("IGNORED", "UNKNOWN_RESERVATION")}
        assert till.reservation(held["id"]).confirmed_at is None
        assert till.tasks("REFUND") == []


class TestMismatch:
    @pytest.mark.parametrize(
        "wrong", [{"amount_total": 2999}, {"amount_total": None}, {"currency": "usd"}, {"amount_total": 300_000}]
    )
    @sqlite_only
    def test_another_amount_or_currency_confirms_nothing_and_is_a_ticket(
        self, till: Till, wrong: dict[str, object]
    ) -> None:
        """H30."""
        held = till.held()
        content = session_object(held["id"], **wrong)
        assert till.post(till.event("checkout.session.completed", content)).status_code == 200
        [row] = till.events()
        assert (row.outcome, row.resolved_at, row.reservation_id) == ("MISMATCH", None, held["id"])
        assert "3000" in row.detail
        assert till.reservation(held["id"]).confirmed_at is None
        assert [one.status for one in till.payments(held["id"])] == ["OPEN"]
        assert till.notices(held["id"]) == {}

    def test_real_money_for_a_practice_key_confirms_nothing(self, till: Till) -> None:
        held = till.held()
        for kind, content in (
            ("checkout.session.completed", session_object(held["id"])),
            ("payment_intent.succeeded", intent_object(held["id"])),
            ("checkout.session.expired", session_object(held["id"], status="expired", payment_status="unpaid")),
        ):
            assert till.post(till.event(kind, content, livemode=True)).status_code == 200
        assert {row.outcome for row in till.events()} == {"MISMATCH"}
        row = till.reservation(held["id"])
        assert (row.confirmed_at, row.canceled_at) == (None, None)

    @sqlite_only
    def test_money_for_a_free_reservation(self, till: Till) -> None:
        free = till.hospital.slot(till.hospital.type("健診"))
        reservation_id = till.person().booked(free)
        till.post(till.event("checkout.session.completed", session_object(reservation_id)))
        assert [(row.outcome, row.detail) for row in till.events()] == [("MISMATCH", "this reservation has no price")]
        assert till.tasks("REFUND") == []


def test_without_line_the_seat_is_confirmed_and_the_decision_not_to_tell_is_kept(till: Till) -> None:
    held = till.held(person=till.person(linked=False))
    till.pay(held)
    assert till.reservation(held["id"]).confirmed_at is not None
    assert till.notices(held["id"]) == {}
    assert {row.reason for row in till.hospital.rows(NotificationSkip)} == {"NO_LINE_LINK"}
