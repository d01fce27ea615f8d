"""Every answer that LINE can give, and what it means for those who were to be told. Two people to a chunk."""

from datetime import timedelta

import pytest

from tests.events.broadcast.crowd import Hall, gather, runtime_for_sending
from tests.product_fixtures import sqlite_only
from tests.servers import nobody_there
from tsudoi.core.clock import ManualClock, jst_text
from tsudoi.events.broadcast.models import EventPushStats
from tsudoi.events.broadcast.queries import PushResult

A_LONG_TIME = timedelta(hours=23)


class TestAccepted:
    def test_all_are_told_once_with_lines_request_id(self, office: Hall) -> None:
        sent = office.invite(5)
        assert office.send(sent) == PushResult(success=5)
        assert [row["status"] for row in office.chunks()] == ["DONE"] * 3
        for chunk in office.chunks():
            mine = [row["request_id"] for row in office.people() if row["chunk_id"] == chunk["id"]]
            assert set(mine) == {chunk["request_id"]} != {None}
        assert (len(office.calls("multicast")), office.calls("push")) == (3, [])
        assert office.violations(sent) == []

    def test_nothing_is_left_to_do(self, office: Hall) -> None:
        sent = office.invite(3)
        office.send(sent)
        office.send(sent)
        assert len(office.calls("multicast")) == 2

    def test_the_summary_counts_invitations_only(self, office: Hall, clock: ManualClock) -> None:
        people = gather(office.db, office.box, 4)
        office.send(office.enqueue(people[:3]))
        office.send(office.enqueue(people[3:], "late"))
        clock.advance(timedelta(hours=1))
        office.send(office.enqueue(people, "reminder", reminder_day="2025-08-16"))
        assert office.stats() == (4, 0)
        at = office.rows(EventPushStats)[0]["last_sent_at"]
        assert jst_text(at) == jst_text(clock.now() - timedelta(hours=1))

    @pytest.mark.parametrize("fault", ["timeout_after_accept", "error_500_after", "conflict"])
    def test_a_lost_answer_is_found_again_by_the_same_key(self, office: Hall, fault: str) -> None:
        office.box.breaks(fault, "multicast", times=1, seconds=1)
        sent = office.invite(2)
        office.send(sent)
        if fault != "conflict":
            [chunk] = office.chunks()
            assert (chunk["status"], chunk["uncertain"], office.statuses()) == ("PENDING", True, ["PENDING"] * 2)
        assert office.send_all(sent) == PushResult(success=2)
        delivered = office.box.http.get("/_sandbox/deliveries").json()["deliveries"]
        assert {row["request_id"] for row in delivered} == {office.chunks()[0]["request_id"]}
        assert office.violations(sent) == []


class TestRefused:
    def test_one_bad_id_and_the_others_are_told_one_by_one(self, office: Hall) -> None:
        office.refuse_strangers()
        sent = office.enqueue(gather(office.db, office.box, 4, strangers=[1]))
        assert office.send(sent) == PushResult(success=3, fail=1)
        assert [row["status"] for row in office.chunks()] == ["FAILED", "DONE"]
        told, refused, *others = office.people()
        assert (told["status"], refused["status"]) == ("DONE", "FAILED")
        assert told["message_id"]
        assert [other["message_id"] for other in others] == [None, None]
        assert refused["last_error"].startswith("400: ")
        assert len(office.calls("push")) == 2
        assert office.stats() == (3, 1)
        assert office.violations(sent) == []

    @sqlite_only
    def test_a_token_that_is_not_valid_is_not_tried_on_each(self, office: Hall) -> None:
        with runtime_for_sending(
            office.db, office.runtime.settings.data_dir, office.box.url, line_channel_access_token="old"
        ) as t:
            office.runtime = t
            sent = office.invite(4)
            assert office.send(sent) == PushResult(fail=4)
        assert (len(office.calls("multicast")), office.calls("push")) == (2, [])
        assert {row["last_error"][:4] for row in office.people()} == {"401:"}

    @sqlite_only
    def test_messages_that_line_does_not_take_are_not_tried_on_each(self, office: Hall) -> None:
        sent = office.invite(2, messages=[{"type": "text", "text": "あ" * 5001}])
        assert office.send(sent) == PushResult(fail=2)
        assert office.calls("push") == []

    def test_after_a_doubt_nothing_is_guessed(self, office: Hall) -> None:
        office.refuse_strangers()
        office.box.breaks("error_500_before", "multicast", times=1)
        sent = office.enqueue(gather(office.db, office.box, 2, strangers=[0]))
        assert office.send_all(sent) == PushResult(unknown=2)
        assert office.chunks()[0]["status"] == "UNKNOWN"
        assert office.calls("push") == []
        assert office.stats() == (0, 0)
        assert office.violations(sent) == []

    def test_a_push_after_a_doubt_is_unknown_too(self, office: Hall) -> None:
        office.refuse_strangers()
        office.box.breaks("error_500_before", "push", times=1)
        sent = office.enqueue(gather(office.db, office.box, 1, strangers=[0]))
        assert office.send(sent) == PushResult(pending=1)
        assert office.send_all(sent) == PushResult(unknown=1)

    def test_a_push_whose_answer_was_lost_is_found_again(self, office: Hall) -> None:
        office.refuse_strangers()
        office.box.breaks("error_500_after", "push", times=1)
        sent = office.enqueue(gather(office.db, office.box, 2, strangers=[1]))
        assert office.send_all(sent) in (PushResult(success=1, fail=1), PushResult(success=1, unknown=1))
        assert office.people()[0]["message_id"]
        assert office.violations(sent) == []


class TestNotNow:
    def test_a_rate_limit_is_waited_for_with_the_same_key(self, office: Hall) -> None:
        office.box.breaks("rate_limited", "multicast", times=2)
        sent = office.invite(2)
        office.send(sent)
        [chunk] = office.chunks()
        assert (chunk["status"], chunk["uncertain"], chunk["last_error"][:4]) == ("PENDING", False, "429:")
        assert chunk["due_at"] > office.clock.now()
        office.send(sent)
        assert len(office.calls("multicast")) == 1
        assert office.send_all(sent) == PushResult(success=2)
        assert len(office.calls("multicast")) == 3

    def test_a_rate_limit_that_never_ends_has_surely_failed(self, office: Hall) -> None:
        office.box.breaks("rate_limited", "multicast")
        sent = office.enqueue(gather(office.db, office.box, 2), "reminder", reminder_day="2025-08-16")
        office.send(sent)
        office.clock.advance(A_LONG_TIME)
        assert office.send(sent) == PushResult(fail=2)
        assert [row["reminder_day"] for row in office.people()] == [None, None]

    @sqlite_only
    def test_silence_is_parked_after_23_hours(self, office: Hall) -> None:
        office.box.breaks("error_500_before", "multicast")
        sent = office.enqueue(gather(office.db, office.box, 3), "reminder", reminder_day="2025-08-16")
        tries = 0
        while office.send(sent).pending:
            tries += 1
            assert tries < 500
            office.clock.advance(timedelta(minutes=15))
        assert office.result(sent) == PushResult(unknown=3)
        assert {row["status"] for row in office.chunks()} == {"UNKNOWN"}
        assert {row["reminder_day"] for row in office.people()} == {"2025-08-16"}
        assert tries >= 90

    def test_workers_that_were_away_for_a_day_park_it_untried(self, office: Hall) -> None:
        office.box.breaks("timeout_after_accept", "multicast", times=1, seconds=1)
        office.refuse_strangers()
        sent = office.enqueue(gather(office.db, office.box, 4, strangers=[3]))
        office.box.breaks("error_500_before", "*")
        office.send(sent)
        office.clock.advance(timedelta(hours=30))
        assert office.send(sent) == PushResult(unknown=4)
        assert office.stats() == (0, 0)

    def test_pushes_are_parked_too(self, office: Hall) -> None:
        office.refuse_strangers()
        office.box.breaks("error_500_before", "push")
        sent = office.enqueue(gather(office.db, office.box, 2, strangers=[1]))
        office.send(sent)
        office.clock.advance(timedelta(hours=30))
        assert office.send(sent) == PushResult(unknown=2)
        assert {row["status"] for row in office.chunks()} == {"FAILED"}

    @sqlite_only
    def test_nobody_there_leaves_no_doubt(self, office: Hall) -> None:
        with runtime_for_sending(office.db, office.runtime.settings.data_dir, nobody_there()) as runtime:
            office.runtime = runtime
            sent = office.invite(2)
            office.send(sent)
            assert office.chunks()[0]["uncertain"] is False
            office.clock.advance(A_LONG_TIME)
            assert office.send(sent) == PushResult(fail=2)


class TestQuota:
    def test_stops_at_once(self, office: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tsudoi.events.broadcast.jobs.THREADS", 1)
        office.box.breaks("quota_exhausted", "multicast")
        sent = office.enqueue(gather(office.db, office.box, 40), "reminder", reminder_day="2025-08-16")
        assert office.send(sent) == PushResult(fail=40)
        assert len(office.calls("multicast")) == 1
        assert {row["last_error"] for row in office.people()} == {"QUOTA"}
        assert {row["reminder_day"] for row in office.people()} == {None}

    def test_keeps_what_went_out_before(self, office: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tsudoi.events.broadcast.jobs.THREADS", 1)
        sent = office.invite(6)
        office.box.http.put("/_sandbox/quota", json={"type": "limited", "value": 2, "total_usage": 0})
        assert office.send(sent) == PushResult(success=2, fail=4)
        assert office.stats() == (2, 4)
        assert office.violations(sent) == []

    def test_does_not_touch_another_broadcast(self, office: Hall) -> None:
        people = gather(office.db, office.box, 4)
        first, second = office.enqueue(people[:2]), office.enqueue(people[2:], "late")
        office.box.breaks("quota_exhausted", "multicast", times=1)
        assert office.send(first) == PushResult(fail=2)
        assert office.send(second) == PushResult(success=2)
        assert office.stats() == (2, 2)

    def test_after_a_doubt_is_unknown(self, office: Hall) -> None:
        sent = office.invite(2)
        office.box.breaks("error_500_after", "multicast", times=1)
        office.send(sent)
        office.box.breaks("quota_exhausted", "multicast")
        assert office.send_all(sent) == PushResult(unknown=2)
        assert office.violations(sent) == []

    def test_of_a_push_stops_the_other_pushes(self, office: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tsudoi.events.broadcast.jobs.THREADS", 1)
        office.refuse_strangers()
        office.box.breaks("quota_exhausted", "push")
        sent = office.enqueue(gather(office.db, office.box, 2, strangers=[1]))
        assert office.send(sent) == PushResult(fail=2)
        assert len(office.calls("push")) == 1
