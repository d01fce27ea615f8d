"""The pause and the dry run hold back everything about reservations that goes out, and lose nothing of it."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.factories.line_stand_in import Answer, Push
from tests.notifications.clinic import Clinic
from tests.notifications.conftest import line, make_clinic, no_pauses
from tests.product_fixtures import plain_log, sqlite_only
from tsudoi.access.health import late_since
from tsudoi.access.registration import ActiveContexts
from tsudoi.booking.coverage_reminders.jobs import send_due
from tsudoi.booking.coverage_reminders.models import CoverageReminderRecipient
from tsudoi.booking.coverage_reminders.schemas import ReminderQuestion
from tsudoi.booking.coverage_reminders.service.deciding import ReminderFrame, remind
from tsudoi.notifications.mails.rules.drafts import MailDraft
from tsudoi.notifications.mails.service import enqueue, take
from tsudoi.notifications.pause.service import pause, resume

__all__ = ["line", "make_clinic", "no_pauses", "plain_log"]

UNTRIED = {"status": "PENDING", "attempt_count": 0, "first_attempt_at": None, "last_error": None, "lease_token": None}


def remind_all(clinic: Clinic, people: int = 1) -> None:
    for _ in range(people):
        clinic.person()
    asked = ReminderQuestion.model_validate({"reservationTypeId": clinic.type_id})
    frame = ReminderFrame("https://tsudoi.example.jp", "tsudoi.example.jp", mail_is_on=True)
    clinic.db.write_now(remind, asked, frame, None, "test")


def states(clinic: Clinic) -> list[dict[str, Any]]:
    rows = clinic.hospital.rows(CoverageReminderRecipient)
    return [{name: getattr(row, name) for name in UNTRIED} for row in rows]


@pytest.mark.found("24.A2")
def test_a_dry_run_holds_coverage_reminders(make_clinic: Callable[..., Clinic]) -> None:
    dry = make_clinic(notification_cron_dry_run=True)
    remind_all(dry)
    assert send_due(dry.runtime) == 0
    assert (dry.line.pushes, states(dry)) == ([], [UNTRIED])
    active = dry.runtime.part(ActiveContexts)
    dry.hospital.sql("UPDATE coverage_reminder_recipients SET due_at = '2025-08-01T00:00:00.000000+00:00'")
    assert dry.db.read_now(late_since, active, dry_run=False) is not None
    assert dry.db.read_now(late_since, active, dry_run=True) is None
    real = make_clinic()
    assert send_due(real.runtime) == 1
    assert [row["status"] for row in states(real)] == ["DONE"]


@pytest.mark.found("24.A2")
def test_the_pause_holds_coverage_reminders(make_clinic: Callable[..., Clinic]) -> None:
    clinic = make_clinic()
    clinic.db.write_now(pause, "文面の確認", "test")
    remind_all(clinic)
    assert send_due(clinic.runtime) == 0
    assert (clinic.line.pushes, states(clinic)) == ([], [UNTRIED])
    clinic.db.write_now(resume, "確認できた", "test")
    assert send_due(clinic.runtime) == 1
    assert len(clinic.line.pushes) == 1


@sqlite_only
@pytest.mark.found("24.A2")
def test_a_pause_in_the_middle_holds_what_has_not_begun(make_clinic: Callable[..., Clinic]) -> None:
    clinic = make_clinic()
    remind_all(clinic, people=12)

    def pause_now(_push: Push, number: int) -> Answer:
        if number == 1:
            clinic.db.write_now(pause, "急いで停止", "test")
        return Answer(seconds=0.2)

    clinic.line.answer = pause_now
    send_due(clinic.runtime)
    sent = len(clinic.line.pushes)
    assert sent < 12
    assert sum(row == UNTRIED for row in states(clinic)) == 12 - sent
    clinic.db.write_now(resume, "確認できた", "test")
    send_due(clinic.runtime)
    assert len(clinic.line.pushes) == 12


@sqlite_only
@pytest.mark.found("24.A2")
def test_mails_about_reservations_wait_too_and_others_go_out(make_clinic: Callable[..., Clinic]) -> None:
    db = make_clinic().db
    for purpose in ("CONFIRMATION", "COVERAGE_REMINDER", "LOGIN_LINK"):
        about: dict[str, Any] = {
            "purpose": purpose,
            "subject_kind": "a subject",
            "subject_id": purpose,
            "subject": "件名",
            "text": "本文",
        }
        db.write_now(enqueue, MailDraft(**about, to_address="hanako@example.jp", host="tsudoi.example.jp"))
    assert [row.purpose for row in db.write_now(take, 9, dry_run=True)] == ["LOGIN_LINK"]
    db.write_now(pause, "文面の確認", "test")
    assert db.write_now(take, 9) == []
    db.write_now(resume, "確認できた", "test")
    assert [row.purpose for row in db.write_now(take, 9)] == ["CONFIRMATION", "COVERAGE_REMINDER"]
