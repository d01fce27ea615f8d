"""One click sends what LINE's monthly limit kept back, and nobody gets anything twice."""

from datetime import timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError

from tests.events.broadcast.crowd import lines
from tests.events.planning.desk import URL, Desk, refusal
from tests.product_fixtures import sqlite_only
from tsudoi.core.db.base import Base
from tsudoi.events.broadcast import jobs
from tsudoi.events.broadcast.models import EventBroadcast, EventChunk, EventDelivery, EventPushStats
from tsudoi.events.broadcast.service.resending import take_over


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
        assert [(one["recipients"], one["success"], one["fail"]) for one in sendings(desk, event_id)] == [
            (1, 1, 0),
            (2, 1, 1),
            (3, 1, 2),
        ]
        assert [one["resendable"] for one in sendings(desk, event_id)] == [0, 0, 0]
        assert desk.detail(event_id)["push"] == {"success": 3, "fail": 0, "unknown": 0, "pending": 0}

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


class TestTheOldBroadcast:
    """Records are appended: what did not go out stays written down, with the broadcast that made up for it."""

    def test_keeps_its_rows_as_they_were(self, desk: Desk) -> None:
        event_id = over_the_limit(desk)
        tables: tuple[type[Base], ...] = (EventBroadcast, EventChunk, EventDelivery)
        before = {table: by_id(desk, table) for table in tables}
        desk.post(f"/{event_id}/resend").raise_for_status()
        after = {table: by_id(desk, table) for table in tables}
        newest = max(after[EventBroadcast])
        taken_over = [after[EventDelivery][one].pop("resent_by") for one in sorted(after[EventDelivery])]
        assert taken_over == [None, newest, newest, None, None]
        for row in before[EventDelivery].values():
            assert row.pop("resent_by") is None
        for table in tables:
            assert {one: after[table][one] for one in before[table]} == before[table]

    def test_says_what_happened(self, desk: Desk) -> None:
        event_id = over_the_limit(desk)
        desk.clock.advance(timedelta(minutes=10))
        desk.post(f"/{event_id}/resend").raise_for_status()
        again, invitation = desk.http.get(f"{URL}/{event_id}/deliveries").raise_for_status().json()["items"]
        numbers = ("recipients", "success", "fail", "unknown", "pending", "problems_total", "resendable")
        assert [invitation[name] for name in numbers] == [3, 1, 2, 0, 0, 0, 0]
        assert invitation["problems"] == []
        assert invitation["resends"] == [
            {"broadcast_id": again["broadcast_id"], "created_at": "2025-08-16T12:10:00+09:00", "people": 2}
        ]
        assert [again[name] for name in numbers] == [2, 2, 0, 0, 0, 0, 0]
        assert again["resends"] == []

    def test_counts_nobody_twice_while_the_second_attempt_is_open_and_when_it_fails(self, desk: Desk) -> None:
        event_id = over_the_limit(desk)
        assert shown(desk, event_id) == {"success": 1, "fail": 2, "unknown": 0, "pending": 0}
        desk.post(f"/{event_id}/resend?wait=0").raise_for_status()
        assert shown(desk, event_id) == {"success": 1, "fail": 0, "unknown": 0, "pending": 2}
        [trouble] = desk.http.get("/api/admin/home").json()["troubles"]
        assert (trouble["fail"], trouble["unknown"], trouble["pending"]) == (0, 0, 2)
        desk.box.breaks("quota_exhausted", "multicast")
        desk.worker_finishes()
        desk.log_in()
        assert shown(desk, event_id) == {"success": 1, "fail": 2, "unknown": 0, "pending": 0}
        assert [(one["fail"], one["resendable"]) for one in sendings(desk, event_id)] == [(2, 2), (2, 0)]
        assert desk.http.get("/api/admin/home").json()["troubles"][0]["fail"] == 2

    def test_is_taken_over_once_only(self, desk: Desk) -> None:
        """The event's lock keeps two administrators apart; without it the second one would find no rows to take."""
        event_id = over_the_limit(desk)
        desk.post(f"/{event_id}/resend").raise_for_status()
        first, second = (row["id"] for row in desk.rows(EventBroadcast))
        assert desk.product.db.write_now(take_over, event_id, {first: [102, 103]}, second) == 0

    def test_cannot_be_taken_over_by_itself_or_where_nothing_failed(self, desk: Desk) -> None:
        over_the_limit(desk)
        [broadcast] = desk.rows(EventBroadcast)
        rows = update(EventDelivery)
        with pytest.raises(IntegrityError):
            desk.product.db.write_now(lambda tx: tx.execute(rows.values(resent_by=broadcast["id"])).rowcount)
        with pytest.raises(IntegrityError):
            desk.product.db.write_now(lambda tx: tx.execute(rows.values(resent_by=999)).rowcount)
        own = rows.values(resent_by=999, status="DONE")
        with pytest.raises(IntegrityError):
            desk.product.db.write_now(lambda tx: tx.execute(own).rowcount)

    def test_keeps_its_lines_in_the_push_log(self, desk: Desk) -> None:
        """The job writes the lines of what was never tried a minute later, when the resend is long over."""
        event_id = over_the_limit(desk)
        desk.post(f"/{event_id}/resend").raise_for_status()
        first, second = (row["id"] for row in desk.rows(EventBroadcast))
        desk.clock.advance(timedelta(minutes=2))
        jobs.finish_log(desk.product.runtime)
        found = lines(desk.product.runtime)
        written = sorted((line["broadcast_id"], line["member_id"], line["status"]) for line in found)
        assert written == [
            (first, 101, "success"),
            (first, 102, "fail"),
            (first, 103, "fail"),
            (second, 102, "success"),
            (second, 103, "success"),
        ]


def by_id(desk: Desk, table: type[Base]) -> dict[int, dict[str, Any]]:
    """The rows, without the mark that their lines are in the push log: it comes at some moment after the sending."""
    rows = [{name: value for name, value in row.items() if name != "logged"} for row in desk.rows(table)]
    return {row["id"]: row for row in rows}


def shown(desk: Desk, event_id: int) -> dict[str, int]:
    """How many people were reached: the same on the page of the event and in the list."""
    push: dict[str, int] = desk.detail(event_id)["push"]
    [item] = desk.http.get(URL).raise_for_status().json()["items"]
    assert {name: item["push_stats"][name] for name in push} == push
    return push


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
