"""One chain per reservation, from the real rows."""

from datetime import timedelta

import pytest

from tests.booking.notices.screen import Screen
from tests.booking.reservations.hospital import DAY, code
from tests.factories.product import Box
from tests.product_fixtures import sqlite_only
from tsudoi.booking.payments.models import Payment, PaymentTask, StoredStripeEvent
from tsudoi.booking.reservations.models import Reservation
from tsudoi.core.clock import ManualClock


def kinds(screen: Screen, reservation_id: int) -> list[str]:
    return [item["kind"] for item in screen.timeline(reservation_id)]


def test_the_whole_chain(screen: Screen, box: Box, clock: ManualClock) -> None:
    """Booked, told, moved, told again by decision, reminded, came."""
    hospital, anna = screen.hospital, screen.somebody()
    type_id = hospital.type()
    reservation_id = anna.booked(hospital.slot(type_id))
    clock.advance(timedelta(minutes=1))
    box.breaks("quota_exhausted", "push", times=1)
    assert anna.move(reservation_id, hospital.slot(type_id, "2025-09-20", 600)).status_code == 200
    clock.advance(timedelta(minutes=1))
    assert screen.resend(screen.job(reservation_id, "CONFIRMATION", 1).job_id, "上限を増やした").status_code == 202
    clock.advance(timedelta(minutes=1))
    screen.cron()
    clock.advance(screen.job(reservation_id, "REMINDER", 1).scheduled_at - hospital.now)
    screen.cron()
    clock.advance(timedelta(hours=48))
    came = screen.office.put(f"/api/admin/reservations/{reservation_id}/attendance", json={"attendance": "came"})
    assert came.status_code == 200
    items = screen.timeline(reservation_id)
    assert [item["kind"] for item in items] == [
        *("booked", "planned", "told", "planned"),
        *("moved", "called_off", "planned", "failed", "planned"),
        *("resend", "told", "reminded", "came"),
    ]
    texts = {item["kind"]: item for item in items}
    assert texts["booked"]["text"] == "予約しました（2025/09/10 09:00）。"
    assert (texts["booked"]["actor"], texts["came"]["actor"]) == ("本人", "事務局（jimukyoku）")
    assert texts["moved"]["text"] == "日時を 2025/09/10 09:00 から 2025/09/20 10:00 に変更しました。"
    assert (texts["resend"]["detail"], "monthly limit" in texts["failed"]["detail"]) == ("上限を増やした", True)
    assert texts["reminded"]["at"] == "2025-09-18T10:00:00+09:00"
    assert [item["at"] for item in items] == sorted(item["at"] for item in items)


def test_without_line(screen: Screen) -> None:
    hospital, anna = screen.hospital, screen.somebody(linked=False)
    reservation_id = anna.booked(hospital.slot(hospital.type()))
    answer = screen.office.post(f"/api/admin/reservations/{reservation_id}/cancel", json={"reason": "本人から電話"})
    assert answer.status_code == 200
    items = screen.timeline(reservation_id)
    assert sorted({item["kind"] for item in items}) == ["booked", "canceled", "skipped"]
    [canceled] = [item for item in items if item["kind"] == "canceled"]
    assert (canceled["detail"], canceled["actor"]) == ("本人から電話", "事務局（jimukyoku）")
    assert all("連携していない" in item["detail"] for item in items if item["kind"] == "skipped")


def test_from_the_waiting_list(screen: Screen) -> None:
    hospital, slot = screen.hospital, screen.hospital.slot(screen.hospital.type())
    anna, ben = screen.somebody(linked=False), screen.somebody()
    seat = anna.booked(slot)
    ben.wait(slot)
    anna.cancel(seat)
    [promoted] = hospital.reservations(staff_uid=ben.uid)
    assert kinds(screen, promoted.id)[0] == "promoted"


@sqlite_only
def test_rows_that_were_written_by_hand(silent_screen: Screen) -> None:
    """Without an audit trail the row itself speaks."""
    hospital, anna = silent_screen.hospital, silent_screen.hospital.staff(line_user_id=None)
    slot_id = hospital.slot(hospital.type())
    day = {"service_date_local": DAY, "start_minute_of_day": 540, "duration_minutes": 15, "period_key": "FY2025"}
    who = {"staff_uid": anna, "staff_id": "1", "reservation_type_id": 1, "slot_id": slot_id}
    times = {"created_at": hospital.now, "updated_at": hospital.now, "canceled_at": hospital.now}
    noted = {"attendance": "absent", "attendance_at": hospital.now, "cancel_reason": "体調不良"}
    reservation_id = hospital.insert(Reservation, **who, **day, **times, **noted)
    assert kinds(silent_screen, reservation_id) == ["booked", "canceled", "absent"]
    assert code(silent_screen.office.get("/api/admin/reservations/999999/timeline")) == (404, "NOT_FOUND")


def test_payments(silent_screen: Screen, clock: ManualClock) -> None:
    """Held, paid late, refunded: from the tables of the payments."""
    hospital, anna = silent_screen.hospital, silent_screen.somebody(linked=False)
    reservation_id = anna.booked(hospital.slot(hospital.type()))
    began = hospital.now
    clock.advance(timedelta(hours=1))
    now = hospital.now
    ended = {"canceled_at": now, "canceled_by": "system", "cancel_reason": "HOLD_EXPIRED", "confirmed_at": None}
    hold = {"hold_expires_at": began + timedelta(minutes=35), "price_jpy": 3500}
    hospital.change(Reservation, reservation_id, **ended, **hold)
    made = {"created_at": began, "updated_at": now, "idempotency_key": "p", "request_body": ""}
    paid = {"amount_jpy": 3500, "status": "PAID", "paid_at": now, "session_expires_at": began}
    payment_id = hospital.insert(Payment, reservation_id=reservation_id, **made, **paid)
    task = {"kind": "REFUND", "amount_jpy": 3500, "reason": "満席のため", "requested_by": "system", "status": "DONE"}
    due = {"due_at": now, "created_at": now, "updated_at": now + timedelta(minutes=1), "idempotency_key": "t"}
    hospital.insert(PaymentTask, payment_id=payment_id, **task, **due)
    events = [("evt_1", "charge.refunded", "APPLIED"), ("evt_2", "checkout.session.completed", "MISMATCH")]
    for event_id, kind, outcome in events:
        known = {"event_id": event_id, "type": kind, "outcome": outcome, "reservation_id": reservation_id}
        hospital.insert(StoredStripeEvent, received_at=now + timedelta(minutes=2), **known)
    shown = [kind for kind in kinds(silent_screen, reservation_id) if kind not in ("skipped", "planned")]
    assert shown == [
        "booked",
        "held",
        "payment_started",
        "paid",
        "hold_expired",
        "refund_requested",
        "refunded",
        "refund_confirmed",
        "payment_mismatch",
    ]


@pytest.mark.parametrize("who", ["nobody", "staff"])
@sqlite_only
def test_only_the_office(silent_screen: Screen, who: str) -> None:
    anna = silent_screen.somebody()
    reservation_id = anna.booked(silent_screen.hospital.slot(silent_screen.hospital.type()))
    http = anna.http if who == "staff" else silent_screen.product.http
    for path in (f"/api/admin/reservations/{reservation_id}/timeline", "/api/admin/notifications"):
        assert http.get(path).status_code == 401
