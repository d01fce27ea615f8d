"""One click sends what LINE's monthly limit kept back, and nobody gets anything twice."""

from typing import Any

import httpx2

from tests.events.planning.desk import Desk, refusal
from tests.product_fixtures import sqlite_only
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk, EventPushStats


def over_the_limit(desk: Desk, left: int = 1) -> int:
    """An event that reached only the first of three people, because the monthly limit left no more."""
    desk.quota(100, used=100 - left)
    answer = desk.create(confirm_over_quota="true")
    assert answer.json()["push"] == {"success": left, "fail": 3 - left, "unknown": 0, "pending": 0}, answer.text
    desk.quota(200, used=100)
    return int(answer.json()["event_id"])


def sendings(desk: Desk, event_id: int) -> list[dict[str, object]]:
    found = desk.http.get(f"/api/admin/events/{event_id}/deliveries").raise_for_status().json()["items"]
    names = ("kind", "recipients", "success", "fail", "resendable")
    return [{name: item[name] for name in names} for item in found]


class TestResend:
    def test_reaches_the_others_with_the_picture_in_roster_order(self, desk: Desk) -> None:
        event_id = over_the_limit(desk)
        assert desk.told() == {101: 1}
        assert sendings(desk, event_id) == [
            {"kind": "invite", "recipients": 3, "success": 1, "fail": 2, "resendable": 2}
        ]
        answer = desk.post(f"/{event_id}/resend", "k1")
        assert answer.status_code == 201, answer.text
        assert answer.json() == {
            "ok": True,
            "targets": 2,
            "push": {"success": 2, "fail": 0, "unknown": 0, "pending": 0},
        }
        assert desk.told() == {101: 1, 102: 1, 103: 1}
        assert [message["type"] for message in desk.heard(103)] == ["image", "text"]
        assert desk.heard(103) == desk.heard(101)
        assert desk.detail(event_id)["push"] == {"success": 3, "fail": 0, "unknown": 0, "pending": 0}
        [stats] = desk.rows(EventPushStats)
        assert (stats["success_count"], stats["fail_count"]) == (3, 0)
        assert [one["resendable"] for one in sendings(desk, event_id)] == [0, 0]
        assert desk.audit()[-1]["action"] == "EVENT_RESEND"
        assert desk.http.get("/api/admin/home").json()["troubles"] == []

    def test_the_same_request_again_has_no_second_effect(self, desk: Desk) -> None:
        event_id = over_the_limit(desk)
        first = desk.post(f"/{event_id}/resend", "k1")
        assert desk.post(f"/{event_id}/resend", "k1").content == first.content
        assert refusal(desk.post(f"/{event_id}/resend", "k2")) == (409, "NOBODY_TO_RESEND")
        assert desk.told() == {101: 1, 102: 1, 103: 1}
        assert len(desk.rows(EventBroadcast)) == 2

    def test_over_the_limit_again_the_rest_waits_for_another_click(self, desk: Desk) -> None:
        event_id = over_the_limit(desk)
        desk.quota(100, used=99)
        assert refusal(desk.post(f"/{event_id}/resend", "k1")) == (409, "QUOTA_EXCEEDED")
        answer = desk.post(f"/{event_id}/resend", "k1", confirm_over_quota=True)
        assert answer.json()["push"] == {"success": 1, "fail": 1, "unknown": 0, "pending": 0}
        assert desk.told() == {101: 1, 102: 1}
        desk.quota(200, used=100)
        assert desk.post(f"/{event_id}/resend").json()["push"]["success"] == 1
        assert desk.told() == {101: 1, 102: 1, 103: 1}
        assert {row["status"] for row in desk.rows(EventChunk)} == {"DONE"}

    def test_says_what_the_event_says_now(self, desk: Desk) -> None:
        event_id = over_the_limit(desk)
        assert desk.change(event_id, body="会場が変わりました").status_code == 200
        desk.post(f"/{event_id}/resend").raise_for_status()
        assert "会場が変わりました" in desk.texts(103)[-1]
        assert "会場が変わりました" not in desk.texts(101)[-1]

    @sqlite_only
    def test_leaves_out_who_has_answered_or_cannot_be_reached(self, desk: Desk) -> None:
        event_id = over_the_limit(desk)
        desk.answer(event_id, 102).raise_for_status()
        assert [one["resendable"] for one in sendings(desk, event_id)] == [1]
        desk.set(103, line_user_id=None)
        assert [one["resendable"] for one in sendings(desk, event_id)] == [0]
        assert refusal(desk.post(f"/{event_id}/resend")) == (409, "NOBODY_TO_RESEND")

    @sqlite_only
    def test_of_one_broadcast(self, desk: Desk) -> None:
        event_id = over_the_limit(desk)
        [invitation] = desk.rows(EventBroadcast)
        assert refusal(desk.post(f"/{event_id}/resend", broadcast_id=999)) == (409, "NOBODY_TO_RESEND")
        assert desk.post(f"/{event_id}/resend", broadcast_id=invitation["id"]).json()["targets"] == 2

    @sqlite_only
    def test_a_cancelled_event_sends_nothing_but_its_cancellation(self, desk: Desk) -> None:
        event_id = over_the_limit(desk, left=2)
        desk.quota(100, used=99)
        cancelled = desk.post(f"/{event_id}/cancellation", notify=True, confirm_over_quota=True)
        assert cancelled.json()["push"] == {"success": 1, "fail": 1, "unknown": 0, "pending": 0}
        desk.quota(200, used=100)
        assert refusal(desk.post(f"/{event_id}/resend")) == (409, "NOBODY_TO_RESEND")
        notice, _ = desk.rows(EventBroadcast)[::-1]
        assert [one["resendable"] for one in sendings(desk, event_id)] == [1, 0]
        assert desk.post(f"/{event_id}/resend", broadcast_id=notice["id"]).json()["push"]["success"] == 1
        assert "中止" in desk.texts(102)[-1]
        assert desk.texts(103) == []

    @sqlite_only
    def test_a_failed_reminder_may_be_sent_again_on_the_same_day(self, desk: Desk) -> None:
        event_id = desk.made()
        desk.quota(100, used=99)
        desk.post(f"/{event_id}/reminders", confirm_over_quota=True).raise_for_status()
        desk.quota(200, used=100)
        reminder = desk.rows(EventBroadcast)[-1]["id"]
        assert desk.post(f"/{event_id}/resend", broadcast_id=reminder).json()["push"]["success"] == 2
        assert desk.told() == {101: 2, 102: 2, 103: 2}
        assert refusal(desk.post(f"/{event_id}/reminders")) == (409, "NOBODY_TO_REMIND")

    @sqlite_only
    def test_unknown_ones_are_never_sent_again(self, desk: Desk) -> None:
        desk.box.breaks("timeout_after_accept", "multicast", times=1, seconds=1)
        event_id = desk.made()
        desk.box.breaks("quota_exhausted", "multicast")
        desk.worker_finishes()
        assert desk.detail(event_id)["push"]["unknown"] == 3
        assert refusal(desk.post(f"/{event_id}/resend")) == (409, "NOBODY_TO_RESEND")

    @sqlite_only
    def test_is_for_administrators(self, desk: Desk) -> None:
        event_id = over_the_limit(desk)
        assert refusal(desk.post("/999/resend")) == (404, "NOT_FOUND")
        del desk.http.headers["x-csrf-token"]
        assert desk.post(f"/{event_id}/resend").status_code in (401, 403)
        desk.http.cookies.clear()
        assert desk.post(f"/{event_id}/resend").status_code in (401, 403)


class TestPreview:
    def test_tells_to_how_many_in_which_words_at_what_cost(self, desk: Desk) -> None:
        event_id = over_the_limit(desk)
        shown = preview(desk, event_id)
        assert (shown["recipients_total"], shown["quota"]["cost"], shown["quota"]["enough"]) == (2, 2, True)
        assert [one["member_id"] for one in shown["recipients"]] == [102, 103]
        assert [message["type"] for message in shown["messages"]] == ["image", "text"]
        assert desk.told() == {101: 1}
        desk.post(f"/{event_id}/resend").raise_for_status()
        shown = preview(desk, event_id)
        assert (shown["recipients_total"], shown["messages"]) == (0, [])


def preview(desk: Desk, event_id: int) -> dict[str, Any]:
    answer: httpx2.Response = desk.post(f"/{event_id}/preview", kind="resend")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


class TestOverTheLimit:
    def test_as_many_as_are_left_get_it(self, desk: Desk) -> None:
        """One multicast to all of them would be refused, and nobody would get anything."""
        event_id = over_the_limit(desk, left=2)
        assert desk.told() == {101: 1, 102: 1}
        items = desk.http.get(f"/api/admin/events/{event_id}/deliveries").json()["items"]
        assert [(one["member_id"], one["reason"]) for one in items[0]["problems"]] == [(103, "QUOTA")]
