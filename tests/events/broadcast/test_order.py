"""What one event says arrives in an order that makes sense: no old text after its change, nothing after the end."""

from datetime import timedelta
from typing import Any

from sqlalchemy import update

from tests.events.broadcast.crowd import Hall, gather
from tsudoi.core.db.interface import Tx
from tsudoi.events.broadcast import queries
from tsudoi.events.broadcast.queries import PushResult
from tsudoi.events.broadcast.service.settling import withdraw_unsent
from tsudoi.events.event.models import Event

LATER = timedelta(minutes=16)


def text(words: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": words}]


def cancel(tx: Tx, event_id: int) -> None:
    tx.execute(update(Event).where(Event.id == event_id).values(cancelled_at=tx.now))
    withdraw_unsent(tx, event_id)


def heard(office: Hall, place: int = 0) -> list[str]:
    return [message["message"]["text"] for message in office.box.chat(office.people()[place]["line_user_id"])]


class TestChange:
    def test_waits_for_an_invitation_that_has_not_gone_out(self, office: Hall) -> None:
        people = gather(office.db, office.box, 4)
        office.box.breaks("rate_limited", "multicast", times=1)
        invitation = office.enqueue(people, messages=text("19時に集まってください"))
        assert office.send(invitation) == PushResult(success=2, pending=2)
        change = office.enqueue(people, "change", messages=text("20時になりました"))
        assert office.send(change) == PushResult(pending=4)
        office.clock.advance(LATER)
        assert office.send(change) == PushResult(pending=4), "the invitation is due, but has not gone out"
        office.send(invitation)
        assert office.send(change) == PushResult(success=4)
        assert [heard(office, place) for place in range(4)] == [["19時に集まってください", "20時になりました"]] * 4

    def test_waits_for_those_who_are_told_alone(self, office: Hall) -> None:
        office.refuse_strangers()
        people = gather(office.db, office.box, 2, strangers=[1])
        office.box.breaks("rate_limited", "push", times=1)
        invitation = office.enqueue(people)
        office.send(invitation)
        change = office.enqueue(people[:1], "change")
        assert office.send(change) == PushResult(pending=1)
        office.clock.advance(LATER)
        assert office.send_all(invitation).pending == 0
        assert office.send(change) == PushResult(success=1)

    def test_does_not_wait_for_what_may_be_out_already(self, office: Hall) -> None:
        """It may never be known, and the change must not wait for a day."""
        people = gather(office.db, office.box, 2)
        office.box.breaks("error_500_after", "multicast", times=1)
        office.send(office.enqueue(people))
        assert office.send(office.enqueue(people, "change")) == PushResult(success=2)

    def test_does_not_wait_for_what_comes_after_it_or_belongs_to_another(self, office: Hall) -> None:
        people = gather(office.db, office.box, 2)
        office.send(office.enqueue(people))
        change = office.enqueue(people, "change")
        office.enqueue(people, "reminder", reminder_day="2025-08-16")
        assert office.send(change) == PushResult(success=2)

    def test_a_reminder_does_not_wait(self, office: Hall) -> None:
        people = gather(office.db, office.box, 4)
        office.box.breaks("rate_limited", "multicast", times=1)
        office.send(office.enqueue(people[:2]))
        reminder = office.enqueue(people[2:], "reminder", reminder_day="2025-08-16")
        assert office.send(reminder) == PushResult(success=2)


class TestCancellation:
    def test_nobody_is_invited_after_it(self, office: Hall) -> None:
        """An answer that was lost leaves a doubt. Asking LINE again would invite them, had it not gone through."""
        people = gather(office.db, office.box, 2)
        office.box.breaks("error_500_before", "multicast", times=1)
        invitation = office.enqueue(people, messages=text("来てください"))
        assert office.send(invitation) == PushResult(pending=2)
        office.db.write_now(cancel, office.event_id)
        notice = office.enqueue(people, "cancel", messages=text("中止です"))
        assert office.send(notice) == PushResult(success=2)
        office.clock.advance(LATER)
        assert office.send(invitation) == PushResult(unknown=2)
        assert heard(office) == ["中止です"]
        assert office.violations(invitation) == []


class TestOnTheirWay:
    def test_counts_people_of_open_chunks_and_those_told_alone(self, office: Hall) -> None:
        assert office.db.read_now(queries.unsent_messages) == 0
        office.refuse_strangers()
        people = gather(office.db, office.box, 6, strangers=[1])
        sent = office.enqueue(people)
        assert office.db.read_now(queries.unsent_messages) == 6
        office.box.breaks("rate_limited", "push")
        assert office.send(sent) == PushResult(success=4, pending=2)
        assert office.db.read_now(queries.unsent_messages) == 2
        office.box.mends()
        office.clock.advance(LATER)
        office.send_all(sent)
        assert office.db.read_now(queries.unsent_messages) == 0
