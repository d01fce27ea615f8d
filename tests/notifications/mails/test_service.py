"""The life of a row: written once, claimed, marked before its content goes out, settled, called off."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Row

from tests.conftest import NOON
from tests.notifications.mails.post import draft, rows
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.outbox.claims import oldest_due, waiting
from tsudoi.gateway.clients.mail_outcomes import (
    MailAccepted,
    MailCalledOff,
    MailNotNow,
    MailOutcome,
    MailRefused,
    MailUnknown,
)
from tsudoi.notifications.mails import service
from tsudoi.notifications.mails.errors import BadMailAddress
from tsudoi.notifications.mails.queries import MailState, mails_about
from tsudoi.notifications.mails.rules.outcomes import INTERRUPTED, TOO_LATE

MINUTE = timedelta(minutes=1)


def enqueue(db: Database, *numbers: int, **more: Any) -> list[int | None]:
    return [db.write_now(service.enqueue, draft(number, **more)) for number in numbers]


def take(db: Database, limit: int = 10) -> list[Row[Any]]:
    return list(db.write_now(service.take, limit))


def status(db: Database) -> list[tuple[str, bool]]:
    return [(row["status"], bool(row["uncertain"])) for row in rows(db)]


class TestEnqueue:
    def test_a_mail_waits_with_everything_that_it_needs(self, db: Database) -> None:
        (number,) = enqueue(db, 1, send_before=NOON + MINUTE, html="<p>x</p>")
        (row,) = rows(db)
        assert row["id"] == number
        assert (row["status"], row["due_at"], row["created_at"]) == ("PENDING", NOON, NOON)
        assert (row["subject_kind"], row["subject_id"], row["revision"]) == ("reservation", "1", 0)
        assert row["message_id"].startswith("<")
        assert row["message_id"].endswith("@tsudoi.example.jp>")
        assert len(row["message_id"]) == 36 + len("<@tsudoi.example.jp>")

    def test_the_same_decision_is_written_once(self, db: Database) -> None:
        first = enqueue(db, 1)
        assert first != [None]
        assert enqueue(db, 1, subject="another text of the same") == [None]
        other = enqueue(db, 1, revision=1) + enqueue(db, 1, purpose="REMINDER") + enqueue(db, 2)
        other += enqueue(db, 1, subject_kind="thread_invite")
        assert None not in other
        assert len({row["message_id"] for row in rows(db)}) == 5

    def test_it_stays_once_when_it_has_failed_or_gone_out(self, db: Database) -> None:
        enqueue(db, 1, 2)
        first, second = take(db)
        db.write_now(service.settle, first, MailAccepted("ok"))
        db.write_now(service.settle, second, MailRefused(550, "no"))
        assert enqueue(db, 1, 2) == [None, None]

    def test_it_belongs_to_the_transaction_of_the_decision(self, db: Database) -> None:
        def decide_and_fail(tx: Tx) -> None:
            service.enqueue(tx, draft())
            raise LookupError

        with pytest.raises(LookupError):
            db.write_now(decide_and_fail)
        assert rows(db) == []

    def test_a_bad_address_is_refused_before_anything_is_written(self, db: Database) -> None:
        with pytest.raises(BadMailAddress):
            enqueue(db, 1, to_address="nobody")
        assert rows(db) == []

    def test_a_mail_for_later_waits_until_then(self, db: Database, clock: ManualClock) -> None:
        enqueue(db, 1, due_at=NOON + MINUTE)
        assert take(db) == []
        clock.advance(MINUTE)
        assert len(take(db)) == 1


class TestSettle:
    @pytest.mark.parametrize(
        ("outcome", "state", "error"),
        [
            (MailAccepted("ok"), ("DONE", True), None),
            (MailRefused(550, "no such user"), ("FAILED", False), "550 no such user"),
            (MailUnknown("silence", maybe_sent=True), ("UNKNOWN", True), "silence"),
            (MailNotNow(450, "later"), ("PENDING", False), "450 later"),
            (MailUnknown("no connection", maybe_sent=False), ("PENDING", False), "no connection"),
            (MailCalledOff(), ("PENDING", False), None),
        ],
    )
    def test_each_outcome(self, db: Database, outcome: MailOutcome, state: tuple[str, bool], error: str | None) -> None:
        enqueue(db, 1)
        (held,) = take(db)
        assert db.write_now(service.begin_content, held)
        assert db.write_now(service.settle, held, outcome) == state[0]
        assert status(db) == [state]
        (row,) = rows(db)
        assert (row["last_error"], row["lease_token"]) == (error, None)
        assert row["sent_at"] == (NOON if state[0] == "DONE" else None)

    def test_what_was_postponed_is_tried_again_for_a_day(self, db: Database, clock: ManualClock) -> None:
        enqueue(db, 1)
        attempts = 0
        while rows(db)[0]["status"] == "PENDING":
            for held in take(db):
                attempts += 1
                db.write_now(service.settle, held, MailNotNow(451, "later"))
            clock.advance(MINUTE)
        assert status(db) == [("FAILED", False)]
        assert 40 < attempts < service.MAIL_POLICY.most_attempts
        assert timedelta(hours=23) < clock.now() - NOON < timedelta(hours=25)

    def test_only_the_holder_of_the_lease_settles(self, db: Database, clock: ManualClock) -> None:
        enqueue(db, 1)
        (slow,) = take(db)
        clock.advance(service.LEASE)
        (quick,) = take(db)
        assert db.write_now(service.settle, slow, MailRefused(550, "too late")) is None
        assert db.write_now(service.settle, quick, MailAccepted("ok")) == "DONE"


class TestInterrupted:
    def test_before_the_content_it_is_tried_again(self, db: Database, clock: ManualClock) -> None:
        """The sender died while it connected: nothing can have arrived."""
        enqueue(db, 1)
        take(db)
        clock.advance(service.LEASE)
        assert len(take(db)) == 1

    def test_after_the_content_had_begun_it_is_parked(self, db: Database, clock: ManualClock) -> None:
        enqueue(db, 1)
        (held,) = take(db)
        assert db.write_now(service.begin_content, held)
        assert take(db) == [], "the lease is still held"
        clock.advance(service.LEASE)
        assert take(db) == []
        assert status(db) == [("UNKNOWN", True)]
        assert rows(db)[0]["last_error"] == INTERRUPTED
        clock.advance(timedelta(days=3))
        assert take(db) == []
        assert db.read_now(waiting, service.MAILS)["UNKNOWN"] == 1

    def test_who_slept_longer_than_the_lease_may_not_begin(self, db: Database, clock: ManualClock) -> None:
        enqueue(db, 1)
        (slow,) = take(db)
        clock.advance(service.LEASE)
        assert not db.write_now(service.begin_content, slow)
        take(db)
        assert not db.write_now(service.begin_content, slow)
        assert status(db) == [("PENDING", False)]


class TestTooLate:
    def test_a_mail_is_not_sent_after_its_time(self, db: Database, clock: ManualClock) -> None:
        enqueue(db, 1, send_before=NOON + MINUTE)
        enqueue(db, 2)
        clock.advance(MINUTE)
        assert [row.subject_id for row in take(db)] == ["2"]
        assert status(db)[0] == ("FAILED", False)
        assert rows(db)[0]["last_error"] == TOO_LATE

    def test_nor_when_the_time_passes_while_the_server_is_slow(self, db: Database, clock: ManualClock) -> None:
        enqueue(db, 1, send_before=NOON + MINUTE)
        (held,) = take(db)
        clock.advance(MINUTE)
        assert not db.write_now(service.begin_content, held)
        assert db.write_now(service.settle, held, MailCalledOff()) == "PENDING"
        assert take(db) == []
        assert status(db) == [("FAILED", False)]


class TestCallOff:
    def test_what_waits_is_not_sent(self, db: Database, clock: ManualClock) -> None:
        enqueue(db, 1, purpose="CONFIRMATION")
        enqueue(db, 1, purpose="REMINDER", due_at=NOON + MINUTE)
        enqueue(db, 2)
        assert db.write_now(service.call_off, "reservation", "1", ("REMINDER",)) == 1
        assert db.write_now(service.call_off, "reservation", "1") == 1
        assert db.write_now(service.call_off, "reservation", "1") == 0
        clock.advance(MINUTE)
        assert [row.subject_id for row in take(db)] == ["2"]
        assert [state for state, _ in status(db)] == ["CALLED_OFF", "CALLED_OFF", "PENDING"]
        assert db.read_now(waiting, service.MAILS) == {"PENDING": 1, "FAILED": 0, "UNKNOWN": 0}

    @pytest.mark.parametrize("outcome", [MailCalledOff(), MailNotNow(451, "later")])
    def test_a_mail_that_a_sender_holds_ends_there(
        self, db: Database, clock: ManualClock, outcome: MailOutcome
    ) -> None:
        enqueue(db, 1)
        (held,) = take(db)
        assert db.write_now(service.call_off, "reservation", "1") == 1
        assert not db.write_now(service.begin_content, held), "the last moment before the content"
        assert db.write_now(service.settle, held, outcome) == "CALLED_OFF"
        clock.advance(timedelta(hours=1))
        assert take(db) == []

    def test_one_whose_sender_died_ends_too(self, db: Database, clock: ManualClock) -> None:
        enqueue(db, 1)
        take(db)
        db.write_now(service.call_off, "reservation", "1")
        clock.advance(service.LEASE)
        assert take(db) == []
        assert status(db) == [("CALLED_OFF", False)]
        assert db.read_now(oldest_due, service.MAILS) is None

    def test_content_that_is_on_its_way_may_arrive_and_its_row_says_so(self, db: Database) -> None:
        enqueue(db, 1)
        (held,) = take(db)
        assert db.write_now(service.begin_content, held)
        db.write_now(service.call_off, "reservation", "1")
        assert db.write_now(service.settle, held, MailAccepted("ok")) == "DONE"

    def test_what_has_gone_out_stays(self, db: Database) -> None:
        enqueue(db, 1)
        (held,) = take(db)
        db.write_now(service.settle, held, MailAccepted("ok"))
        assert db.write_now(service.call_off, "reservation", "1") == 0


class TestQueueAgain:
    def test_a_person_may_send_a_parked_or_failed_mail_once_more(self, db: Database) -> None:
        enqueue(db, 1, 2, 3)
        unknown, failed, done = take(db)
        db.write_now(service.begin_content, unknown)
        db.write_now(service.settle, unknown, MailUnknown("silence", maybe_sent=True))
        db.write_now(service.settle, failed, MailRefused(550, "no"))
        db.write_now(service.settle, done, MailAccepted("ok"))
        answers = [db.write_now(service.queue_again, row.id) for row in (unknown, failed, done)]
        assert answers == [True, True, False]
        assert not db.write_now(service.queue_again, unknown.id), "it waits already"
        assert [row.message_id for row in take(db)] == [unknown.message_id, failed.message_id]


class TestLooking:
    def test_what_became_of_the_mails_about_something(self, db: Database) -> None:
        enqueue(db, 1, 2, 3)
        first = take(db)[0]
        db.write_now(service.settle, first, MailRefused(550, "no"))
        found = db.read_now(mails_about, "reservation", ["1", "2"])
        assert found[0] == MailState(
            id=first.id,
            purpose="CONFIRMATION",
            subject_id="1",
            revision=0,
            status="FAILED",
            due_at=NOON,
            attempt_count=1,
            last_error="550 no",
            sent_at=None,
        )
        assert [one.subject_id for one in found] == ["1", "2"]
        assert db.read_now(mails_about, "thread", ["1"]) == []
