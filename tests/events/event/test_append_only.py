"""An answer that was given stays as it was given: both databases refuse, whoever asks."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from tests.conftest import NOON
from tests.factories.events import make_event, make_members
from tsudoi.core.clock import jst_moment_text
from tsudoi.core.db.interface import Database


@pytest.fixture
def event_id(db: Database) -> int:
    """Two members, two answers."""
    made = make_event(db, make_members(db, 101, 102))
    for member_id in (101, 102):
        run(
            db,
            f"""INSERT INTO event_responses (event_id, member_id, status, via, responded_at)
            VALUES ({made}, {member_id}, 'attend', 'liff', '{jst_moment_text(NOON)}')""",
        )
    return made


def run(db: Database, statement: str) -> None:
    db.write_now(lambda tx: tx.execute(text(statement)))


def answers(db: Database) -> list[tuple[int, int, str]]:
    found = text("SELECT event_id, member_id, status FROM event_responses ORDER BY id")
    return [tuple(row) for row in db.read_now(lambda tx: tx.execute(found).fetchall())]


class TestAnswers:
    def test_are_never_changed_or_taken_away(self, db: Database, event_id: int) -> None:
        other = make_event(db, [101])
        for statement in (
            "UPDATE event_responses SET status = 'absent'",
            "UPDATE event_responses SET extra_text = 'x' WHERE id = 1",
            "UPDATE event_responses SET via = 'admin', status = status",
            "UPDATE event_responses SET responded_at = '2020-01-01T00:00:00+09:00'",
            "UPDATE event_responses SET id = id + 100",
            "UPDATE event_responses SET member_id = 102 WHERE member_id = 101",
            f"UPDATE event_responses SET event_id = {other}",
            "DELETE FROM event_responses",
            "DELETE FROM event_responses WHERE id = 1",
        ):
            with pytest.raises(DBAPIError, match="append-only"):
                run(db, statement)
        assert answers(db) == [(event_id, 101, "attend"), (event_id, 102, "attend")]

    def test_go_with_their_member(self, db: Database, event_id: int) -> None:
        run(db, "DELETE FROM members WHERE id = 101")
        assert answers(db) == [(event_id, 102, "attend")]

    def test_go_with_their_event(self, db: Database, event_id: int) -> None:
        other = make_event(db, [101])
        run(db, f"DELETE FROM events WHERE id = {event_id}")
        assert answers(db) == []
        left = db.read_now(lambda tx: tx.execute(text("SELECT event_id, member_id FROM event_targets")).fetchall())
        assert [tuple(row) for row in left] == [(other, 101)]

    def test_follow_a_member_whose_number_changes(self, db: Database, event_id: int) -> None:
        run(db, "UPDATE members SET id = 201 WHERE id = 101")
        run(db, f"UPDATE events SET id = {event_id + 10} WHERE id = {event_id}")
        assert answers(db) == [(event_id + 10, 201, "attend"), (event_id + 10, 102, "attend")]

    def test_are_answers_of_members_to_events(self, db: Database, event_id: int) -> None:
        for values in (
            f"{event_id}, 101, 'pending', 'liff'",
            f"{event_id}, 101, 'attend', 'web'",
            f"{event_id}, 999, 'attend', 'liff'",
            "999, 101, 'attend', 'liff'",
        ):
            with pytest.raises(DBAPIError):
                run(
                    db,
                    f"""INSERT INTO event_responses (event_id, member_id, status, via, responded_at)
                    VALUES ({values}, '{jst_moment_text(NOON)}')""",
                )
        assert len(answers(db)) == 2
