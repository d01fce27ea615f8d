"""Notices are written in the transaction of the reservation, for the right kinds and times."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from tests.booking.notices.screen import Screen
from tests.booking.reservations.hospital import DAY, code
from tests.product_fixtures import sqlite_only
from tsudoi.booking.reservations.models import Reservation
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database
from tsudoi.notifications.notices.models import NotificationJob

LONG_AGO = datetime(2025, 8, 1, tzinfo=UTC)
REASON = {"reason": "電話での依頼"}


def in_japan(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}+09:00")


@pytest.mark.row("2.6.1", "2.6.2", "2.6.3", "2.6.4", "2.4.9", "2.3.7", "2.3.8", "2.5.1")
def test_a_booking_makes_a_confirmation_now_and_a_reminder_two_days_before(silent_screen: Screen, db: Database) -> None:
    anna = silent_screen.somebody()
    slot_id = silent_screen.hospital.slot(silent_screen.hospital.type(), "2025-12-10", 8 * 60)
    reservation_id = anna.booked(slot_id)
    confirmation, reminder = silent_screen.jobs(reservation_id)
    assert (confirmation.kind, confirmation.scheduled_at) == ("CONFIRMATION", db.clock.now())
    assert (reminder.kind, reminder.scheduled_at) == ("REMINDER", in_japan("2025-12-08T08:00:00"))
    stored = db.read_now(
        lambda tx: tx.scalar(text("SELECT scheduled_at FROM notification_jobs WHERE kind = 'REMINDER'"))
    )
    assert stored == "2025-12-07T23:00:00.000000+00:00"
    for job in (confirmation, reminder):
        assert (job.status, job.attempt_count, job.last_error, job.revision) == ("PENDING", 0, None, 0)
    assert silent_screen.skips(reservation_id) == []
    [row] = silent_screen.hospital.reservations(id=reservation_id)
    assert row.confirmed_at == row.created_at <= confirmation.created_at
    assert silent_screen.pushes() == []


@pytest.mark.row("2.6.6")
@pytest.mark.parametrize(("minutes", "made"), [(3, True), (1, True), (0, False), (-1, False), (-3, False)])
@sqlite_only
def test_a_reminder_only_while_its_time_is_ahead(silent_screen: Screen, minutes: int, made: bool) -> None:
    """Today it is 12:00; exactly 48 hours before is too late, because both notices would come in the same second."""
    hospital = silent_screen.hospital
    slot_id = hospital.slot(hospital.type(), "2025-08-18", 12 * 60 + minutes)
    reservation_id = silent_screen.somebody().booked(slot_id)
    kinds = [job.kind for job in silent_screen.jobs(reservation_id)]
    assert kinds == (["CONFIRMATION", "REMINDER"] if made else ["CONFIRMATION"])
    shown = silent_screen.cells(reservation_id)[1]
    assert shown == ("PENDING" if made else "DASH LESS_THAN_48H")


@pytest.mark.row("2.6.8", "2.6.9")
def test_who_has_no_link_gets_no_job_and_a_reason(screen: Screen) -> None:
    hospital, anna = screen.hospital, screen.somebody(linked=False)
    reservation_id = anna.booked(hospital.slot(hospital.type()))
    assert screen.jobs(reservation_id) == []
    assert screen.cells(reservation_id) == ["DASH NO_LINE_LINK", "DASH NO_LINE_LINK", "DASH NOT_CANCELLED"]
    anna.cancel(reservation_id)
    assert screen.jobs(reservation_id) == []
    assert screen.cells(reservation_id) == ["DASH NO_LINE_LINK", "DASH CANCELLED", "DASH NO_LINE_LINK"]
    assert screen.pushes() == []


@pytest.mark.row("2.6.9", "2.6.10", "2.6.11", "2.6.13")
def test_a_cancellation_tells_it_and_ends_what_was_open(silent_screen: Screen, db: Database) -> None:
    hospital, anna = silent_screen.hospital, silent_screen.somebody()
    reservation_id = anna.booked(hospital.slot(hospital.type()))
    for _ in range(2):
        assert anna.cancel(reservation_id).status_code == 204
    confirmation, reminder, canceled = silent_screen.jobs(reservation_id)
    assert [(job.status, job.dash_reason) for job in (confirmation, reminder)] == [("DASH", "CANCELLED")] * 2
    assert (canceled.kind, canceled.status, canceled.scheduled_at) == ("CANCEL_COMPLETED", "PENDING", db.clock.now())
    assert silent_screen.cells(reservation_id) == ["DASH CANCELLED", "DASH CANCELLED", "PENDING"]


@pytest.mark.row("2.6.11")
def test_a_reminder_dies_with_its_appointment(screen: Screen, clock: ManualClock) -> None:
    hospital, anna = screen.hospital, screen.somebody()
    reservation_id = anna.booked(hospital.slot(hospital.type()))
    anna.cancel(reservation_id)
    hospital.sql(
        "UPDATE notification_jobs SET scheduled_at = '2025-08-01T00:00:00.000000+00:00' WHERE kind = 'REMINDER'"
    )
    screen.cron()
    sent = [job.retry_key for job in screen.jobs(reservation_id) if job.kind != "REMINDER"]
    assert (screen.keys(), len(screen.pushes())) == (sent, 2)


@pytest.mark.row("2.6.14", "2.5.10")
def test_a_move_begins_a_new_revision(silent_screen: Screen) -> None:
    hospital, anna = silent_screen.hospital, silent_screen.somebody()
    type_id = hospital.type()
    old, new = hospital.slot(type_id), hospital.slot(type_id, "2025-10-01", 600)
    reservation_id = anna.booked(old)
    assert anna.move(reservation_id, new).status_code == 200
    jobs = silent_screen.jobs(reservation_id)
    assert [(job.kind, job.revision, job.status, job.dash_reason) for job in jobs] == [
        ("CONFIRMATION", 0, "DASH", "MOVED"),
        ("REMINDER", 0, "DASH", "MOVED"),
        ("CONFIRMATION", 1, "PENDING", None),
        ("REMINDER", 1, "PENDING", None),
    ]
    assert jobs[3].scheduled_at == in_japan("2025-09-29T10:00:00")
    row = silent_screen.row(reservation_id)
    assert (row["revision"], row["begins_at"], row["cells"]["REMINDER"]["scheduled_at"]) == (
        1,
        "2025/10/01 10:00",
        "2025/09/29 10:00",
    )
    assert anna.move(reservation_id, new).status_code == 200
    assert len(silent_screen.jobs(reservation_id)) == 4


@pytest.mark.row("2.2.3", "2.4.8")
def test_what_people_read(screen: Screen, box: object) -> None:
    hospital, anna = screen.hospital, screen.somebody()
    type_id = hospital.type("職員健診", place="本館2階 健診センター")
    old, new = hospital.slot(type_id, notes="問診票をお持ちください。"), hospital.slot(type_id, "2025-10-01", 0)
    reservation_id = anna.booked(old)
    anna.move(reservation_id, new)
    anna.cancel(reservation_id)
    confirmed, moved, canceled = screen.texts(anna)
    assert all(
        word in confirmed for word in ("予約確定", "2025/09/10 09:00", "職員健診", "本館2階", "問診票", "山田 太郎")
    )
    assert "2025/10/01 00:00" in moved
    assert "予約内容が変更されました" in moved
    assert "キャンセル" in canceled
    assert "2025/10/01 00:00" in canceled
    assert "09/30" not in moved + canceled


@pytest.mark.row("2.6.1", "2.12.12")
def test_the_office_and_the_waiting_list_confirm_too(screen: Screen) -> None:
    hospital = screen.hospital
    slot_id = hospital.slot(hospital.type())
    anna, ben = screen.somebody(), screen.somebody()
    body = {"staffUid": anna.uid, "slotId": slot_id, **REASON}
    booked = screen.office.post("/api/admin/reservations", json=body)
    assert booked.status_code == 201
    assert screen.job(booked.json()["id"], "CONFIRMATION").status == "SENT"
    assert ben.wait(slot_id).status_code == 201
    assert screen.office.post(f"/api/admin/reservations/{booked.json()['id']}/cancel", json=REASON).status_code == 200
    assert screen.job(booked.json()["id"], "CANCEL_COMPLETED").status == "SENT"
    [promoted] = hospital.reservations(staff_uid=ben.uid)
    assert screen.job(promoted.id, "CONFIRMATION").status == "SENT"
    assert promoted.confirmed_at is not None
    assert len(screen.texts(ben)) == 1


@pytest.mark.row("2.12.12")
def test_a_larger_slot_and_a_move_by_the_office_tell_at_once(screen: Screen) -> None:
    hospital = screen.hospital
    type_id = hospital.type()
    slot_id, other = hospital.slot(type_id), hospital.slot(type_id, "2025-10-01")
    anna, ben = screen.somebody(), screen.somebody()
    reservation_id = anna.booked(slot_id)
    ben.wait(slot_id)
    assert screen.office.patch(f"/api/admin/slots/{slot_id}", json={"capacity": 2}).status_code == 200
    [promoted] = hospital.reservations(staff_uid=ben.uid)
    assert screen.job(promoted.id, "CONFIRMATION").status == "SENT"
    moved = screen.office.patch(f"/api/admin/reservations/{reservation_id}", json={"slotId": other, **REASON})
    assert moved.status_code == 200
    assert screen.job(reservation_id, "CONFIRMATION", revision=1).status == "SENT"


@sqlite_only
def test_a_published_slot_tells_who_waited(screen: Screen) -> None:
    hospital = screen.hospital
    slot_id = hospital.slot(hospital.type())
    screen.somebody(linked=False).booked(slot_id)
    ben = screen.somebody()
    ben.wait(slot_id)
    hospital.sql(f"UPDATE reservation_slots SET status = 'closed', capacity = 2 WHERE id = {slot_id}")
    published = screen.office.post("/api/admin/slots/status", json={"slotIds": [slot_id], "status": "published"})
    assert published.status_code == 200
    [promoted] = hospital.reservations(staff_uid=ben.uid)
    assert screen.job(promoted.id, "CONFIRMATION").status == "SENT"


def test_who_leaves_is_told_of_each_cancellation(screen: Screen) -> None:
    hospital, anna = screen.hospital, screen.somebody()
    type_id = hospital.type(limit_per_year=None)
    booked = [anna.booked(hospital.slot(type_id, f"2025-09-1{day}")) for day in range(3)]
    body = {"version": 1, "reason": "退職", "status": "left"}
    assert screen.office.patch(f"/api/admin/staffs/{anna.uid}", json=body).status_code == 200
    for reservation_id in booked:
        assert screen.cells(reservation_id) == ["SENT", "DASH CANCELLED", "SENT"]


@pytest.mark.row("2.5.10")
def test_linking_makes_the_reminders_that_are_ahead(screen: Screen, clock: ManualClock) -> None:
    hospital, anna = screen.hospital, screen.somebody(linked=False)
    type_id = hospital.type(limit_per_year=None)
    ahead, soon, gone = (anna.booked(hospital.slot(type_id, day)) for day in (DAY, "2025-08-17", "2025-09-12"))
    anna.cancel(gone)
    friend = screen.box.friend()
    assert screen.link(anna, friend).status_code == 200
    assert screen.cells(ahead) == ["DASH NO_LINE_LINK", "PENDING", "DASH NOT_CANCELLED"]
    assert screen.cells(soon) == ["DASH NO_LINE_LINK", "DASH LESS_THAN_48H", "DASH NOT_CANCELLED"]
    assert screen.cells(gone) == ["DASH NO_LINE_LINK", "DASH CANCELLED", "DASH NO_LINE_LINK"]
    assert screen.pushes() == []
    screen.unlink(anna)
    assert screen.link(anna, friend).status_code == 200
    assert [job.kind for job in hospital.rows(NotificationJob)] == ["REMINDER"]


def test_linking_leaves_an_unpaid_seat_alone(silent_screen: Screen) -> None:
    """Its notices are made with the payment, when the link is known."""
    hospital, anna = silent_screen.hospital, silent_screen.somebody(linked=False)
    reservation_id = anna.booked(hospital.slot(hospital.type()))
    held = {"confirmed_at": None, "hold_expires_at": hospital.now + timedelta(minutes=35)}
    hospital.change(Reservation, reservation_id, **held)
    hospital.sql("DELETE FROM notification_skips")
    assert silent_screen.link(anna, silent_screen.box.friend()).status_code == 200
    assert silent_screen.jobs(reservation_id) == []


def test_a_refused_booking_makes_no_notice(screen: Screen) -> None:
    hospital = screen.hospital
    slot_id = hospital.slot(hospital.type())
    screen.somebody(linked=False).booked(slot_id)
    assert code(screen.somebody().book(slot_id)) == (409, "SLOT_FULL")
    assert hospital.rows(NotificationJob) == []


@pytest.mark.row("2.12.3", "2.1.2")
def test_the_order_of_things(screen: Screen) -> None:
    hospital, anna = screen.hospital, screen.somebody()
    reservation_id = anna.booked(hospital.slot(hospital.type()))
    job, [row] = screen.job(reservation_id, "CONFIRMATION"), hospital.reservations(id=reservation_id)
    [attempt] = screen.attempts(job.job_id)
    assert row.confirmed_at <= job.created_at <= attempt.at
    assert (screen.keys(), len(screen.pushes())) == ([job.retry_key], 1)
