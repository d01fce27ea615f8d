"""Messages about threads: several senders, LINE misbehaves, and nobody is told the same twice, by LINE or by mail."""

import uuid
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.concurrency.test_broadcast_exactly_once import misbehave
from tests.concurrency.threads import at_once
from tests.events.broadcast.crowd import lines, runtime_for_sending
from tests.factories.product import Box
from tests.product_fixtures import box, impatient, plain_log, shared_box, sqlite_only
from tests.scheduling.delivery.rows import Asked, asked_at
from tests.sizes import size
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.connect import open_database
from tsudoi.core.db.interface import Database
from tsudoi.core.runtime import Runtime
from tsudoi.gateway.clients.line import LineClient
from tsudoi.gateway.clients.line_outcomes import SendOutcome
from tsudoi.line.delivery.rules import Judgement, SendVerdict, judge
from tsudoi.scheduling.deadlines.jobs import watch_deadlines
from tsudoi.scheduling.delivery import jobs
from tsudoi.scheduling.delivery.service import sending
from tsudoi.scheduling.delivery.service.enqueueing import message_settings
from tsudoi.scheduling.organizing.schemas.requests import RemindOrder
from tsudoi.scheduling.reminders.service import remind

__all__ = ["box", "impatient", "plain_log", "shared_box"]

PEOPLE = size(60, 1_000)
# How often a person may have been told by LINE, and how many mails there may be, for each state of the message.
ALLOWED = {"DONE": ((1,), 0), "MAILED": ((0,), 1), "UNKNOWN": ((0, 1), 0), "CALLED_OFF": ((0,), 0)}


class Senders:
    """Two processes, as far as the database can tell, with two senders each."""

    def __init__(self, runtimes: tuple[Runtime, Runtime], asked: Asked, sandbox: Box, clock: ManualClock) -> None:
        self.runtimes, self.asked, self.box, self.clock = runtimes, asked, sandbox, clock

    def ask_everybody(self) -> None:
        """Every tenth person has an id that LINE does not know."""
        users: list[str] = self.box.http.post("/_sandbox/users/crowd", json={"count": PEOPLE}).json()["user_ids"]
        for number, user in enumerate(users, 1):
            line = user if number % 10 else f"U{number:032x}"
            self.asked.member(number, f"会員{number}", line, f"m{number}@example.jp")
        assert len(self.asked.tell("invite")) == PEOPLE

    def send_all(self) -> None:
        for _ in range(60):
            at_once(4, self._send)
            if all(row["status"] != "PENDING" for row in self.asked.messages()):
                return
            self.clock.advance(timedelta(minutes=16))

    def _send(self, number: int) -> None:
        while jobs.send_due(self.runtimes[number % 2]):
            pass

    def violations(self) -> list[str]:
        told = self.box.http.get("/_sandbox/deliveries/summary?by_user=1").json()["by_user"]
        mailed = Counter(mail["subject_id"] for mail in self.asked.mails())
        found: list[str] = []
        for row in self.asked.messages():
            times, mails = told.pop(row["line_user_id"], 0), mailed.pop(str(row["id"]), 0)
            by_line, by_mail = ALLOWED.get(row["status"], ((), 0))
            if times not in by_line or mails != by_mail:
                found.append(f"{row['status']}, told {times} times, {mails} mails")
        return [*found, *(f"{user} is on no list" for user in told), *(f"mail about {one}" for one in mailed)]


@pytest.fixture
def senders(
    db: Database, database_url: str, clock: ManualClock, box: Box, tmp_path: Path, impatient: None, plain_log: None
) -> Iterator[Senders]:
    mail = {"smtp_url": box.smtp_url, "mail_from": "office@example.jp"}
    with runtime_for_sending(db, tmp_path / "data", box.url, **mail) as runtime:
        other = open_database(database_url, clock)
        try:
            second = Runtime.of(runtime.settings, other)
            second.add(runtime.part(LineClient))
            yield Senders((runtime, second), asked_at(db, message_settings(runtime.settings)), box, clock)
        finally:
            other.close()


def test_several_senders_tell_nobody_twice(senders: Senders) -> None:
    senders.ask_everybody()
    misbehave(senders.box, 5)
    senders.send_all()
    assert senders.violations() == []
    states = Counter(row["status"] for row in senders.asked.messages())
    assert states["DONE"] > PEOPLE / 2
    assert states["MAILED"] > 0, "those whom LINE does not know"
    senders.clock.advance(timedelta(minutes=2))
    jobs.finish_log(senders.runtimes[0])
    logged = Counter(line["thread_message_id"] for line in lines(senders.runtimes[0]))
    assert logged == Counter(row["id"] for row in senders.asked.messages())


def test_a_sender_that_dies_after_the_call_tells_nobody_twice(senders: Senders) -> None:
    """It has called LINE and writes nothing any more: another sender goes on with the same keys."""
    senders.ask_everybody()
    db, common = senders.runtimes[0].db, senders.asked.common
    line = senders.runtimes[0].part(LineClient)
    for row in db.write_now(sending.claim, common):
        line.push(row.line_user_id, row.messages, row.retry_key)
    senders.clock.advance(sending.LEASE)
    senders.send_all()
    assert senders.violations() == []


def test_reminders_at_the_same_moment_remind_once(senders: Senders) -> None:
    for number in range(5):
        senders.asked.invite(f"e:{number}", f"人{number}", f"m{number}@example.jp")
    common, thread_id = senders.asked.common, senders.asked.thread_id

    def go(number: int) -> list[str]:
        order = RemindOrder.model_validate({})
        return senders.runtimes[number % 2].db.write_now(remind, common, thread_id, order, "admin:x").reminded

    reminded = [key for found in at_once(6, go) for key in found]
    assert sorted(reminded) == [f"e:{number}" for number in range(5)]
    assert len(senders.asked.messages()) == len(senders.asked.mails()) == 5


def test_two_workers_decide_at_the_deadline_once(senders: Senders) -> None:
    asked = senders.asked
    for number in range(5):
        asked.invite(f"e:{number}", f"人{number}", f"m{number}@example.jp")
    asked.answers("e:1", "selected", asked.slots[1])
    asked.thread(decide_at_deadline=1, deadline_at=senders.clock.now() + timedelta(hours=1))
    senders.clock.advance(timedelta(hours=1))
    decided = at_once(4, lambda number: watch_deadlines(senders.runtimes[number % 2]))
    assert sum(decided) == 1
    assert [row["type"] for row in asked.messages()] == ["decision"] * 5
    assert len(asked.mails()) == 5


class NewKeyPerTry(LineClient):
    def push(self, to: str, messages: Any, retry_key: str, **options: Any) -> SendOutcome:  # noqa: ARG002 (the mutation)
        return super().push(to, messages, str(uuid.uuid4()), **options)


@sqlite_only
class TestMutants:
    """The controls: one thing is done wrongly, and the check finds it."""

    def test_a_new_key_for_each_try_tells_people_twice(self, senders: Senders) -> None:
        senders.ask_everybody()
        senders.runtimes[0].part(LineClient).__class__ = NewKeyPerTry
        misbehave(senders.box, 5)
        senders.send_all()
        assert any("told 2 times" in found for found in senders.violations())

    def test_a_mail_after_silence_tells_people_by_both_ways(
        self, senders: Senders, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = judge

        def hasty(outcome: Any, **more: Any) -> Any:
            found = real(outcome, **more)
            silent = found.verdict is SendVerdict.NO_ANSWER
            return Judgement(SendVerdict.REFUSED, found.reason) if silent else found

        monkeypatch.setattr(sending, "judge", hasty)
        senders.ask_everybody()
        misbehave(senders.box, 5, 40, ("timeout_after_accept",))
        senders.send_all()
        assert any(found == "MAILED, told 1 times, 1 mails" for found in senders.violations())
