"""What decides about payments, without a database."""

from datetime import UTC, datetime, timedelta

import pytest

from tsudoi.booking.checkout.queries.payments import StoredPayment, payment_of_event
from tsudoi.booking.checkout.rules.events import EventFacts, facts_of, facts_of_session, is_live, later_refund_status
from tsudoi.booking.payments.queries.shown import refund_state, shown_status
from tsudoi.booking.payments.rules.terms import hold_times, is_refunded_by_rule, konbini_hold_until, offers_konbini
from tsudoi.gateway.clients.stripe_outcomes import StripeEvent, StripeSession

NOON = datetime(2025, 8, 16, 3, 0, tzinfo=UTC)


def facts(kind: str, **more: object) -> EventFacts:
    return EventFacts("evt_1", kind, NOON, livemode=False, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "status", "meaning"),
    [
        ("checkout.session.completed", "paid", "PAID"),
        ("checkout.session.completed", "no_payment_required", "PAID"),
        ("checkout.session.completed", "unpaid", "SLIP"),
        ("checkout.session.completed", None, "SLIP"),
        ("checkout.session.async_payment_succeeded", "paid", "PAID"),
        ("checkout.session.async_payment_failed", "unpaid", "FAILED"),
        ("checkout.session.expired", "unpaid", "EXPIRED"),
        ("payment_intent.succeeded", "succeeded", "PAID"),
        ("payment_intent.payment_failed", "requires_payment_method", None),
        ("charge.succeeded", "succeeded", None),
        ("charge.refunded", "succeeded", "REFUND"),
        ("customer.created", None, None),
    ],
)
def test_what_an_event_means(kind: str, status: str | None, meaning: str | None) -> None:
    """H29."""
    assert facts(kind, payment_status=status).meaning == meaning


def test_an_event_without_metadata_is_found_by_the_reference() -> None:
    content = {"id": "cs_1", "object": "checkout.session", "client_reference_id": "17", "metadata": {}}
    found = facts_of(StripeEvent("evt_1", "checkout.session.completed", NOON, False, content))
    assert found is not None
    assert (found.reservation_id, found.session_id) == (17, "cs_1")


def test_an_open_page_is_no_news() -> None:
    page = StripeSession("cs_1", "open", "unpaid", None, "u", 3000, "jpy", {}, None, NOON, livemode=False)
    assert facts_of_session(page) is None


@pytest.mark.parametrize(
    ("key", "live"),
    [("sk_live_1", True), ("rk_live_1", True), ("sk_test_live_1", False), ("rk_test_1", False), ("", False)],
)
def test_which_keys_move_real_money(key: str, live: bool) -> None:
    assert is_live(key) == live


class TestWhichPayment:
    first = StoredPayment(1, 17, 1, 3000, "EXPIRED", "cs_1", None, "", "key 1")
    second = StoredPayment(2, 17, 2, 3000, "OPEN", "cs_2", None, "", "key 2")
    paid = StoredPayment(3, 17, 3, 3000, "PAID", "cs_3", "pi_3", "", "key 3")

    def found(self, *payments: StoredPayment, **more: object) -> int | None:
        one = payment_of_event(list(payments), facts("payment_intent.succeeded", **more))
        return None if one is None else one.id

    def test_by_key_then_by_page_then_by_payment(self) -> None:
        everything = (self.first, self.second, self.paid)
        assert self.found(*everything, session_id="cs_1") == 1
        assert self.found(*everything, payment_intent_id="pi_3") == 3
        assert self.found(*everything, payment_intent_id="pi_9", payment_key="key 1") == 1
        assert self.found(*everything, session_id="cs_1", payment_key="key 3") == 3
        assert self.found(*everything, payment_intent_id="pi_9") == 2

    def test_another_page_or_payment_is_none_of_them(self) -> None:
        assert self.found(self.second, session_id="cs_9") is None
        assert self.found(self.paid, payment_intent_id="pi_9") is None


class TestTimes:
    def test_a_konbini_slip_is_valid_to_the_end_of_the_third_day_in_japan(self) -> None:
        """Shortly before and after midnight in Japan."""
        before, after = datetime(2025, 8, 16, 14, 59, tzinfo=UTC), datetime(2025, 8, 16, 15, 0, tzinfo=UTC)
        assert konbini_hold_until(before) == datetime(2025, 8, 19, 17, 0, tzinfo=UTC)
        assert konbini_hold_until(after) == datetime(2025, 8, 20, 17, 0, tzinfo=UTC)

    @pytest.mark.parametrize(("price", "days", "offered"), [(119, 9, False), (120, 9, True), (300_001, 9, False)])
    def test_konbini_takes_some_amounts_only(self, price: int, days: int, offered: bool) -> None:
        begins_at = NOON + timedelta(days=days)
        assert offers_konbini(konbini=True, price_jpy=price, begins_at=begins_at, now=NOON) == offered

    def test_konbini_needs_a_day_after_its_last_day(self) -> None:
        last = konbini_hold_until(NOON) + timedelta(days=1)
        for begins_at, offered in ((last, True), (last - timedelta(seconds=1), False)):
            assert offers_konbini(konbini=True, price_jpy=3000, begins_at=begins_at, now=NOON) == offered
        assert not offers_konbini(konbini=False, price_jpy=3000, begins_at=last, now=NOON)

    def test_the_page_of_a_short_hold_is_open_longer_than_the_hold(self) -> None:
        """It is closed by a call then."""
        times = hold_times(NOON, 30, NOON + timedelta(days=1))
        assert times.hold_expires_at < times.page_expires_at

    def test_the_last_moment_of_a_refund(self) -> None:
        begins_at = NOON + timedelta(hours=24)
        assert is_refunded_by_rule(24, begins_at, NOON)
        assert not is_refunded_by_rule(24, begins_at, NOON + timedelta(microseconds=1))
        assert is_refunded_by_rule(None, begins_at, begins_at + timedelta(days=9))


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        (None, "pending", "pending"),
        ("pending", "succeeded", "succeeded"),
        ("succeeded", "pending", "succeeded"),
        ("succeeded", "failed", "failed"),
        ("failed", "succeeded", "failed"),
        ("canceled", "pending", "canceled"),
        ("pending", None, "pending"),
    ],
)
def test_events_of_a_refund_in_any_order(before: str | None, after: str | None, kept: str) -> None:
    assert later_refund_status(before, after) == kept


def test_what_people_see() -> None:
    assert shown_status("OPEN", None) == "OPEN"
    assert shown_status("OPEN", "pi_1") == "WAITING"
    assert shown_status("PAID", "pi_1") == "PAID"
    states = {("DONE", "requires_action"): "PENDING", ("DONE", "failed"): "FAILED", ("UNKNOWN", None): "FAILED"}
    assert {given: refund_state(*given) for given in states} == states
