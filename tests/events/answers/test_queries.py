"""Who comes, now or as of a moment in the past; also with rows that other programs wrote as the document shows them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text, update

from tests.conftest import NOON
from tests.factories.events import make_event, make_members
from tsudoi.core.db.interface import Database
from tsudoi.events.answers import queries
from tsudoi.events.event.models import EventTarget

TICK, SECOND = timedelta(microseconds=1), timedelta(seconds=1)
# `2025-08-16T12:00:00+09:00` is NOON.
AT_NOON, A_SECOND_LATER = "2025-08-16T12:00:00+09:00", "2025-08-16T12:00:01+09:00"


def write(db: Database, event_id: int, member_id: int, *rows: tuple[str, str]) -> None:
    """(status, responded_at) as any other program would insert them."""
    statement = text(
        """INSERT INTO event_responses (event_id, member_id, status, extra_text, via, responded_at)
        VALUES (:event_id, :member_id, :status, NULL, 'liff', :responded_at)"""
    )
    given = [
        {"event_id": event_id, "member_id": member_id, "status": status, "responded_at": at} for status, at in rows
    ]
    db.write_now(lambda tx: tx.execute(statement, given))


def statuses(db: Database, event_id: int, as_of: datetime | None = None) -> list[str]:
    return [row[2] for row in rows(db, event_id, as_of)]


def rows(db: Database, event_id: int, as_of: datetime | None = None) -> Sequence[Any]:
    found: Sequence[Any] = db.read_now(queries.status_rows, event_id, as_of)
    streamed = db.read_now(lambda tx: list(queries.status_stream(tx, event_id, as_of)))
    assert [tuple(row) for row in streamed] == [tuple(row) for row in found]
    counted = db.read_now(queries.counts, event_id, as_of)
    assert counted == {name: [row[2] for row in found].count(name) for name in ("attend", "absent", "pending")}
    return found


@pytest.fixture
def event_id(db: Database) -> int:
    return make_event(db, make_members(db, 101))


class TestAsOf:
    def test_an_answer_counts_from_its_own_moment_on(self, db: Database, event_id: int) -> None:
        write(db, event_id, 101, ("attend", "2025-08-16T12:00:00.000500+09:00"), ("absent", A_SECOND_LATER))
        first = NOON + 500 * TICK
        assert statuses(db, event_id, first - TICK) == ["pending"]
        assert statuses(db, event_id, first) == ["attend"]
        assert statuses(db, event_id, NOON + SECOND - TICK) == ["attend"]
        assert statuses(db, event_id, NOON + SECOND) == ["absent"]
        assert statuses(db, event_id) == ["absent"]

    def test_takes_any_offset(self, db: Database, event_id: int) -> None:
        write(db, event_id, 101, ("attend", AT_NOON))
        for offset in ("+00:00", "+09:00", "-08:00"):
            zone = datetime.fromisoformat(f"2000-01-01T00:00:00{offset}").tzinfo
            assert statuses(db, event_id, NOON.astimezone(zone)) == ["attend"]
            assert statuses(db, event_id, (NOON - TICK).astimezone(zone)) == []

    def test_shows_nobody_before_being_asked(self, db: Database, event_id: int) -> None:
        make_members(db, 102)
        late = {"event_id": event_id, "member_id": 102, "added_at": NOON + SECOND}
        db.write_now(lambda tx: tx.execute(EventTarget.__table__.insert().values(late)))  # type: ignore[attr-defined]
        assert [row[0] for row in rows(db, event_id, NOON)] == [101]
        assert [row[0] for row in rows(db, event_id, NOON + SECOND - TICK)] == [101]
        assert [row[0] for row in rows(db, event_id, NOON + SECOND)] == [101, 102]
        assert [row[0] for row in rows(db, event_id)] == [101, 102]
        assert db.read_now(queries.unanswered, event_id) == {101, 102}

    def test_shows_nobody_before_there_was_an_event(self, db: Database, event_id: int) -> None:
        make_event(db, [101], created_at=NOON - timedelta(days=1))
        assert rows(db, event_id, NOON - TICK) == []
        assert statuses(db, event_id, NOON) == ["pending"]

    def test_of_the_far_future_is_now(self, db: Database, event_id: int) -> None:
        write(db, event_id, 101, ("attend", "2099-12-31T23:59:59+09:00"))
        assert statuses(db, event_id) == ["attend"]
        assert statuses(db, event_id, NOON + timedelta(days=365 * 50)) == ["pending"]


class TestRowsOfOthers:
    """The document writes whole seconds, we write microseconds: as text too, time order is kept."""

    def test_fall_into_place(self, db: Database, event_id: int) -> None:
        ours = ("attend", "2025-08-16T12:00:00.999999+09:00")
        write(db, event_id, 101, ("absent", A_SECOND_LATER), ours)
        assert statuses(db, event_id) == ["absent"]
        assert statuses(db, event_id, NOON + SECOND - TICK) == ["attend"]

    def test_of_a_whole_second_come_before_ours_within_it(self, db: Database, event_id: int) -> None:
        write(db, event_id, 101, ("absent", "2025-08-16T12:00:00.000000+09:00"), ("attend", AT_NOON))
        assert statuses(db, event_id) == ["absent"]

    def test_of_one_second_count_by_the_order_in_which_they_came(self, db: Database, event_id: int) -> None:
        write(db, event_id, 101, *((status, AT_NOON) for status in ("attend", "absent", "attend", "absent")))
        assert statuses(db, event_id) == ["absent"]
        write(db, event_id, 101, ("attend", AT_NOON))
        assert statuses(db, event_id) == ["attend"]

    def test_that_came_late_do_not_count_over_newer_ones(self, db: Database, event_id: int) -> None:
        write(db, event_id, 101, ("attend", A_SECOND_LATER), ("absent", AT_NOON))
        assert statuses(db, event_id) == ["attend"]
        history = db.read_now(lambda tx: [row.status for row in queries.history_stream(tx, event_id)])
        assert history == ["absent", "attend"]


class TestHistoryRows:
    def test_can_be_narrowed_and_paged(self, db: Database, event_id: int) -> None:
        make_members(db, 102)
        write(db, event_id, 101, *(("attend", AT_NOON),) * 3)
        write(db, event_id, 102, *(("absent", AT_NOON),) * 2)
        write(db, make_event(db, [101]), 101, ("absent", AT_NOON))

        start = db.read_now(queries.history_start, event_id)

        def ids(limit: int = 9, *, member_id: int | None = None, **place: Any) -> list[int]:
            found = db.read_now(queries.history_rows, event_id, start._replace(**place), limit, member_id=member_id)
            return [row.id for row in found]

        assert start.until == 5
        assert ids() == [5, 3]
        assert ids(earlier=True) == [4, 2, 1]
        assert ids(member_id=101) == [3]
        assert ids(1) == [5]
        assert ids(before_id=5) == [3]
        assert ids(1, earlier=True, before_id=4) == [2]
        assert ids(member_id=101, earlier=True, before_id=2) == [1]
        assert ids(0) == []
        write(db, event_id, 101, ("absent", AT_NOON))
        assert (ids(), ids(earlier=True)) == ([5, 3], [4, 2, 1]), "what comes later does not shift the pages"
        assert ids(until=9) == [7, 5]
        recent = db.read_now(queries.recent_history, event_id, 3)
        assert [row.id for row in recent] == [7, 5, 4]
        assert [row.id for row in db.read_now(queries.recent_history, event_id, 99)] == [7, 5, 4, 3, 2, 1]


class TestMyLatest:
    def test_is_the_one_that_the_status_shows(self, db: Database, event_id: int) -> None:
        assert db.read_now(queries.my_latest, event_id, 101) is None
        write(db, event_id, 101, ("attend", AT_NOON), ("absent", AT_NOON), ("attend", "2025-08-16T11:59:59+09:00"))
        latest = db.read_now(queries.my_latest, event_id, 101)
        assert latest is not None
        assert [latest.status] == statuses(db, event_id) == ["absent"]
        db.write_now(lambda tx: tx.execute(update(EventTarget).values(added_at=NOON + SECOND)))
        assert statuses(db, event_id) == ["absent"]
