"""Those who have not answered, once a day at most."""

from datetime import timedelta

import pytest

from tests.conftest import NOON
from tests.events.planning.desk import Desk, jst, link, refusal
from tests.product_fixtures import sqlite_only
from tsudoi.events.broadcast.models import EventDelivery, EventPushStats


@pytest.fixture
def event_id(desk: Desk) -> int:
    return desk.made()


class TestWhoIsReminded:
    def test_only_those_without_an_answer(self, desk: Desk, event_id: int) -> None:
        desk.answer(event_id, 101, "attend")
        desk.answer(event_id, 102, "absent")
        answer = desk.post(f"/{event_id}/reminders")
        assert answer.status_code == 201
        push = {"success": 1, "fail": 0, "unknown": 0, "pending": 0}
        assert answer.json() == {"ok": True, "targets": 1, "push": push}
        assert desk.told() == {101: 1, 102: 1, 103: 2}
        [words] = desk.texts(103)[1:]
        assert "「理事会9月」（2025/09/10 19:00）" in words
        assert words.endswith(f"\n{link(event_id)}")
        [line] = [line for line in desk.audit() if line["action"] == "EVENT_REMIND"]
        assert (line["subject"], line["new"]) == (f"event:{event_id}", {"people": 1})

    def test_only_those_who_are_chosen(self, desk: Desk, event_id: int) -> None:
        desk.answer(event_id, 101)
        assert desk.post(f"/{event_id}/reminders", member_ids=[101, 102, 999]).json()["targets"] == 1
        assert desk.told() == {101: 1, 102: 2, 103: 1}
        assert desk.post(f"/{event_id}/reminders").json()["targets"] == 1
        assert desk.told() == {101: 1, 102: 2, 103: 2}

    @sqlite_only
    def test_not_who_cannot_be_reached_any_more(self, desk: Desk, event_id: int) -> None:
        desk.set(101, line_user_id=None)
        desk.set(102, withdrawn_at=desk.clock.now())
        desk.set(103, is_target=0)
        assert desk.post(f"/{event_id}/reminders").json()["targets"] == 1
        assert desk.told() == {101: 1, 102: 1, 103: 2}, "who was asked before is still asked"

    @sqlite_only
    def test_the_summary_of_the_invitations_stays_as_it_is(self, desk: Desk, event_id: int) -> None:
        before = desk.rows(EventPushStats)
        desk.clock.advance(timedelta(hours=1))
        desk.post(f"/{event_id}/reminders")
        assert desk.rows(EventPushStats) == before


class TestOnceADay:
    def test_the_day_ends_at_midnight_in_japan(self, desk: Desk, event_id: int) -> None:
        desk.clock.advance(jst(2025, 8, 16, 23, 59) - NOON)
        desk.log_in()
        assert desk.post(f"/{event_id}/reminders").json()["targets"] == 3
        assert refusal(desk.post(f"/{event_id}/reminders")) == (409, "NOBODY_TO_REMIND")
        desk.clock.advance(timedelta(minutes=1))
        assert desk.post(f"/{event_id}/reminders").json()["targets"] == 3
        # Nine in the morning in Japan is midnight elsewhere.
        desk.clock.advance(timedelta(hours=9))
        desk.log_in()
        assert refusal(desk.post(f"/{event_id}/reminders")) == (409, "NOBODY_TO_REMIND")
        assert desk.told() == dict.fromkeys((101, 102, 103), 3)
        assert {row["reminder_day"] for row in desk.rows(EventDelivery)} == {None, "2025-08-16", "2025-08-17"}

    @sqlite_only
    def test_each_event_for_itself(self, desk: Desk, event_id: int) -> None:
        other = desk.made(title="もう一つ")
        assert desk.post(f"/{event_id}/reminders").status_code == 201
        assert desk.post(f"/{other}/reminders").status_code == 201

    def test_what_surely_failed_may_be_tried_again(self, desk: Desk, event_id: int) -> None:
        desk.quota(1000, used=1000)
        assert desk.post(f"/{event_id}/reminders", confirm_over_quota=True).json()["push"]["fail"] == 3
        desk.quota(1000)
        assert desk.post(f"/{event_id}/reminders").json()["push"]["success"] == 3
        assert desk.told() == dict.fromkeys((101, 102, 103), 2)

    @sqlite_only
    def test_what_may_have_arrived_is_not(self, desk: Desk, event_id: int) -> None:
        desk.box.breaks("timeout_after_accept", "multicast", times=1, seconds=1)
        assert desk.post(f"/{event_id}/reminders").json()["push"]["pending"] == 3
        assert refusal(desk.post(f"/{event_id}/reminders")) == (409, "NOBODY_TO_REMIND")
        desk.worker_finishes()
        assert desk.told() == dict.fromkeys((101, 102, 103), 2)


@sqlite_only
class TestNotAtAll:
    def test_when_everybody_has_answered(self, desk: Desk, event_id: int) -> None:
        for member_id in desk.users:
            desk.answer(event_id, member_id)
        assert refusal(desk.post(f"/{event_id}/reminders")) == (409, "NOBODY_TO_REMIND")
        assert refusal(desk.post(f"/{event_id}/reminders", member_ids=[])) == (409, "NOBODY_TO_REMIND")

    def test_when_it_is_over_or_cancelled_or_not_there(self, desk: Desk, event_id: int) -> None:
        cancelled = desk.made(held_at="2025-09-11T19:00:00+09:00")
        desk.post(f"/{cancelled}/cancellation").raise_for_status()
        assert refusal(desk.post(f"/{cancelled}/reminders")) == (409, "EVENT_CANCELLED")
        assert refusal(desk.post("/999/reminders")) == (404, "NOT_FOUND")
        # Not that it would cost too much.
        desk.quota(10, used=10)
        for verb, body in (("reminders", {}), ("targets", {"member_ids": [101]}), ("cancellation", {"notify": True})):
            assert refusal(desk.post(f"/{cancelled}/{verb}", **body)) == (409, "EVENT_CANCELLED")
        assert refusal(desk.change(cancelled, title="変更", notify=True)) == (409, "EVENT_CANCELLED")
        desk.quota(1000)
        desk.clock.advance(jst(2025, 9, 10, 19, 0) - desk.clock.now() + timedelta(seconds=1))
        desk.log_in()
        assert refusal(desk.post(f"/{event_id}/reminders")) == (409, "EVENT_OVER")
        assert refusal(desk.post(f"/{event_id}/targets", member_ids=[101])) == (409, "EVENT_OVER")
        assert desk.told() == dict.fromkeys((101, 102, 103), 2)
