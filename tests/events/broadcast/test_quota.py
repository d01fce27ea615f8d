"""Over the monthly limit as many as fit get it, in roster order; the others surely failed and can be sent to later."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy.event import listen, remove

from tests.events.broadcast.crowd import HELLO, Hall, gather
from tests.product_fixtures import sqlite_only
from tsudoi.core.db.interface import ReadTx
from tsudoi.events.broadcast import jobs, queries, rules
from tsudoi.events.broadcast.models import EventPushStats
from tsudoi.events.broadcast.queries import PushResult
from tsudoi.events.broadcast.service.claiming import claim_tasks
from tsudoi.events.broadcast.service.enqueueing import enqueue
from tsudoi.events.broadcast.service.settling import settle_attempt, withdraw_unsent
from tsudoi.events.broadcast.service.tasks import Recipients, SendAttempt
from tsudoi.gateway.clients.line_outcomes import QuotaExhausted


def limit(office: Hall, left: int) -> None:
    """LINE takes so many more messages this month."""
    office.box.http.put("/_sandbox/quota", json={"type": "limited", "value": left, "total_usage": 0})


@pytest.fixture
def large_chunks(monkeypatch: pytest.MonkeyPatch, office: Hall) -> Hall:
    monkeypatch.setattr(rules, "CHUNK", 50)
    return office


class TestLimitAtEnqueue:
    def test_the_first_get_it_and_the_rest_failed(self, office: Hall) -> None:
        people = gather(office.db, office.box, 7)
        day = {"reminder_day": "2025-08-16"}
        sent = office.enqueue(people, "reminder", limit=3, **day)
        assert office.result(sent) == PushResult(pending=3, fail=4)
        assert [row["reminder_day"] for row in office.people()] == ["2025-08-16"] * 3 + [None] * 4
        assert office.send(sent) == PushResult(success=3, fail=4)
        assert [row["status"] for row in office.people()] == ["DONE"] * 3 + ["FAILED"] * 4
        assert {row["last_error"] for row in office.people()[3:]} == {"QUOTA"}
        assert len(office.calls("multicast")) == 2
        assert office.violations(sent) == []

    def test_they_are_counted_and_logged(self, office: Hall) -> None:
        sent = office.invite(5, limit=2)
        assert office.stats() == (0, 3)
        office.send(sent)
        assert office.stats() == (2, 3)
        office.clock.advance(timedelta(minutes=2))
        assert jobs.finish_log(office.runtime) == 3
        assert Counter(line["status"] for line in office.lines()) == {"success": 2, "fail": 3}

    @pytest.mark.parametrize("left", [0, 5, 9])
    def test_nothing_left_and_enough_left(self, office: Hall, left: int) -> None:
        sent = office.invite(5, limit=left)
        assert office.send(sent) == PushResult(success=min(left, 5), fail=max(0, 5 - left))


class TestRefusedByLine:
    """We thought that it fits, and LINE said no."""

    def test_as_many_as_line_has_left_get_it_in_roster_order(self, large_chunks: Hall) -> None:
        office = large_chunks
        sent = office.invite(47)
        limit(office, 20)
        assert office.send(sent) == PushResult(success=20, fail=27)
        assert [row["status"] for row in office.people()] == ["DONE"] * 20 + ["FAILED"] * 27
        assert {row["last_error"] for row in office.people()[20:]} == {"QUOTA"}
        assert len(office.calls("multicast")) == 2
        assert office.stats() == (20, 27)
        assert office.violations(sent) == []
        keys = [chunk["retry_key"] for chunk in office.chunks()]
        assert len(set(keys)) == 2
        office.clock.advance(timedelta(minutes=2))
        jobs.finish_log(office.runtime)
        assert sorted(line["member_id"] for line in office.lines()) == list(range(1, 48))

    def test_the_other_chunks_are_not_tried(self, office: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "THREADS", 1)
        monkeypatch.setattr(rules, "CHUNK", 4)
        sent = office.invite(40)
        limit(office, 6)
        assert office.send(sent) == PushResult(success=6, fail=34)
        assert [row["status"] for row in office.people()][:6] == ["DONE"] * 6
        assert len(office.calls("multicast")) == 3
        assert office.violations(sent) == []

    def test_with_many_threads_no_more_than_that_get_it(self, office: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rules, "CHUNK", 4)
        sent = office.invite(40)
        limit(office, 6)
        found = office.send_all(sent)
        assert (found.success, found.fail) == (6, 34)
        assert office.violations(sent) == []

    def test_it_ends_where_line_counts_behind(self, large_chunks: Hall) -> None:
        """LINE says that there is room for all and refuses everything."""
        office = large_chunks
        office.box.breaks("quota_exhausted", "multicast")
        limit(office, 10_000)
        sent = office.invite(47)
        found = office.send_all(sent)
        assert (found.success, found.pending) == (0, 0)
        assert 1 < len(office.calls("multicast")) < 20

    def test_after_a_doubt_nothing_is_divided(self, large_chunks: Hall) -> None:
        office = large_chunks
        sent = office.invite(10)
        office.box.breaks("error_500_after", "multicast", times=1)
        office.send(sent)
        office.box.breaks("quota_exhausted", "multicast")
        limit(office, 5)
        assert office.send_all(sent) == PushResult(unknown=10)
        assert office.violations(sent) == []

    def test_of_two_that_were_refused_at_once_the_earlier_goes_first(self, office: Hall) -> None:
        sent = office.invite(4)
        first, second = office.db.write_now(claim_tasks, 2)
        for task in (first, second):
            refused = SendAttempt(task, Recipients([1, 2], ["a", "b"]), QuotaExhausted("monthly limit"), quota_left=1)
            assert office.db.write_now(settle_attempt, refused).kept
        assert office.result(sent) == PushResult(pending=1, fail=3)
        assert office.send(sent) == PushResult(success=1, fail=3)
        assert [row["status"] for row in office.people()] == ["DONE", "FAILED", "FAILED", "FAILED"]


class TestClaimAtEnqueue:
    def test_the_worker_cannot_take_it_before_the_request_does(self, office: Hall) -> None:
        people = gather(office.db, office.box, 4)
        queued = office.db.write_now(enqueue, office.event_id, "invite", HELLO, people, "admin:jimukyoku", claim=True)
        assert len(queued.claimed) == 2
        assert jobs.drain(office.runtime) == 0
        jobs.send(office.runtime, queued.broadcast_id, until=float("inf"), claimed=queued.claimed)
        assert office.result(queued.broadcast_id) == PushResult(success=4)
        assert len(office.calls("multicast")) == 2

    def test_a_request_that_dies_leaves_it_to_the_worker(self, office: Hall) -> None:
        people = gather(office.db, office.box, 2)
        queued = office.db.write_now(enqueue, office.event_id, "invite", HELLO, people, "admin:jimukyoku", claim=True)
        office.clock.advance(timedelta(minutes=3))
        assert jobs.drain(office.runtime) == 1
        assert office.result(queued.broadcast_id) == PushResult(success=2)

    def test_a_change_that_has_to_wait_is_not_claimed(self, office: Hall) -> None:
        people = gather(office.db, office.box, 2)
        office.enqueue(people)
        queued = office.db.write_now(enqueue, office.event_id, "change", HELLO, people, "admin:jimukyoku", claim=True)
        assert queued.claimed == []


class TestLastSentAt:
    def test_a_cancellation_with_nothing_unsent_does_not_move_it(self, office: Hall) -> None:
        office.send(office.invite(3))
        before = office.rows(EventPushStats)
        office.clock.advance(timedelta(hours=1))
        office.db.write_now(withdraw_unsent, office.event_id)
        assert office.rows(EventPushStats) == before

    def test_nor_does_it_invent_a_summary_where_nothing_was_to_be_sent(self, office: Hall) -> None:
        office.enqueue([])
        office.db.write_now(withdraw_unsent, office.event_id)
        assert office.rows(EventPushStats) == []


@sqlite_only
def test_what_is_promised_is_counted_without_walking_through_everybody(office: Hall) -> None:
    office.invite(6)
    steps: list[str] = []

    def explain(tx: ReadTx) -> int:
        def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
            if not statement.startswith("EXPLAIN"):
                rows = tx.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                steps.extend(row[3] for row in rows)

        listen(tx.connection, "before_cursor_execute", note)
        try:
            return queries.unsent_messages(tx)
        finally:
            remove(tx.connection, "before_cursor_execute", note)

    assert office.db.read_now(explain) == 6
    assert len(steps) >= 3
    assert not [step for step in steps if step.startswith("SCAN") and "INDEX" not in step], steps
