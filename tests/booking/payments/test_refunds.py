"""Money goes back by the rule of the type or by the office's decision: once, whatever becomes of the calls."""

from datetime import datetime, timedelta

import httpx2
import pytest

from tests.booking.payments.till import ACCEPTED_AND_SILENT, PRICE, Json, Till
from tests.booking.reservations.hospital import Person, code
from tests.factories.product import Product
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.servers import eventually
from tsudoi.booking.payments.models import PaymentTask

REFUND, EXPIRE = "stripe_refund", "stripe_expire"
DROPPED = {"kind": "webhook_dropped", "endpoint": "stripe_webhook"}


def paid(till: Till, slot_id: int | None = None, person: Person | None = None) -> tuple[Json, Person]:
    anna = person or till.person()
    held = till.held(slot_id or till.slot(), anna)
    till.pay(held)
    return held, anna


class TestByRule:
    def test_a_cancellation_pays_back_and_tells_at_once(self, till: Till) -> None:
        """H33: the notice does not wait for the refund."""
        held, anna = paid(till)
        assert anna.cancel(held["id"]).status_code == 204
        assert till.refunds() == []
        assert till.notices(held["id"])["CANCEL_COMPLETED"] == "SENT"
        assert "返金" in till.told(held["id"])[-1]
        [task] = till.tasks("REFUND")
        assert (task.status, task.amount_jpy, task.requested_by) == ("PENDING", PRICE, f"staff:{anna.uid}")
        till.work()
        assert [(one["amount"], one["status"]) for one in till.refunds()] == [(PRICE, "succeeded")]
        [task] = till.tasks("REFUND")
        assert (task.status, task.refund_id, task.refund_status) == ("DONE", till.refunds()[0]["id"], "succeeded")
        eventually(lambda: till.events(type="charge.refunded"))

    @pytest.mark.parametrize(("hours", "refunds"), [(None, 1), (0, 1), (24, 1), (48, 0)])
    def test_only_until_the_hours_of_the_type(self, till: Till, hours: int | None, refunds: int) -> None:
        """The slot begins 25 hours from now."""
        slot_id = till.slot("2025-08-17", start=13 * 60, refund_until_hours=hours)
        held, anna = paid(till, slot_id)
        [own] = anna.http.get("/api/reservations/me").json()["items"]
        until = own["refundUntil"] and datetime.fromisoformat(own["refundUntil"])
        assert until == (None if hours is None else till.clock.now() + timedelta(hours=25 - hours))
        anna.cancel(held["id"])
        till.work()
        assert len(till.refunds()) == refunds
        assert till.notices(held["id"])["CANCEL_COMPLETED"] == "SENT"

    def test_the_office_and_who_leaves_are_paid_back_by_the_same_rule(self, till: Till, office: httpx2.Client) -> None:
        first, _ = paid(till)
        _, ben = paid(till)
        assert office.post(f"/api/admin/reservations/{first['id']}/cancel", json={"reason": "休診"}).status_code == 200
        left = {"version": 1, "reason": "退職", "status": "left"}
        assert office.patch(f"/api/admin/staffs/{ben.uid}", json=left).status_code == 200
        till.work()
        assert len(till.refunds()) == 2
        assert {task.requested_by for task in till.tasks("REFUND")} == {"admin:jimukyoku"}

    def test_cancelling_ten_times_pays_back_once(self, till: Till) -> None:
        held, anna = paid(till)
        for _ in range(10):
            assert anna.cancel(held["id"]).status_code == 204
        till.work()
        assert len(till.tasks("REFUND")) == len(till.refunds()) == 1


class TestOnce:
    @pytest.mark.parametrize("fault", [ACCEPTED_AND_SILENT, "timeout_before_accept", "drop_connection", "conflict"])
    def test_silence_is_asked_again_with_the_same_key(self, till: Till, fault: str) -> None:
        held, anna = paid(till)
        anna.cancel(held["id"])
        till.faults({"kind": fault, "endpoint": REFUND, "times": 2, "seconds": 3}, DROPPED)
        till.work()
        [task] = till.tasks("REFUND")
        key = task.idempotency_key
        assert (task.status, task.refund_id) == ("PENDING", None)
        till.later(seconds=30)
        till.work()
        till.later(seconds=30)
        till.work()
        [task] = till.tasks("REFUND")
        assert (task.status, task.idempotency_key) == ("DONE", key)
        assert len(till.refunds()) == 1

    def test_stripes_own_word_ends_the_doubt(self, till: Till) -> None:
        held, anna = paid(till)
        anna.cancel(held["id"])
        till.box.breaks(ACCEPTED_AND_SILENT, REFUND, seconds=3)
        till.work()
        [task] = eventually(lambda: [one for one in till.tasks("REFUND") if one.status == "DONE"])
        assert (task.refund_id, task.refund_status) == (till.refunds()[0]["id"], "succeeded")

    @pytest.mark.parametrize("fault", ["error_500_before", "error_500_after", "rate_limited"])
    @sqlite_only
    def test_an_error_that_stripe_repeats_for_the_key_is_followed_by_another_key(self, till: Till, fault: str) -> None:
        held, anna = paid(till)
        anna.cancel(held["id"])
        till.box.breaks(fault, REFUND, times=1)
        for _ in range(4):
            till.work()
            till.later(minutes=1)
        [task] = till.tasks("REFUND")
        assert (task.status, task.refund_status) == ("DONE", "succeeded")
        assert len(till.refunds()) == 1

    def test_a_worker_that_died_after_the_call_leaves_one_refund(self, till: Till) -> None:
        held, anna = paid(till)
        anna.cancel(held["id"])
        till.work()
        # As if the outcome had never been written.
        till.sql(
            "UPDATE payment_tasks SET status = 'PENDING', refund_id = NULL, refund_status = NULL,"
            " lease_token = 'of the dead', lease_until = created_at"
        )
        till.work()
        [task] = till.tasks("REFUND")
        assert (task.status, task.refund_id) == ("DONE", till.refunds()[0]["id"])
        assert len(till.refunds()) == 1

    @sqlite_only
    def test_after_a_day_of_silence_a_person_decides(self, till: Till) -> None:
        held, anna = paid(till)
        anna.cancel(held["id"])
        till.faults({"kind": ACCEPTED_AND_SILENT, "endpoint": REFUND, "seconds": 3}, DROPPED)
        till.work()
        till.drop_webhooks()
        till.later(hours=24)
        till.work()
        [task] = till.tasks("REFUND")
        assert task.status == "UNKNOWN"
        [payment] = till.payments(held["id"])
        listed = till.office.get("/api/admin/payments", params={"refund": "FAILED"}).json()["items"]
        assert [(item["id"], item["refundable"]) for item in listed] == [(payment.id, True)]
        again = till.office.post(f"/api/admin/payments/{payment.id}/refund", json={"reason": "確認して再度"})
        assert again.status_code == 202
        till.work()
        assert till.tasks("REFUND")[0].status == "DONE"
        assert len(till.refunds()) == 1


class TestWrongKey:
    @sqlite_only
    def test_tasks_wait_for_the_right_settings(self, till: Till, make_product: ProductMaker) -> None:
        held, anna = paid(till)
        anna.cancel(held["id"])
        for settings in ({"stripe_secret_key": "sk_test_of_somebody_else_0000"}, {"stripe_secret_key": None}):
            make_product(**settings).drain()
            assert till.tasks("REFUND")[0].status == "PENDING"
            till.sql("UPDATE payment_tasks SET due_at = created_at")
        till.work()
        assert (till.tasks("REFUND")[0].status, len(till.refunds())) == ("DONE", 1)


class TestOffice:
    def test_the_office_pays_back_what_the_rule_would_not(self, till: Till, office: httpx2.Client) -> None:
        held, anna = paid(till, till.slot("2025-08-17", refund_until_hours=72))
        anna.cancel(held["id"])
        assert till.tasks("REFUND") == []
        [payment] = till.payments(held["id"])
        address = f"/api/admin/payments/{payment.id}/refund"
        assert office.post(address, json={}).status_code == 400
        made = office.post(address, json={"reason": "会場の都合"})
        assert (made.status_code, made.json()["refund"]["status"]) == (202, "PENDING")
        assert code(office.post(address, json={"reason": "もう一度"})) == (409, "ALREADY_REFUNDED")
        till.work()
        assert len(till.refunds()) == 1
        assert code(office.post(address, json={"reason": "もう一度"})) == (409, "ALREADY_REFUNDED")
        [audited] = till.hospital.audit("PAYMENT_REFUND")
        assert (audited.actor, audited.reason) == ("admin:jimukyoku", "会場の都合")
        assert audited.subject == f"reservation:{held['id']}"

    @sqlite_only
    def test_what_was_never_paid_is_not_paid_back(self, till: Till, office: httpx2.Client) -> None:
        held = till.held()
        [payment] = till.payments(held["id"])
        refused = office.post(f"/api/admin/payments/{payment.id}/refund", json={"reason": "間違い"})
        assert code(refused) == (409, "NOT_PAID")
        assert code(office.post("/api/admin/payments/999/refund", json={"reason": "x"})) == (404, "NOT_FOUND")

    def test_a_refund_that_failed_at_the_bank_can_be_asked_for_again(self, till: Till, office: httpx2.Client) -> None:
        held, anna = paid(till)
        anna.cancel(held["id"])
        till.work()
        till.control("POST", f"refunds/{till.refunds()[0]['id']}", {"status": "failed"})
        [own] = anna.http.get("/api/reservations/me").json()["items"]
        assert own["payment"]["refund"]["status"] == "FAILED"
        totals = office.get("/api/admin/payments").json()["totals"]
        assert (totals["refundsFailed"], totals["refundsPending"]) == (1, 0)
        [payment] = till.payments(held["id"])
        assert office.post(f"/api/admin/payments/{payment.id}/refund", json={"reason": "再度"}).status_code == 202
        till.work()
        assert [one["status"] for one in till.refunds()] == ["failed", "succeeded"]
        assert till.tasks("REFUND")[0].refund_status == "succeeded"

    def test_a_refund_in_stripes_own_dashboard_is_seen(self, till: Till, product: Product) -> None:
        held, anna = paid(till)
        [payment] = till.payments(held["id"])
        charge = {
            "id": "ch_1",
            "object": "charge",
            "amount": PRICE,
            "amount_refunded": PRICE,
            "currency": "jpy",
            "payment_intent": payment.payment_intent_id,
        }
        assert till.post(till.event("charge.refunded", charge)).status_code == 200
        [task] = till.tasks("REFUND")
        assert (task.status, task.requested_by) == ("DONE", "stripe")
        anna.cancel(held["id"])
        till.work()
        assert till.refunds() == []
        assert len(product.rows(PaymentTask)) == 1


class TestClosing:
    def test_expiry_that_loses_the_race_ends_in_a_refund(self, till: Till) -> None:
        """The person pays in the moment in which the product closes the page of a cancelled reservation."""
        anna = till.person()
        held = till.held(person=anna)
        anna.cancel(held["id"])
        till.faults({"kind": "expire_loses_race", "endpoint": EXPIRE}, DROPPED)
        till.work()
        till.faults()
        assert [one.status for one in till.payments(held["id"])] == ["PAID"]
        till.work()
        assert [one["amount"] for one in till.refunds()] == [PRICE]
        # The worker never sends notices; the command does.
        assert till.notices(held["id"]) == {"CANCEL_COMPLETED": "PENDING"}

    def test_a_page_that_is_being_opened_is_closed_as_soon_as_it_is_known(self, till: Till) -> None:
        anna, slot_id = till.person(), till.slot()
        till.box.breaks(ACCEPTED_AND_SILENT, "stripe_create", times=1, seconds=3)
        held = till.held(slot_id, anna, **{"idempotency-key": "k"})
        anna.cancel(held["id"])
        till.work()
        assert till.tasks("EXPIRE")[0].status == "PENDING"
        anna.book(slot_id, **{"idempotency-key": "k"})
        till.work()
        assert till.tasks("EXPIRE")[0].status == "DONE"
        assert [one["status"] for one in till.sessions()] == ["expired"]

    @sqlite_only
    def test_a_page_that_was_never_opened_is_over_with_its_time(self, till: Till) -> None:
        anna = till.person()
        till.box.breaks("timeout_before_accept", "stripe_create", seconds=3)
        held = till.held(person=anna)
        anna.cancel(held["id"])
        till.later(minutes=32)
        till.work()
        assert till.tasks("EXPIRE")[0].status == "DONE"
        assert [one.status for one in till.payments(held["id"])] == ["EXPIRED"]
        assert till.box.calls("/expire") == []
