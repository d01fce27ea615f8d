"""What the list of events says of invitations that are still open: the same as everybody counted one by one."""

from typing import Any

from sqlalchemy import event as sqlalchemy_event
from sqlalchemy import insert, select, update

from tests.events.broadcast.crowd import Hall, gather
from tests.product_fixtures import sqlite_only
from tsudoi.core.db.interface import ReadTx, Tx
from tsudoi.events.broadcast import queries
from tsudoi.events.broadcast.models import EventChunk, EventDelivery, EventPushStats
from tsudoi.events.broadcast.queries import PushResult
from tsudoi.events.broadcast.service.claiming import claim_tasks
from tsudoi.events.broadcast.service.settling import settle_attempt
from tsudoi.events.broadcast.service.tasks import NOBODY, SendAttempt
from tsudoi.events.overview.queries.listing import Filters, event_page
from tsudoi.gateway.clients.line_outcomes import Accepted, Rejected, SendOutcome


def settle(office: Hall, *words: SendOutcome) -> None:
    """Each of the next tasks, in their order, ends with one of these answers of LINE."""
    for task, word in zip(office.db.write_now(claim_tasks, len(words)), words, strict=True):
        office.db.write_now(settle_attempt, SendAttempt(task, NOBODY, word))


def listed(office: Hall) -> dict[str, Any] | None:
    page = office.db.read_now(event_page, Filters(None, None, "", newest_first=True), 10, None)
    stats = page.items[0].push_stats
    return None if stats is None else stats.model_dump(exclude={"last_sent_at"})


def counted(office: Hall) -> PushResult:
    return office.db.read_now(queries.totals, [office.event_id])[office.event_id]


def same(office: Hall) -> PushResult:
    everybody = counted(office)
    names = ("success", "fail", "unknown", "pending")
    assert listed(office) == {name: getattr(everybody, name) for name in names}
    return everybody


def test_nothing_is_said_before_anything_is_final(office: Hall) -> None:
    office.invite(4)
    assert listed(office) is None


def test_every_state_of_a_chunk_and_of_those_who_are_told_alone(office: Hall) -> None:
    people = gather(office.db, office.box, 10)
    office.enqueue(people[:8])
    office.enqueue(people[8:9], "late")
    settle(office, Accepted("yes"), Rejected(403, "no"), Rejected(400, "one of them"))
    assert same(office) == PushResult(success=2, fail=2, pending=5)
    # Not an invitation, and not counted as one.
    office.enqueue(people, "change")
    assert same(office) == PushResult(success=2, fail=2, pending=5)


def test_what_nobody_knows_is_told_apart_from_what_still_goes_out(office: Hall) -> None:
    office.enqueue(gather(office.db, office.box, 6))
    office.db.write_now(_say, {1: "UNKNOWN", 2: "FAILED"}, {3: "UNKNOWN", 4: "PENDING"})
    assert same(office) == PushResult(unknown=3, pending=3)


@sqlite_only
def test_those_who_wait_or_were_told_are_not_walked_through(office: Hall) -> None:
    office.invite(6)
    office.db.write_now(_say, {1: "UNKNOWN"}, {})
    seen: list[str] = []

    def explain(tx: ReadTx) -> list[str]:
        def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
            if "event_deliveries" in statement and not statement.startswith("EXPLAIN"):
                rows = tx.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                seen.extend(row[3] for row in rows)

        sqlalchemy_event.listen(tx.connection, "before_cursor_execute", note)
        queries.unsettled(tx, {office.event_id: 0})
        sqlalchemy_event.remove(tx.connection, "before_cursor_execute", note)
        return seen

    resent, people = [step for step in office.db.read_now(explain) if "event_deliveries" in step]
    assert "idx_event_deliveries_resent" in resent
    assert "idx_event_deliveries_chunk" in people


def _say(tx: Tx, chunks: dict[int, str], people: dict[int, str]) -> None:
    """As LINE's answers leave it, by the chunk's place and, for those who were told alone, by the member."""
    ids = tx.execute(select(EventChunk.id).order_by(EventChunk.id)).scalars().all()
    for place, status in chunks.items():
        tx.execute(update(EventChunk).where(EventChunk.id == ids[place - 1]).values(status=status))
    for member_id, status in people.items():
        tx.execute(update(EventDelivery).where(EventDelivery.member_id == member_id).values(status=status))
    event_id = tx.scalar(select(EventDelivery.event_id).limit(1))
    tx.execute(insert(EventPushStats).values(event_id=event_id, last_sent_at=tx.now))
