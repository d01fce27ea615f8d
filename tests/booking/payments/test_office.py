"""The office's list of payments: filters, files, refunds under way, and money that does not fit."""

import httpx2
import pytest

from tests.booking.payments.till import PRICE, Till, session_object
from tests.booking.reservations.hospital import code
from tests.product_fixtures import sqlite_only

ALL = "/api/admin/payments"


def ids(http: httpx2.Client, **filters: object) -> list[int]:
    answer = http.get(ALL, params=filters)  # type: ignore[arg-type]
    assert answer.status_code == 200, answer.text
    return [item["reservationId"] for item in answer.json()["items"]]


class TestList:
    def test_every_payment_with_its_person_and_its_state(self, till: Till) -> None:
        anna = till.person()
        held = till.held(person=anna)
        till.pay(held)
        anna.cancel(held["id"])
        till.work()
        [item] = till.office.get(ALL).json()["items"]
        [payment] = till.payments(held["id"])
        [task] = till.tasks("REFUND")
        assert item == {
            "id": payment.id,
            "reservationId": held["id"],
            "reservationState": "canceled",
            "reservationTypeName": "人間ドック オプション",
            "serviceDateLocal": "2025-09-10",
            "startMinuteOfDay": 540,
            "staffUid": anna.uid,
            "staffId": anna.uid.removeprefix("uid-"),
            "fullName": f"山田太郎{anna.uid.removeprefix('uid-')}",
            "sequence": 1,
            "amountJpy": PRICE,
            "status": "PAID",
            "expiresAt": "2025-08-16T12:31:00+09:00",
            "paidAt": "2025-08-16T12:00:00+09:00",
            "createdAt": "2025-08-16T12:00:00+09:00",
            "sessionId": payment.session_id,
            "paymentIntentId": payment.payment_intent_id,
            "lastError": None,
            "refund": {
                "status": "DONE",
                "amountJpy": PRICE,
                "reason": "予約の取り消し",
                "requestedBy": f"staff:{anna.uid}",
                "refundId": task.refund_id,
                "stripeStatus": "succeeded",
                "lastError": None,
                "createdAt": "2025-08-16T12:00:00+09:00",
                "updatedAt": "2025-08-16T12:00:00+09:00",
            },
            "refundable": False,
        }

    def test_filters_and_pages(self, till: Till) -> None:
        slot_id = till.slot(capacity=5)
        open_one, paid, refunded = (till.held(slot_id) for _ in range(3))
        till.pay(paid)
        till.pay(refunded)
        till.office.post(f"{ALL}/{till.payments(refunded['id'])[0].id}/refund", json={"reason": "返金"})
        office = till.office
        everything = [refunded["id"], paid["id"], open_one["id"]]
        assert ids(office) == everything
        assert ids(office, status="OPEN") == [open_one["id"]]
        assert ids(office, status="PAID") == [refunded["id"], paid["id"]]
        assert ids(office, refund="PENDING") == [refunded["id"]]
        assert ids(office, refund="DONE") == ids(office, refund="FAILED") == ids(office, status="FAILED") == []
        till.work()
        assert ids(office, refund="DONE") == [refunded["id"]]
        assert ids(office, reservationId=paid["id"]) == [paid["id"]]
        assert ids(office, q=paid["staffId"]) == [paid["id"]]
        assert ids(office, **{"from": "2025-08-16", "to": "2025-08-16"}) == everything
        assert ids(office, to="2025-08-15") == ids(office, **{"from": "2025-08-17"}) == []
        first = office.get(ALL, params={"limit": 2}).json()
        second = office.get(ALL, params={"limit": 2, "cursor": first["nextCursor"]}).json()
        found = [item["reservationId"] for page in (first, second) for item in page["items"]]
        assert (found, second["nextCursor"]) == (everything, None)
        assert office.get(ALL).json()["totals"] == {
            "waiting": 1,
            "refundsPending": 0,
            "refundsFailed": 0,
            "mismatches": 0,
        }
        for wrong in ({"status": "x"}, {"refund": "x"}, {"from": "yesterday"}, {"cursor": "%"}, {"limit": 0}):
            assert office.get(ALL, params=wrong).status_code == 400, wrong

    @sqlite_only
    def test_as_a_file_with_an_audit_row(self, till: Till) -> None:
        anna = till.person()
        held = till.held(person=anna)
        till.pay(held)
        answer = till.office.get(f"{ALL}/export", params={"q": "山田", "status": "PAID"})
        [head, row] = answer.content.decode("utf-8-sig").splitlines()
        assert head.split(",")[:4] == ["支払い番号", "予約番号", "職員番号", "氏名"]
        assert row.split(",")[1:4] == [str(held["id"]), anna.uid.removeprefix("uid-"), f"山田太郎{anna.uid[4:]}"]
        assert {"3000", "支払い済み"} < set(row.split(","))
        workbook = till.office.get(f"{ALL}/export", params={"format": "xlsx"})
        assert workbook.content.startswith(b"PK")
        assert len(till.hospital.audit("PAYMENT_EXPORT")) == 2
        assert "山田" not in str(till.hospital.audit("PAYMENT_EXPORT")[0].new)


class TestMismatch:
    def test_it_stays_until_somebody_has_taken_care_of_it(self, till: Till) -> None:
        held = till.held()
        event = till.event("checkout.session.completed", session_object(held["id"], amount_total=2000))
        till.post(event)
        [shown] = till.office.get(ALL).json()["mismatches"]
        assert (shown["eventId"], shown["amount"], shown["reservationId"]) == (event["id"], 2000, held["id"])
        assert shown["detail"] == "Stripe 2000 jpy, ours 3000 jpy"
        address = f"/api/admin/stripe-events/{event['id']}/resolve"
        assert till.office.post(address, json={"note": " "}).status_code == 400
        for _ in range(2):
            done = till.office.post(address, json={"note": "Stripe で返金しました"}).json()
            assert (done["resolvedBy"], done["resolvedNote"]) == ("admin:jimukyoku", "Stripe で返金しました")
        listed = till.office.get(ALL).json()
        assert (listed["mismatches"], listed["totals"]["mismatches"]) == ([], 0)
        [audited] = till.hospital.audit("STRIPE_RESOLVE")
        assert (audited.subject, audited.reason) == (f"reservation:{held['id']}", "Stripe で返金しました")

    @sqlite_only
    @pytest.mark.parametrize("event_id", ["evt_nobody", "evt_applied"])
    def test_only_a_mismatch_can_be_closed(self, till: Till, event_id: str) -> None:
        till.post(till.event("customer.created", {"object": "customer"}, id="evt_applied"))
        refused = till.office.post(f"/api/admin/stripe-events/{event_id}/resolve", json={"note": "見ました"})
        assert code(refused) == (404, "NOT_FOUND")
