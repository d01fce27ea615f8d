"""What the owner of a reservation is told on its page about the notices."""

from typing import Any

import pytest

from tests.booking.notices.screen import Screen
from tests.booking.reservations.hospital import Person, code
from tsudoi.booking.notices.rules.mails import MailStatus
from tsudoi.booking.notices.rules.own import told
from tsudoi.notifications.notices.models import NotificationJob


def notice(person: Person, reservation_id: int) -> dict[str, Any]:
    answer = person.http.get(f"/api/reservations/{reservation_id}/notice")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_told_at_once_and_reminded_two_days_before(screen: Screen) -> None:
    type_id, anna = screen.hospital.type(), screen.somebody()
    reservation_id = anna.booked(screen.hospital.slot(type_id))
    assert notice(anna, reservation_id) == {"told": "SENT", "remindAt": "2025-09-08T09:00:00+09:00"}
    anna.move(reservation_id, screen.hospital.slot(type_id, "2025-09-12", 600))
    assert notice(anna, reservation_id) == {"told": "SENT", "remindAt": "2025-09-10T10:00:00+09:00"}
    anna.cancel(reservation_id)
    assert notice(anna, reservation_id)["remindAt"] is None


@pytest.mark.parametrize(
    ("status", "expected"), [("PENDING", "PENDING"), ("FAILED", "FAILED"), ("SENT", "SENT"), ("DASH", None)]
)
def test_the_state_of_the_confirmation(silent_screen: Screen, status: str, expected: str | None) -> None:
    anna = silent_screen.somebody()
    reservation_id = anna.booked(silent_screen.hospital.slot(silent_screen.hospital.type()))
    job = silent_screen.job(reservation_id, "CONFIRMATION")
    silent_screen.hospital.change(NotificationJob, job.job_id, status=status)
    assert notice(anna, reservation_id)["told"] == expected


@pytest.mark.parametrize(
    ("job", "mail", "expected"),
    [
        (None, "SENT", "MAILED"),
        ("FAILED", "SENT", "MAILED"),
        ("FAILED", "PENDING", "PENDING"),
        (None, "UNKNOWN", "FAILED"),
        ("SENT", "DASH", "SENT"),
        (None, "DASH", None),
        (None, None, None),
    ],
)
def test_a_mail_is_the_newer_news(job: str | None, mail: MailStatus | None, expected: str | None) -> None:
    assert told(job, mail) == expected


def test_without_line_there_is_nothing_and_others_see_nothing(screen: Screen) -> None:
    anna, other = screen.somebody(linked=False), screen.somebody()
    reservation_id = anna.booked(screen.hospital.slot(screen.hospital.type()))
    assert notice(anna, reservation_id) == {"told": None, "remindAt": None}
    assert code(other.http.get(f"/api/reservations/{reservation_id}/notice")) == (404, "NOT_FOUND")
