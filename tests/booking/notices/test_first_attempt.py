"""The attempt right after a booking or a cancellation: once, inside the request, and never more than that."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert

from tests.booking.notices.screen import Screen
from tests.booking.reservations.hospital import Hospital
from tests.factories.product import Box
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.servers import nobody_there
from tsudoi.booking.staffs.models import StaffAccount
from tsudoi.core.db.interface import Tx
from tsudoi.gateway.models import ApiCallLog
from tsudoi.notifications.notices.models import NotificationJob

# LINE has no such user, and answers 400.
NOBODY = "U" + "0" * 32
FAULTS: dict[str, tuple[str, str | None]] = {
    "error_500_before": ("FAILED", "HTTP 500"),
    "rate_limited": ("FAILED", "HTTP 429"),
    "quota_exhausted": ("FAILED", "monthly limit"),
    "timeout_before_accept": ("PENDING", None),
    "drop_connection": ("PENDING", None),
}


@pytest.mark.row("2.12.12", "2.12.7", "2.12.6", "2.5.2", "2.1.6")
def test_a_free_booking_is_told_at_once(screen: Screen) -> None:
    hospital, anna = screen.hospital, screen.somebody()
    reservation_id = anna.booked(hospital.slot(hospital.type()))
    confirmation, reminder = screen.jobs(reservation_id)
    assert (confirmation.status, confirmation.attempt_count, confirmation.last_error) == ("SENT", 0, None)
    assert (reminder.status, reminder.first_attempt_at) == ("PENDING", None)
    assert len(screen.texts(anna)) == 1
    cell = screen.cell(reservation_id, "CONFIRMATION")
    assert (cell["status"], cell["sent_at"]) == ("SENT", "2025/08/16 12:00")
    [attempt] = screen.attempts(confirmation.job_id)
    assert (attempt.caller, attempt.outcome) == ("initial", "SENT")


@pytest.mark.row("2.1.1", "2.1.5", "2.12.5", "2.12.7", "2.11.4")
@pytest.mark.parametrize("fault", [None, *FAULTS])
@sqlite_only
def test_the_reply_is_the_same_whatever_line_answers(screen: Screen, box: Box, fault: str | None) -> None:
    hospital, anna = screen.hospital, screen.somebody(number=4711)
    slot_id = hospital.slot(hospital.type())
    if fault is not None:
        box.breaks(fault, "push", seconds=0.2)
    booked = anna.book(slot_id)
    assert booked.status_code == 201
    body = {name: value for name, value in booked.json().items() if name not in ("id", "slotId", "reservationTypeId")}
    assert body == {**body, **_AS_EVER}
    job = screen.job(booked.json()["id"], "CONFIRMATION")
    status, error = FAULTS[fault] if fault else ("SENT", None)
    assert job.status == status
    assert (error or "") in (job.last_error or "")
    assert job.attempt_count == (status == "FAILED")
    assert screen.office.get("/api/admin/notifications").status_code == 200


_AS_EVER: dict[str, Any] = {
    "staffUid": "uid-4711",
    "serviceDateLocal": "2025-09-10",
    "startMinuteOfDay": 540,
    "canceledAt": None,
    "createdAt": "2025-08-16T12:00:00+09:00",
    "payment": None,
}


@pytest.mark.row("2.1.1", "2.8.7")
def test_line_is_away(make_product: ProductMaker, hospital: Hospital, box: Box) -> None:
    screen = Screen(make_product(line_api_base=nobody_there()), hospital, box)
    anna = screen.somebody()
    reservation_id = anna.booked(hospital.slot(hospital.type()))
    job = screen.job(reservation_id, "CONFIRMATION")
    assert (job.status, job.attempt_count, job.maybe_sent) == ("PENDING", 0, 0)
    cell = screen.cell(reservation_id, "CONFIRMATION")
    assert (cell["status"], cell["sent_at"]) == ("PENDING", None)
    screen.close()


@pytest.mark.row("2.1.3")
def test_the_job_is_on_disk_before_the_call(screen: Screen, box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """While LINE holds its answer, another connection reads the row."""
    hospital, anna = screen.hospital, screen.somebody()
    slot_id, seen = hospital.slot(hospital.type()), list[tuple[str, int]]()
    push = type(screen.product.line).push

    def watched(client: Any, *args: Any, **options: Any) -> Any:
        seen.extend((row.status, row.maybe_sent) for row in hospital.rows(NotificationJob, kind="CONFIRMATION"))
        return push(client, *args, **options)

    monkeypatch.setattr(type(screen.product.line), "push", watched)
    anna.booked(slot_id)
    assert seen == [("PENDING", 1)]


@pytest.mark.row("2.12.4")
def test_it_is_the_function_of_the_command(screen: Screen, box: Box) -> None:
    """The same key, the same operation in the log of calls, the same outcome."""
    hospital, anna = screen.hospital, screen.somebody()
    slots = [hospital.slot(hospital.type(f"種類{number}")) for number in range(2)]
    box.breaks("timeout_after_accept", "push", seconds=0.2, times=1)
    reservation_id = anna.booked(slots[0])
    key = screen.job(reservation_id, "CONFIRMATION").retry_key
    assert screen.cron().sent == 1
    job = screen.job(reservation_id, "CONFIRMATION")
    assert (job.status, job.retry_key, job.attempt_count) == ("SENT", key, 0)
    assert screen.keys() == [key]
    operations = {row.operation for row in hospital.rows(ApiCallLog)}
    assert len(operations) == 1
    assert [one.caller for one in screen.attempts(job.job_id)] == ["initial", "command"]


@pytest.mark.row("2.12.5", "2.5.3", "2.5.9", "2.10.4")
def test_once_only(screen: Screen) -> None:
    hospital, anna = screen.hospital, screen.somebody(linked=False, line_user_id=NOBODY)
    reservation_id = anna.booked(hospital.slot(hospital.type()))
    before = screen.job(reservation_id, "CONFIRMATION")
    assert (before.status, before.attempt_count) == ("FAILED", 1)
    assert "HTTP 400" in before.last_error
    assert [screen.cron().candidates for _ in range(3)] == [0, 0, 0]
    assert screen.job(reservation_id, "CONFIRMATION") == before
    screen.product.drain()
    after = screen.job(reservation_id, "CONFIRMATION")
    assert (after.status, after.attempt_count, after.updated_at) == ("FAILED", 1, before.updated_at)
    assert len(screen.pushes()) == 1


@pytest.mark.row("2.5.10", "2.10.4")
def test_a_new_link_sends_nothing_that_failed(screen: Screen, box: Box) -> None:
    hospital, anna = screen.hospital, screen.somebody()
    box.breaks("quota_exhausted", "push", times=1)
    reservation_id = anna.booked(hospital.slot(hospital.type()))
    before, user_id = screen.jobs(reservation_id), screen.line_user(anna)
    screen.unlink(anna)
    assert screen.link(anna, user_id).status_code == 200
    screen.cron()
    assert (screen.jobs(reservation_id), len(screen.pushes())) == (before, 1)


@pytest.mark.row("2.12.13")
def test_only_the_new_jobs_and_no_backlog(screen: Screen) -> None:
    hospital, anna, ben = screen.hospital, screen.somebody(), screen.somebody(linked=False)
    slot_id = hospital.slot(hospital.type(), capacity=2)
    hospital.db.write_now(_backlog, ben.booked(slot_id))
    hospital.change(StaffAccount, ben.uid, line_user_id=screen.box.friend())
    reservation_id = anna.booked(slot_id)
    assert screen.keys() == [screen.job(reservation_id, "CONFIRMATION").retry_key]
    assert len(hospital.rows(NotificationJob, status="PENDING")) == 501


def _backlog(tx: Tx, reservation_id: int) -> None:
    """500 due reminders of somebody else. Only by hand can one reservation have so many."""
    due = tx.now - timedelta(hours=1)
    job = {"reservation_id": reservation_id, "kind": "REMINDER"}
    times = {"scheduled_at": due, "created_at": due, "updated_at": due}
    tx.execute(insert(NotificationJob), [{**job, **times, "revision": -number} for number in range(1, 501)])


@pytest.mark.row("2.13.1", "2.13.2", "2.13.3", "2.13.4")
def test_a_cancellation_is_told_once_and_at_once(screen: Screen, box: Box) -> None:
    hospital, anna, ben = screen.hospital, screen.somebody(), screen.somebody()
    type_id = hospital.type()
    first, second = (anna.booked(hospital.slot(type_id)), ben.booked(hospital.slot(type_id)))
    assert anna.cancel(first).status_code == 204
    told = screen.job(first, "CANCEL_COMPLETED")
    assert (told.status, told.attempt_count) == ("SENT", 0)
    box.breaks("quota_exhausted", "push")
    assert ben.cancel(second).status_code == 204
    failed = screen.job(second, "CANCEL_COMPLETED")
    assert (failed.status, failed.attempt_count) == ("FAILED", 1)
    assert "monthly limit" in failed.last_error
    box.mends()
    calls = len(screen.pushes())
    screen.cron()
    refused = screen.resend(failed.job_id)
    assert (refused.status_code, refused.json()["code"]) == (409, "CANCEL_NOTICE_IS_FINAL")
    cell = screen.cell(second, "CANCEL_COMPLETED")
    assert (cell["resendable"], "再送しません" in cell["message"]) == (False, True)
    assert (screen.job(second, "CANCEL_COMPLETED"), len(screen.pushes())) == (failed, calls)


@pytest.mark.row("2.1.4", "2.9.6", "2.10.1")
def test_a_dry_run_sends_nothing(silent_screen: Screen) -> None:
    """Booking, moving, cancelling and resending: no call at all."""
    screen, hospital = silent_screen, silent_screen.hospital
    anna, type_id = screen.somebody(), hospital.type()
    reservation_id = anna.booked(hospital.slot(type_id))
    anna.move(reservation_id, hospital.slot(type_id, "2025-10-01"))
    job = screen.job(reservation_id, "CONFIRMATION", revision=1)
    hospital.change(NotificationJob, job.job_id, status="FAILED", attempt_count=1, last_error="HTTP 400")
    assert screen.resend(job.job_id).status_code == 202
    anna.cancel(reservation_id)
    assert {row.attempt_count for row in screen.jobs(reservation_id) if row.job_id != job.job_id} == {0}
    assert hospital.rows(ApiCallLog) == []
    assert screen.box.http.get("/_sandbox/calls").json()["calls"] == []
