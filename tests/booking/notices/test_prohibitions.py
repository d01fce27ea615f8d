"""What the document forbids: a notice without a row, and SENT without a push."""

from datetime import timedelta
from typing import Any

import pytest

from tests.attacks.test_who_may import BODIES, TABLE
from tests.booking.notices.screen import Screen
from tests.factories.product import Box
from tests.product_fixtures import sqlite_only
from tsudoi.core.clock import ManualClock
from tsudoi.notifications.notices.models import NotificationAttempt, NotificationJob

# Not about reservations, or they would end the session with which the test goes on.
LEFT_OUT = ("/api/admin/login", "/api/admin/logout", "/api/liff", "/api/line", "/auth")


@pytest.mark.row("2.1.2", "2.10.5")
def test_line_sees_the_keys_of_jobs_that_were_tried_and_no_others(screen: Screen, box: Box, clock: ManualClock) -> None:
    hospital, type_id = screen.hospital, screen.hospital.type(limit_per_year=None, overlap_allowed=1)
    people = [screen.somebody(), screen.somebody(), screen.somebody(linked=False)]
    for number, person in enumerate(people):
        if number == 1:
            box.breaks("quota_exhausted", "push", times=1)
        kept, moved, canceled = (
            person.booked(hospital.slot(type_id, f"2025-09-1{day}", capacity=9)) for day in range(3)
        )
        person.move(moved, hospital.slot(type_id, "2025-10-01", capacity=9))
        person.cancel(canceled)
        screen.office.post(f"/api/admin/reservations/{kept}/cancel", json={"reason": "電話"})
    [failed] = hospital.rows(NotificationJob, status="FAILED")
    clock.advance(timedelta(days=20))
    screen.resend(failed.job_id)
    screen.cron()
    tried = {attempt.job_id for attempt in hospital.rows(NotificationAttempt)}
    jobs = hospital.rows(NotificationJob)
    assert sorted(screen.keys()) == sorted(job.retry_key for job in jobs if job.status == "SENT")
    assert {job.job_id for job in jobs if job.status in ("SENT", "FAILED")} == tried
    assert len(screen.pushes()) == len(hospital.rows(NotificationAttempt))


@pytest.mark.row("2.10.3", "2.1.4")
@sqlite_only
def test_no_route_of_the_office_makes_a_job_sent(silent_screen: Screen) -> None:
    """Every write of the API with its own body and with one that asks for SENT, about real rows."""
    screen, hospital = silent_screen, silent_screen.hospital
    anna, type_id = screen.somebody(), hospital.type(limit_per_year=None, overlap_allowed=1)
    reservation_id = anna.booked(hospital.slot(type_id))
    waiting, failed = screen.jobs(reservation_id)
    hospital.change(NotificationJob, failed.job_id, status="FAILED", attempt_count=1, last_error="HTTP 400")
    ids = {"{job_id}": failed.job_id, "{reservation_id}": reservation_id, "{staff_uid}": anna.uid, "{slot_id}": 1}
    tried = 0
    for method, path in sorted(TABLE):
        if method == "GET" or path.startswith(LEFT_OUT):
            continue
        for extra in ({}, {"status": "SENT"}, {"kind": "CONFIRMATION", "job_ids": [waiting.job_id], "status": "SENT"}):
            body: dict[str, Any] = {**BODIES.get(path, {}), **extra}
            answer = screen.office.request(method, _with(path, ids), json=body)
            assert answer.status_code < 500 or answer.status_code == 503, (path, answer.text)
            tried += 1
    assert tried > 50
    assert hospital.rows(NotificationJob, status="SENT") == []
    # Previews may ask LINE what its monthly limit leaves; nothing is sent.
    calls = screen.box.http.get("/_sandbox/calls").json()["calls"]
    assert [call for call in calls if call["method"] != "GET"] == []


def _with(path: str, ids: dict[str, Any]) -> str:
    for name, value in ids.items():
        path = path.replace(name, str(value))
    return path.replace("{", "").replace("}", "")
