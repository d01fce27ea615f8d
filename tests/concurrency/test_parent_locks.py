"""A row that answers refer to is locked without its key: who changes it does not keep the answers waiting."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import insert, select

from tests.factories.events import make_event, make_members
from tests.product_fixtures import postgresql_only
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.errors import DatabaseUnavailable
from tsudoi.events.answers.models import EventResponse
from tsudoi.events.event.models import Event
from tsudoi.events.event.queries import event_of
from tsudoi.roster.linking import queries as linking
from tsudoi.roster.members.models import Member

pytestmark = postgresql_only


def answer(tx: Tx, event_id: int, member_id: int) -> None:
    values = {"event_id": event_id, "member_id": member_id, "status": "attend", "via": "liff", "responded_at": tx.now}
    tx.connection.exec_driver_sql("SET LOCAL lock_timeout = '500ms'")
    tx.execute(insert(EventResponse).values(values))


def answer_while(db: Database, lock: Callable[[Tx], Any]) -> None:
    """The lock is held in one transaction while the answer is written in another."""
    event_id = make_event(db, make_members(db, 101))

    def change(tx: Tx) -> None:
        assert lock(tx)
        db.write_now(answer, event_id, 101)

    db.write_now(change)


@pytest.mark.parametrize(
    "lock",
    [lambda tx: event_of(tx, tx.scalar(select(Event.id)), lock=True), lambda tx: linking.candidates(tx, "会員101")],
    ids=["event", "member"],
)
def test_an_answer_does_not_wait_for_a_change(db: Database, lock: Callable[[Tx], Any]) -> None:
    answer_while(db, lock)
    assert len(db.read_now(lambda tx: tx.execute(select(EventResponse.id)).all())) == 1


@pytest.mark.parametrize("parent", [Event, Member])
def test_with_the_key_it_would(db: Database, parent: type[Event] | type[Member]) -> None:
    """The control."""
    with pytest.raises(DatabaseUnavailable):
        answer_while(db, lambda tx: tx.execute(select(parent.id).with_for_update()).all())
