"""G6 for reminders to those who have not booked: several senders, LINE misbehaves, and nobody is reminded twice."""

import uuid
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.booking.reservations.hospital import Hospital
from tests.concurrency.test_broadcast_exactly_once import misbehave
from tests.concurrency.threads import at_once
from tests.events.broadcast.crowd import lines, runtime_for_sending
from tests.factories.product import Box
from tests.product_fixtures import box, impatient, plain_log, shared_box, sqlite_only
from tests.sizes import size
from tsudoi.booking.coverage_reminders import jobs
from tsudoi.booking.coverage_reminders.models import CoverageReminderRecipient
from tsudoi.booking.coverage_reminders.schemas import ReminderQuestion
from tsudoi.booking.coverage_reminders.service.deciding import ReminderFrame, remind
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_outcomes import SendOutcome

__all__ = ["box", "impatient", "plain_log", "shared_box"]

PEOPLE = size(80, 2_000)
ALLOWED = {"DONE": (1,), "FAILED": (0,), "UNKNOWN": (0, 1), "SKIPPED": (0,)}

FRAME = ReminderFrame("https://x.example", "x.example", mail_is_on=False)


class Senders:
    """Two processes, as far as the database can tell, with two senders each."""

    def __init__(self, runtimes: tuple[Runtime, Runtime], hospital: Hospital, sandbox: Box, clock: ManualClock) -> None:
        self.runtimes, self.hospital, self.box, self.clock = runtimes, hospital, sandbox, clock

    def remind_everybody(self) -> None:
        users: list[str] = self.box.http.post("/_sandbox/users/crowd", json={"count": PEOPLE}).json()["user_ids"]
        for number, user in enumerate(users, 1):
            self.hospital.staff(number, line_user_id=user)
        question = ReminderQuestion.model_validate({"reservationTypeId": self.hospital.type()})
        queued = self.hospital.db.write_now(remind, question, FRAME, None, "admin:x")
        assert queued.recipients == PEOPLE

    def send_all(self) -> None:
        for _ in range(60):
            at_once(4, self._send)
            if all(row.status != "PENDING" for row in self.rows()):
                return
            self.clock.advance(timedelta(minutes=16))

    def _send(self, number: int) -> None:
        while jobs.send_due(self.runtimes[number % 2]):
            pass

    def rows(self) -> list[Any]:
        return self.hospital.rows(CoverageReminderRecipient)

    def violations(self) -> list[str]:
        got = self.box.http.get("/_sandbox/deliveries/summary?by_user=1").json()["by_user"]
        found = [(row.status, got.pop(row.line_user_id, 0)) for row in self.rows()]
        wrong = [f"{status}, told {times} times" for status, times in found if times not in ALLOWED.get(status, ())]
        return wrong + [f"{user} is on no list" for user in got]


@pytest.fixture
def senders(
    db: Database, database_url: str, clock: ManualClock, box: Box, tmp_path: Path, impatient: None, plain_log: None
) -> Iterator[Senders]:
    with runtime_for_sending(db, tmp_path / "data", box.url) as runtime:
        other = open_database(database_url, clock)
        try:
            second = Runtime.of(runtime.settings, other)
            second.add(runtime.part(LineClient))
            yield Senders((runtime, second), Hospital(db), box, clock)
        finally:
            other.close()


def test_several_senders_remind_nobody_twice(senders: Senders) -> None:
    senders.remind_everybody()
    misbehave(senders.box, 3)
    senders.send_all()
    assert senders.violations() == []
    senders.clock.advance(timedelta(minutes=2))
    jobs.finish_log(senders.runtimes[0])
    logged = Counter(line["recipient_id"] for line in lines(senders.runtimes[0]))
    assert logged == Counter(row.id for row in senders.rows())


def test_who_books_while_others_are_called_is_left_out(senders: Senders) -> None:
    """Everybody has booked when the first person has been called, so that nobody after the first batch is told."""
    senders.remind_everybody()
    slot = senders.hospital.slot(senders.rows()[0].reservation_type_id, capacity=PEOPLE)
    assert jobs.send_due(senders.runtimes[0]) > 0
    told = senders.box.http.get("/_sandbox/deliveries/summary").json()["total"]
    assert 0 < told < PEOPLE
    columns = "staff_uid, staff_id, reservation_type_id, slot_id, service_date_local, start_minute_of_day"
    values = f"staff_uid, staff_id, reservation_type_id, {slot}, '2025-09-10', 540"
    senders.hospital.sql(
        f"INSERT INTO reservations ({columns}, duration_minutes, period_key, created_at, updated_at)"
        f" SELECT {values.replace('reservation_type_id', '1')}, 15, 'FY2025', created_at, created_at FROM staffs"
    )
    senders.send_all()
    assert Counter(row.status for row in senders.rows()) == {"DONE": told, "SKIPPED": PEOPLE - told}
    assert senders.violations() == []


class NewKeyPerTry(LineClient):
    def push(self, to: str, messages: Any, retry_key: str, **options: Any) -> SendOutcome:  # noqa: ARG002 (the mutation)
        return super().push(to, messages, str(uuid.uuid4()), **options)


@sqlite_only
def test_a_new_key_per_try_reminds_people_twice(senders: Senders) -> None:
    """The control: the check finds it."""
    senders.remind_everybody()
    senders.runtimes[0].part(LineClient).__class__ = NewKeyPerTry
    misbehave(senders.box, 3)
    senders.send_all()
    assert any("told 2 times" in found for found in senders.violations())
