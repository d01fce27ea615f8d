"""The office has failed notices sent again: who may, when, with which key, and that the request sends nothing."""

from datetime import timedelta
from typing import Any

import httpx2
import pytest

from tests.booking.notices.screen import Screen
from tests.booking.reservations.hospital import Person, code
from tests.factories.product import Box
from tests.product_fixtures import sqlite_only
from tsudoi.core.clock import ManualClock
from tsudoi.notifications.notices.models import NotificationJob

QUOTA = "HTTP 429 request_id=r You have reached your monthly limit."
REFUSED = "HTTP 400 request_id=r Failed to send messages"


class Failures:
    """Bookings whose confirmation has failed."""

    def __init__(self, screen: Screen, type_name: str = "インフルエンザ") -> None:
        self.screen, self.hospital = screen, screen.hospital
        self.type_id = self.hospital.type(type_name, limit_per_year=None, overlap_allowed=1)

    def failed(self, person: Person | None = None, error: str = QUOTA, **more: Any) -> tuple[int, Any]:
        """The reservation and its failed job."""
        person = person or self.screen.somebody()
        reservation_id = person.booked(self.hospital.slot(self.type_id))
        values = {"status": "FAILED", "attempt_count": 1, "last_error": error, "first_attempt_at": self.hospital.now}
        job_id = self.screen.job(reservation_id, "CONFIRMATION").job_id
        self.hospital.change(NotificationJob, job_id, **{**values, **more})
        return reservation_id, self.screen.job(reservation_id, "CONFIRMATION")


@pytest.fixture
def failures(silent_screen: Screen) -> Failures:
    return Failures(silent_screen)


@pytest.mark.row("2.5.11", "2.12.8", "2.10.3", "2.7.8")
def test_a_person_decides_and_the_command_sends(screen: Screen, box: Box, clock: ManualClock) -> None:
    hospital, anna = screen.hospital, screen.somebody()
    box.breaks("quota_exhausted", "push", times=1)
    reservation_id = anna.booked(hospital.slot(hospital.type()))
    before = screen.job(reservation_id, "CONFIRMATION")
    assert screen.cell(reservation_id, "CONFIRMATION")["resendable"] is True
    clock.advance(timedelta(hours=2))
    queued = screen.resend(before.job_id, "上限を増やしたため")
    assert queued.status_code == 202
    assert queued.json() == {"job_id": before.job_id, "status": "PENDING", "scheduled_at": "2025/08/16 14:00"}
    waiting = screen.job(reservation_id, "CONFIRMATION")
    assert (waiting.status, waiting.scheduled_at) == ("PENDING", hospital.now)
    kept = ("job_id", "attempt_count", "last_error", "retry_key", "first_attempt_at", "revision")
    assert all(getattr(waiting, name) == getattr(before, name) for name in kept)
    assert (len(screen.pushes()), screen.keys()) == (1, [])
    screen.product.drain()
    assert (len(screen.pushes()), screen.keys()) == (1, [])
    assert screen.cell(reservation_id, "CONFIRMATION")["message"].startswith("再送を受け付けました。")
    [audited] = hospital.audit("notification.resend")
    assert (audited.actor, audited.reason, audited.subject) == (
        "admin:jimukyoku",
        "上限を増やしたため",
        f"reservation:{reservation_id}",
    )
    assert ('"status":"FAILED"' in audited.old, '"status":"PENDING"' in audited.new) == (True, True)
    assert screen.cron().sent == 1
    sent = screen.job(reservation_id, "CONFIRMATION")
    assert (sent.status, sent.attempt_count, sent.last_error) == ("SENT", 1, None)
    assert screen.keys() == [before.retry_key]


@pytest.mark.row("2.7.8", "2.5.9")
def test_a_second_failure_counts(screen: Screen, box: Box) -> None:
    hospital, anna = screen.hospital, screen.somebody()
    box.breaks("quota_exhausted", "push")
    reservation_id = anna.booked(hospital.slot(hospital.type()))
    job_id = screen.job(reservation_id, "CONFIRMATION").job_id
    assert screen.resend(job_id).status_code == 202
    screen.cron()
    job = screen.job(reservation_id, "CONFIRMATION")
    assert (job.status, job.attempt_count) == ("FAILED", 2)
    assert [one.caller for one in screen.attempts(job_id)] == ["initial", "command"]


def test_a_message_that_line_had_taken_does_not_arrive_twice(screen: Screen, box: Box, clock: ManualClock) -> None:
    """LINE took it and answered 500. Within 23 hours the key is the same, so LINE says 409, and that is SENT."""
    hospital, anna = screen.hospital, screen.somebody()
    box.breaks("error_500_after", "push")
    reservation_id = anna.booked(hospital.slot(hospital.type()))
    job = screen.job(reservation_id, "CONFIRMATION")
    assert (job.status, job.maybe_sent) == ("FAILED", 1)
    box.mends()
    clock.advance(timedelta(hours=22, minutes=59))
    assert screen.resend(job.job_id).status_code == 202
    assert screen.cron().sent == 1
    assert (len(screen.texts(anna)), screen.job(reservation_id, "CONFIRMATION").status) == (1, "SENT")


@pytest.mark.parametrize("uncertain", ["maybe_sent", "outcome_unknown"])
def test_after_23_hours_a_duplicate_has_to_be_accepted(failures: Failures, clock: ManualClock, uncertain: str) -> None:
    screen = failures.screen
    doubt: dict[str, Any] = {uncertain: 1, "line_user_id": "U1", "messages": []}
    reservation_id, job = failures.failed(error="UNKNOWN: no answer", **doubt)
    assert screen.cell(reservation_id, "CONFIRMATION")["may_arrive_twice"] is False
    clock.advance(timedelta(hours=23))
    cell = screen.cell(reservation_id, "CONFIRMATION")
    assert (cell["resendable"], cell["may_arrive_twice"]) == (True, True)
    assert code(screen.resend(job.job_id)) == (409, "MAYBE_SENT")
    assert screen.resend_many(job_ids=[job.job_id]).json()["refused"][0]["code"] == "MAYBE_SENT"
    assert screen.resend_many(cause="NO_ANSWER").json() == {"queued": 0, "refused": [], "more": False}
    assert screen.job(reservation_id, "CONFIRMATION") == job
    assert screen.resend(job.job_id, accept_duplicate=True).status_code == 202
    again = screen.job(reservation_id, "CONFIRMATION")
    assert again.retry_key != job.retry_key
    assert (again.first_attempt_at, again.maybe_sent, again.outcome_unknown) == (None, 0, 0)


@sqlite_only
def test_a_certain_failure_gets_a_new_key_after_23_hours(failures: Failures, clock: ManualClock) -> None:
    screen = failures.screen
    reservation_id, job = failures.failed(error=REFUSED)
    clock.advance(timedelta(hours=23))
    assert screen.resend(job.job_id).status_code == 202
    assert screen.job(reservation_id, "CONFIRMATION").retry_key != job.retry_key


def test_what_cannot_be_sent_again(failures: Failures, clock: ManualClock) -> None:
    screen, hospital = failures.screen, failures.hospital
    anna = screen.somebody()
    refused: dict[str, httpx2.Response] = {}
    for code_of, values in {
        "ALREADY_SENT": {"status": "SENT"},
        "ALREADY_PENDING": {"status": "PENDING"},
        "NOT_SENDABLE": {"status": "DASH", "dash_reason": "MOVED"},
    }.items():
        refused[code_of] = screen.resend(failures.failed(anna, **values)[1].job_id)
    canceled, job = failures.failed(anna)
    anna.cancel(canceled)
    refused["RESERVATION_CANCELED"] = screen.resend(job.job_id)
    moved, job = failures.failed(anna)
    anna.move(moved, hospital.slot(failures.type_id, "2025-10-01"))
    assert code(screen.resend(job.job_id)) == (409, "NOT_SENDABLE")
    unlinked = screen.somebody()
    _, job = failures.failed(unlinked)
    screen.unlink(unlinked)
    refused["NO_LINE_LINK"] = screen.resend(job.job_id)
    late, job = failures.failed(anna)
    clock.advance(timedelta(days=30))
    refused["ALREADY_BEGUN"] = screen.resend(job.job_id)
    assert {name: code(answer) for name, answer in refused.items()} == {name: (409, name) for name in refused}
    assert all("。" in answer.json()["message"] for answer in refused.values())
    assert screen.cell(late, "CONFIRMATION")["resendable"] is False
    assert hospital.audit("notification.resend") == []
    assert code(screen.resend(10**9)) == (404, "NOT_FOUND")


@pytest.mark.row("2.5.11")
@sqlite_only
def test_a_reason_is_needed(failures: Failures) -> None:
    screen = failures.screen
    _, job = failures.failed()
    path = f"/api/admin/notifications/{job.job_id}/resend"
    wrong: list[dict[str, Any]] = [
        {},
        {"reason": ""},
        {"reason": " "},
        {"reason": None},
        {"reason": "x", "status": "SENT"},
    ]
    for body in wrong:
        assert screen.office.post(path, json=body).status_code == 400
    both_or_none: list[dict[str, Any]] = [{}, {"job_ids": [1], "cause": "QUOTA"}, {"job_ids": []}]
    for which in both_or_none:
        assert screen.resend_many("x", **which).status_code == 400
    assert screen.resend_many(cause="NO_SUCH_CAUSE").status_code == 400


def test_many_at_once(failures: Failures) -> None:
    screen = failures.screen
    made = [failures.failed() for _ in range(3)]
    sent, other = failures.failed(status="SENT"), failures.failed(error=REFUSED)
    ids = [job.job_id for _, job in made]
    answer = screen.resend_many("上限が戻ったため", job_ids=[*ids, ids[0], sent[1].job_id])
    assert (answer.status_code, answer.json()["queued"]) == (202, 3)
    [refused] = answer.json()["refused"]
    assert (refused["job_id"], refused["code"]) == (sent[1].job_id, "ALREADY_SENT")
    assert [screen.jobs(one)[0].status for one, _ in made] == ["PENDING"] * 3
    assert screen.jobs(other[0])[0].status == "FAILED"
    audit = failures.hospital.audit("notification.resend")
    assert [(row.subject, row.reason) for row in audit] == [
        (f"reservation:{one}", "上限が戻ったため") for one, _ in made
    ]
    assert code(screen.resend_many(job_ids=[10**9, ids[0]])) == (404, "NOT_FOUND")


def test_all_of_one_cause(failures: Failures, clock: ManualClock) -> None:
    """Those that can still be sent: not the cancelled, the past, the unlinked, nor those of another cause."""
    screen, hospital = failures.screen, failures.hospital
    anna, ben = screen.somebody(), screen.somebody()
    wanted = [failures.failed()[1].job_id for _ in range(3)]
    canceled, _ = failures.failed(anna)
    anna.cancel(canceled)
    failures.failed(ben)
    screen.unlink(ben)
    failures.failed(error=REFUSED)
    soon = anna.booked(hospital.slot(failures.type_id, "2025-08-16", 12 * 60 + 1))
    hospital.change(NotificationJob, screen.job(soon, "CONFIRMATION").job_id, status="FAILED", last_error=QUOTA)
    clock.advance(timedelta(minutes=1))
    causes = screen.summary()["causes"]
    assert causes == [
        {"reason": "QUOTA", "count": 4, "resendable": 3},
        {"reason": "REFUSED", "count": 1, "resendable": 1},
    ]
    answer = screen.resend_many(cause="QUOTA").json()
    assert answer == {"queued": 3, "refused": [], "more": False}
    assert [row.job_id for row in hospital.rows(NotificationJob, status="PENDING", attempt_count=1)] == wanted


@sqlite_only
def test_the_same_key_queues_once(failures: Failures) -> None:
    screen = failures.screen
    _, job = failures.failed()
    path, key = f"/api/admin/notifications/{job.job_id}/resend", {"idempotency-key": "again"}
    first, second = (screen.office.post(path, json={"reason": "x"}, headers=key) for _ in range(2))
    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert len(failures.hospital.audit("notification.resend")) == 1
