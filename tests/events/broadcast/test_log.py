"""`push/YYYY-MM-DD.ndjson`: one line per recipient, whatever happens in between."""

import time
from datetime import timedelta

import pytest

from tests.events.broadcast.crowd import Hall, gather
from tests.product_fixtures import sqlite_only
from tsudoi.core.ndjson import DailyFile
from tsudoi.events.broadcast import jobs
from tsudoi.events.broadcast.service import logging
from tsudoi.events.broadcast.service.settling import withdraw_unsent


class TestLines:
    def test_have_the_documented_fields(self, office: Hall) -> None:
        office.refuse_strangers()
        sent = office.enqueue(gather(office.db, office.box, 4, strangers=[1]), "late")
        office.send(sent)
        by_member = {line["member_id"]: line for line in office.lines()}
        common = {
            "ts": "2025-08-16T12:00:00+09:00",
            "kind": "event",
            "event_id": office.event_id,
            "broadcast": "late",
            "broadcast_id": sent,
        }
        pushed, refused, third, _ = office.people()
        first = {"member_id": 1, "status": "success", "message_id": pushed["message_id"]}
        assert by_member[1] == {**common, **first, "request_id": pushed["request_id"]}
        failed = {"member_id": 2, "status": "fail", "message_id": None, "reason": refused["last_error"]}
        assert by_member[2] == {**common, **failed, "request_id": refused["request_id"]}
        many = {"member_id": 3, "status": "success", "message_id": None}
        assert by_member[3] == {**common, **many, "request_id": third["request_id"]}
        assert list(by_member[3])[:6] == ["ts", "kind", "event_id", "member_id", "status", "message_id"]
        assert len(office.lines()) == 4
        deadline = time.monotonic() + 10
        while not all(row["logged"] for row in (*office.people(), *office.chunks())):
            assert time.monotonic() < deadline  # Nobody waits for the mark, so it may come a moment later.
        written = str(office.lines())
        assert not [row for row in office.people() if row["line_user_id"] in written]
        assert "会員" not in written


class TestFinishLog:
    def test_has_nothing_to_do_after_a_good_day(self, office: Hall) -> None:
        office.send(office.invite(3))
        office.clock.advance(timedelta(minutes=5))
        assert jobs.finish_log(office.runtime) == 0
        assert len(office.lines()) == 3

    def test_writes_what_could_not_be_written(self, office: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_args: object) -> None:
            raise OSError("no space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(DailyFile, "append_lines", full)
            sent = office.invite(5)
            assert office.send(sent).success == 5
            office.clock.advance(timedelta(minutes=2))
            assert jobs.finish_log(office.runtime) == 0
        assert office.lines() == []
        assert jobs.finish_log(office.runtime) == 0, "somebody may be writing them just now"
        office.clock.advance(timedelta(hours=20))
        assert jobs.finish_log(office.runtime) == 5
        assert {line["ts"] for line in office.lines()} == {"2025-08-16T12:00:00+09:00"}
        office.clock.advance(timedelta(minutes=5))
        assert jobs.finish_log(office.runtime) == 0

    @sqlite_only
    def test_does_not_repeat_what_was_written_but_not_marked(
        self, office: Hall, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(logging, "mark_tasks", lambda _tx, _tasks: None)
            office.send(office.invite(3))
        office.clock.advance(timedelta(minutes=5))
        assert jobs.finish_log(office.runtime) == 0
        assert sorted(line["member_id"] for line in office.lines()) == [1, 2, 3]
        assert all(row["logged"] for row in (*office.people(), *office.chunks()))

    def test_writes_what_was_withdrawn(self, office: Hall) -> None:
        office.invite(3)
        office.db.write_now(withdraw_unsent, office.event_id)
        office.clock.advance(timedelta(minutes=2))
        assert jobs.finish_log(office.runtime) == 3
        assert {(line["status"], line["reason"]) for line in office.lines()} == {("fail", "cancelled")}
