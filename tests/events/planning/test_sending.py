"""How far the sending got, said honestly: LINE that does not answer, that is full, that is not there."""

import pytest

from tests.events.broadcast.crowd import people
from tests.events.planning.desk import HELD_AT, Desk, refusal
from tests.product_fixtures import ProductMaker, sqlite_only
from tests.servers import nobody_there
from tsudoi.core.clock import ManualClock
from tsudoi.events.broadcast import rules
from tsudoi.events.broadcast.models import EventPushStats

ALL_SENT = {"success": 3, "fail": 0, "unknown": 0, "pending": 0}
ALL_WAITING = {"success": 0, "fail": 0, "unknown": 0, "pending": 3}


class TestNotYet:
    def test_without_waiting_the_answer_comes_at_once_and_the_worker_sends(self, desk: Desk) -> None:
        answer = desk.create(wait=0)
        assert (answer.status_code, answer.json()["push"]) == (201, ALL_WAITING)
        assert desk.told() == {}
        desk.worker_finishes()
        assert desk.told() == {101: 1, 102: 1, 103: 1}
        assert desk.detail(answer.json()["event_id"])["push_stats"]["success"] == 3

    @sqlite_only
    @pytest.mark.parametrize("fault", ["timeout_after_accept", "timeout_before_accept", "error_500_after"])
    def test_no_answer_from_line_is_pending_until_the_worker_knows(self, desk: Desk, fault: str) -> None:
        desk.box.breaks(fault, "multicast", times=1, seconds=1)
        answer = desk.create()
        assert (answer.status_code, answer.json()["push"]) == (201, ALL_WAITING)
        desk.worker_finishes()
        assert desk.told() == {101: 1, 102: 1, 103: 1}
        [stats] = desk.rows(EventPushStats)
        assert (stats["success_count"], stats["fail_count"]) == (3, 0)

    @sqlite_only
    def test_what_stays_in_doubt_is_unknown(self, desk: Desk) -> None:
        """LINE took it, the answer was lost, and then LINE refuses us altogether: nobody can tell any more."""
        desk.box.breaks("timeout_after_accept", "multicast", times=1, seconds=1)
        event_id = desk.made()
        desk.box.breaks("quota_exhausted", "multicast")
        desk.worker_finishes()
        assert desk.detail(event_id)["push"] == {"success": 0, "fail": 0, "unknown": 3, "pending": 0}
        assert {row["status"] for row in people(desk.product.db)} == {"UNKNOWN"}

    @sqlite_only
    def test_the_wait_has_its_limits(self, desk: Desk) -> None:
        for wait in (-1, 21):
            assert refusal(desk.create(wait=wait)) == (400, "INVALID_INPUT")
        assert not any(desk.traces().values())


class TestQuota:
    def test_more_than_is_left_is_refused_before_anything_is_stored(self, desk: Desk) -> None:
        desk.quota(100, used=98)
        answer = desk.create("k1")
        assert refusal(answer) == (409, "QUOTA_EXCEEDED")
        assert answer.json()["details"] == [{"field": "confirm_over_quota", "reason": "QUOTA_EXCEEDED"}]
        assert "あと2通" in answer.json()["message"]
        assert not any(desk.traces().values())
        desk.quota(100, used=97)
        assert desk.create("k1").json()["push"] == ALL_SENT

    @sqlite_only
    def test_with_a_confirmation_it_is_tried_and_what_failed_is_said(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(rules, "CHUNK", 1)
        desk.quota(100, used=98)
        answer = desk.create(confirm_over_quota="true")
        push = answer.json()["push"]
        assert (push["success"], push["fail"], push["unknown"] + push["pending"]) == (2, 1, 0)
        assert sum(desk.told().values()) == 2
        shown = desk.http.get(f"/api/admin/events/{answer.json()['event_id']}/deliveries").json()["items"]
        assert [problem["reason"] for problem in shown[0]["problems"]] == ["QUOTA"]

    def test_what_is_on_its_way_is_spent_already(self, desk: Desk) -> None:
        """LINE has not counted it yet, and whoever confirmed it relies on it."""
        desk.quota(5, used=0)
        first = desk.made(wait=0)
        shown = desk.post("/preview", title="総会", held_at=HELD_AT, target_member_ids=list(desk.users)).json()["quota"]
        assert shown == {"known": True, "limit": 5, "used": 0, "promised": 3, "left": 2, "cost": 3, "enough": False}
        assert refusal(desk.create(title="次の会")) == (409, "QUOTA_EXCEEDED")
        desk.worker_finishes()
        assert desk.detail(first)["push"]["success"] == 3

    @sqlite_only
    def test_a_plan_without_a_limit(self, desk: Desk) -> None:
        desk.quota(None, used=10**6)
        assert desk.create().json()["push"] == ALL_SENT

    @sqlite_only
    def test_line_that_cannot_be_asked_is_no_reason_to_refuse(self, desk: Desk) -> None:
        desk.box.breaks("error_500_before", "quota")
        assert desk.create().json()["push"] == ALL_SENT

    @sqlite_only
    def test_every_notice_is_counted(self, desk: Desk) -> None:
        event_id = desk.made()
        desk.enrol(2, first=201)
        desk.quota(100, used=99)
        before = desk.traces()
        for answer in (
            desk.post(f"/{event_id}/reminders"),
            desk.change(event_id, title="変更", notify=True),
            desk.post(f"/{event_id}/cancellation", notify=True),
            desk.post(f"/{event_id}/targets", member_ids=[201, 202]),
        ):
            assert refusal(answer) == (409, "QUOTA_EXCEEDED")
        assert desk.traces() == before
        assert desk.detail(event_id)["sequence"] == 0

    @sqlite_only
    def test_only_those_who_are_told_are_counted(self, desk: Desk) -> None:
        event_id = desk.made()
        desk.enrol(1, first=201)
        desk.quota(100, used=99)
        added = desk.post(f"/{event_id}/targets", member_ids=[101, 102, 103, 201])
        assert (added.status_code, added.json()["targets"]) == (201, 1), added.text
        assert desk.change(event_id, title="変更").status_code == 200
        desk.quota(100, used=99)
        assert desk.post(f"/{event_id}/reminders", member_ids=[102]).status_code == 201
        desk.quota(100, used=100)
        assert desk.post(f"/{event_id}/reminders", confirm_over_quota=True).json()["push"]["fail"] == 3
        assert desk.post(f"/{event_id}/cancellation").status_code == 200


@sqlite_only
def test_line_that_is_not_there_keeps_nobody_from_deciding(
    desk: Desk, make_product: ProductMaker, clock: ManualClock
) -> None:
    """The event is made and waits; the office sees that it does."""
    away = make_product(line_api_base=nobody_there())
    other = Desk(away, desk.box, clock, desk.users)
    other.log_in()
    answer = other.create()
    assert (answer.status_code, answer.json()["push"]) == (201, ALL_WAITING)
    desk.worker_finishes()
    assert desk.told() == {101: 1, 102: 1, 103: 1}
