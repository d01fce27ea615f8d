"""The payment page: opened right after the booking, once, however often somebody asks and whatever Stripe does."""

from datetime import timedelta
from urllib.parse import parse_qs

import pytest

from tests.booking.payments.till import ACCEPTED_AND_SILENT, PRICE, Till, session_in
from tests.booking.reservations.hospital import Person, code
from tests.product_fixtures import sqlite_only
from tsudoi.booking.payments import jobs
from tsudoi.core.clock import jst_text

CREATE = "stripe_create"


def pay_again(person: Person, reservation_id: int) -> dict[str, object]:
    answer = person.http.post(f"/api/reservations/{reservation_id}/payment")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


class TestOpened:
    def test_the_answer_leads_to_the_page(self, till: Till) -> None:
        held = till.held()
        assert held["payment"] == {
            "checkoutUrl": held["payment"]["checkoutUrl"],
            "expiresAt": jst_text(till.clock.now() + timedelta(minutes=31)),
            "amountJpy": PRICE,
            "status": "OPEN",
            "refund": None,
        }
        [session] = till.sessions()
        assert (session["id"], session["url"]) == (session_in(held), held["payment"]["checkoutUrl"])
        assert (session["amount_total"], session["currency"]) == (PRICE, "jpy")
        [payment] = till.payments(held["id"])
        assert (payment.status, payment.session_id, payment.sequence) == ("OPEN", session["id"], 1)

    @sqlite_only
    def test_stripe_learns_the_reservation_and_nothing_about_the_person(self, till: Till) -> None:
        anna = till.person()
        held = till.held(person=anna)
        [payment] = till.payments(held["id"])
        sent = {name: values[0] for name, values in parse_qs(payment.request_body).items()}
        number = str(held["id"])
        assert sent["metadata[reservation_id]"] == sent["payment_intent_data[metadata][reservation_id]"] == number
        assert sent["client_reference_id"] == number
        assert sent["success_url"] == f"{till.product.url}/staff/reservations/{number}?paid=1"
        assert sent["cancel_url"] == f"{till.product.url}/staff/reservations/{number}?left=1"
        assert sent["excluded_payment_method_types[0]"] == "konbini"
        assert list(till.control("GET", "")["idempotency_keys"]) == [payment.idempotency_key]
        for personal in ("山田", "太郎", anna.uid, anna.uid.removeprefix("uid-")):
            assert personal not in payment.request_body.replace(number, "")

    @sqlite_only
    def test_konbini_is_offered_only_if_there_is_time_for_it(self, till: Till) -> None:
        far, near = till.slot("2025-08-25", konbini=1), till.slot("2025-08-20", konbini=1)
        asked = [parse_qs(till.payments(till.held(slot)["id"])[0].request_body) for slot in (far, near)]
        assert ["excluded_payment_method_types[0]" in one for one in asked] == [False, True]
        assert asked[0]["payment_method_options[konbini][expires_after_days]"] == ["3"]

    def test_a_repeated_request_gets_the_same_bytes_and_no_second_page(self, till: Till) -> None:
        anna, slot_id = till.person(), till.slot()
        first, second = (anna.book(slot_id, **{"idempotency-key": "k"}) for _ in range(2))
        assert (first.status_code, second.headers["idempotent-replayed"]) == (201, "true")
        assert first.content == second.content
        till.pay(first.json())
        assert anna.book(slot_id, **{"idempotency-key": "k"}).content == first.content
        assert len(till.sessions()) == 1


class TestSilence:
    def test_the_booking_stands_when_stripe_does_not_answer(self, till: Till) -> None:
        anna, slot_id = till.person(), till.slot()
        till.box.breaks("timeout_before_accept", CREATE)
        held = till.held(slot_id, anna, **{"idempotency-key": "k"})
        assert (held["payment"]["checkoutUrl"], held["payment"]["status"]) == (None, "CREATING")
        assert till.hospital.live(slot_id) == [anna.uid]
        till.box.mends()
        again = anna.book(slot_id, **{"idempotency-key": "k"})
        assert again.json()["payment"]["checkoutUrl"] is not None
        assert anna.book(slot_id, **{"idempotency-key": "k"}).content == again.content
        assert len(till.sessions()) == 1

    def test_a_page_that_was_opened_without_our_knowledge_is_the_one_that_is_used(self, till: Till) -> None:
        anna = till.person()
        till.box.breaks(ACCEPTED_AND_SILENT, CREATE, times=1)
        held = till.held(person=anna)
        assert held["payment"]["checkoutUrl"] is None
        payment = pay_again(anna, held["id"])
        assert len(till.sessions()) == 1
        assert session_in({"payment": payment}) == till.sessions()[0]["id"]
        assert len(till.payments(held["id"])) == 1

    @pytest.mark.parametrize(
        "fault", ["error_500_before", "error_500_after", "rate_limited", "conflict", "drop_connection"]
    )
    @sqlite_only
    def test_an_error_of_stripe_is_no_error_of_the_booking(self, till: Till, fault: str) -> None:
        anna = till.person()
        till.box.breaks(fault, CREATE, times=1)
        held = till.held(person=anna)
        assert held["payment"]["checkoutUrl"] is None
        assert till.payments(held["id"])[0].last_error is not None
        till.later(seconds=5)
        assert pay_again(anna, held["id"])["checkoutUrl"] is not None

    @sqlite_only
    def test_a_request_that_waited_too_long_becomes_another_page(self, till: Till) -> None:
        """Stripe wants half an hour from the moment at which it hears of the page."""
        anna = till.person()
        till.box.breaks("timeout_before_accept", CREATE)
        held = till.held(person=anna)
        till.box.mends()
        till.later(minutes=10)
        payment = pay_again(anna, held["id"])
        assert payment["checkoutUrl"] is not None
        assert [one.status for one in till.payments(held["id"])] == ["FAILED", "OPEN"]
        assert len(till.sessions()) == 1
        assert till.reservation(held["id"]).hold_expires_at == till.clock.now() + timedelta(minutes=35)

    @sqlite_only
    def test_a_server_that_dies_before_the_call_asks_with_the_same_key(
        self, till: Till, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The process itself is killed in tests/concurrency/test_payments_kill.py."""
        anna, slot_id = till.person(), till.slot()

        async def die(*_arguments: object) -> None:
            raise RuntimeError("killed")

        with monkeypatch.context() as broken:
            broken.setattr(jobs, "page_of", die)
            assert anna.book(slot_id, **{"idempotency-key": "k"}).status_code == 500
        assert till.sessions() == []
        again = anna.book(slot_id, **{"idempotency-key": "k"})
        assert (again.status_code, again.headers["idempotent-replayed"]) == (201, "true")
        assert again.json()["payment"]["checkoutUrl"] == till.sessions()[0]["url"]


class TestPayAgain:
    def test_the_open_page_is_given_again(self, till: Till) -> None:
        anna = till.person()
        held = till.held(person=anna)
        before = till.reservation(held["id"]).hold_expires_at
        till.later(minutes=10)
        assert pay_again(anna, held["id"]) == held["payment"]
        assert till.reservation(held["id"]).hold_expires_at == before
        assert len(till.sessions()) == 1

    def test_a_closed_page_is_followed_by_another_and_the_hold_grows(self, till: Till) -> None:
        anna = till.person()
        till.drop_webhooks()
        held = till.held(person=anna)
        till.later(minutes=33)
        second = pay_again(anna, held["id"])
        assert second["checkoutUrl"] not in (None, held["payment"]["checkoutUrl"])
        assert till.reservation(held["id"]).hold_expires_at == till.clock.now() + timedelta(minutes=35)
        till.later(minutes=33)
        third = pay_again(anna, held["id"])
        till.later(minutes=33)
        assert code(anna.http.post(f"/api/reservations/{held['id']}/payment")) == (409, "TOO_MANY_PAYMENT_PAGES")
        till.later(minutes=-33)
        till.faults()
        till.pay({"payment": third})
        assert till.reservation(held["id"]).confirmed_at is not None
        assert [one.status for one in till.payments(held["id"])] == ["EXPIRED", "EXPIRED", "PAID"]

    def test_the_end_of_an_older_page_does_not_take_the_seat(self, till: Till) -> None:
        anna = till.person()
        till.drop_webhooks()
        held = till.held(person=anna)
        first = till.sessions()[0]
        till.later(minutes=33)
        pay_again(anna, held["id"])
        assert till.post(till.event("checkout.session.expired", {**first, "status": "expired"})).status_code == 200
        assert till.reservation(held["id"]).canceled_at is None

    def test_it_is_refused_where_there_is_nothing_to_pay(self, till: Till) -> None:
        anna, ben = till.person(), till.person()
        held = till.held(person=anna)
        address = f"/api/reservations/{held['id']}/payment"
        assert code(ben.http.post(address)) == (404, "NOT_FOUND")
        till.pay(held)
        assert code(anna.http.post(address)) == (409, "ALREADY_PAID")
        free = anna.booked(till.hospital.slot(till.hospital.type("健診"), "2025-09-20"))
        assert code(anna.http.post(f"/api/reservations/{free}/payment")) == (409, "NOTHING_TO_PAY")
        other = till.held(till.slot("2025-10-20"), anna)
        anna.cancel(other["id"])
        assert code(anna.http.post(f"/api/reservations/{other['id']}/payment")) == (409, "CANCELED")
        last = till.held(till.slot("2025-10-21"), anna)
        till.drop_webhooks()
        till.later(minutes=36)
        assert code(anna.http.post(f"/api/reservations/{last['id']}/payment")) == (409, "HOLD_EXPIRED")

    @sqlite_only
    def test_pages_that_stripe_never_opened_do_not_count(self, till: Till) -> None:
        anna = till.person()
        held = till.held(person=anna)
        till.sql("UPDATE payments SET status = 'FAILED', session_id = NULL, checkout_url = NULL")
        for number in range(2, 6):
            assert pay_again(anna, held["id"])["checkoutUrl"] is not None
            till.sql(f"UPDATE payments SET status = 'FAILED', session_id = NULL WHERE sequence = {number}")
        assert len(till.payments(held["id"])) == 5

    @sqlite_only
    def test_it_is_limited_per_person(self, till: Till) -> None:
        anna = till.person()
        held = till.held(person=anna)
        answers = [anna.http.post(f"/api/reservations/{held['id']}/payment").status_code for _ in range(11)]
        assert answers == [200] * 10 + [429]


@sqlite_only
def test_ones_own_list_shows_how_far_the_payment_is(till: Till) -> None:
    anna = till.person()
    held = till.held(person=anna)

    def shown() -> tuple[object, ...]:
        [item] = anna.http.get("/api/reservations/me").json()["items"]
        payment = item["payment"]
        refund = payment["refund"] and payment["refund"]["status"]
        return payment["status"], payment["checkoutUrl"] is not None, item["confirmedAt"] is not None, refund

    assert shown() == ("OPEN", True, False, None)
    till.pay(held)
    assert shown() == ("PAID", False, True, None)
    anna.cancel(held["id"])
    assert shown() == ("PAID", False, True, "PENDING")
    till.work()
    assert shown() == ("PAID", False, True, "DONE")
