"""Off: answers are kept and no more are taken, what was not sent stays unsent, people are told if so wished."""

import pytest

from tests.events.broadcast.crowd import people
from tests.events.planning.desk import URL, Desk, faults, refusal
from tests.factories.product import ADMIN
from tests.product_fixtures import sqlite_only
from tsudoi.core.clock import jst_text
from tsudoi.events.answers.models import EventResponse
from tsudoi.events.broadcast.models import EventBroadcast

WHY = "会場が使えなくなったため\n振替は未定です"


@pytest.fixture
def event_id(desk: Desk) -> int:
    return desk.made()


def test_everybody_is_told_and_why(desk: Desk, event_id: int) -> None:
    answer = desk.post(f"/{event_id}/cancellation", reason=f" {WHY} ", notify=True)
    assert answer.status_code == 200
    assert answer.json()["push"] == {"success": 3, "fail": 0, "unknown": 0, "pending": 0}
    [words] = desk.texts(102)[1:]
    assert words == f"【中止のお知らせ】\n「理事会9月」（2025/09/10 19:00）は中止になりました。\n{WHY}"
    shown = desk.detail(event_id)
    assert (shown["cancelled_at"], shown["cancel_reason"]) == (jst_text(desk.clock.now()), WHY)
    assert shown["sequence"] == 1
    line = desk.audit()[-1]
    assert (line["actor"], line["action"], line["reason"]) == (f"admin:{ADMIN}", "EVENT_CANCEL", WHY)


def test_nobody_is_told_when_the_office_does_not_say_so(desk: Desk, event_id: int) -> None:
    assert desk.post(f"/{event_id}/cancellation").json() == {"ok": True, "targets": 0, "push": None}
    assert desk.told() == {101: 1, 102: 1, 103: 1}
    assert desk.detail(event_id)["cancel_reason"] is None
    assert len(desk.rows(EventBroadcast)) == 1


def test_answers_are_kept_and_no_more_are_taken(desk: Desk, event_id: int) -> None:
    desk.answer(event_id, 101)
    before = desk.rows(EventResponse)
    desk.post(f"/{event_id}/cancellation")
    assert refusal(desk.answer(event_id, 102)) == (409, "EVENT_CANCELLED")
    with desk.product.client() as member:
        token = desk.box.id_token(desk.users[102])
        member.post("/api/liff/session", json={"id_token": token}).raise_for_status()
        said = member.post(f"/api/liff/events/{event_id}/respond", json={"status": "attend"})
        assert refusal(said) == (409, "EVENT_CANCELLED")
        seen = member.get(f"/api/liff/events/{event_id}").json()
        assert (seen["cancelled"], seen["my_status"]) == (True, "pending")
    assert desk.rows(EventResponse) == before
    assert desk.detail(event_id)["counts"] == {"attend": 1, "absent": 0, "pending": 2}


def test_what_was_not_sent_stays_unsent(desk: Desk) -> None:
    event_id = desk.made(wait=0)
    answer = desk.post(f"/{event_id}/cancellation", notify=True)
    assert answer.json() == {"ok": True, "targets": 0, "push": None}, (
        "nobody has heard of it, so nobody hears it is off"
    )
    desk.worker_finishes()
    assert desk.told() == {}
    assert {(row["status"], row["last_error"]) for row in people(desk.product.db)} == {("FAILED", "cancelled")}
    assert desk.detail(event_id)["push_stats"]["fail"] == 3


def test_who_knows_of_it_another_way_is_told(desk: Desk) -> None:
    """The invitation failed for all of them. One was reached by a reminder, one only answered, one heard nothing."""
    desk.box.breaks("quota_exhausted", "multicast", times=1)
    event_id = desk.made()
    assert desk.detail(event_id)["push"]["fail"] == 3
    desk.post(f"/{event_id}/reminders", member_ids=[101]).raise_for_status()
    desk.answer(event_id, 102)
    assert desk.change(event_id, title="理事会（変更）", notify=True).json()["targets"] == 2
    assert desk.post(f"/{event_id}/cancellation", notify=True).json()["targets"] == 2
    assert desk.told() == {101: 3, 102: 2}


@sqlite_only
def test_what_may_have_arrived_is_followed_by_the_notice(desk: Desk) -> None:
    desk.box.breaks("timeout_after_accept", "multicast", times=1, seconds=1)
    event_id = desk.made()
    assert desk.post(f"/{event_id}/cancellation", notify=True).json()["push"]["success"] == 3
    desk.worker_finishes()
    assert desk.told() == dict.fromkeys((101, 102, 103), 2)


@sqlite_only
def test_a_calendar_hears_of_it(desk: Desk, event_id: int) -> None:
    assert "STATUS:CONFIRMED" in desk.http.get(f"{URL}/{event_id}/event.ics").text
    desk.post(f"/{event_id}/cancellation", reason=WHY)
    file = desk.http.get(f"{URL}/{event_id}/event.ics").text
    assert "STATUS:CANCELLED" in file
    assert "METHOD:CANCEL" in file
    assert "SEQUENCE:1\r\n" in file


@sqlite_only
def test_once_and_for_all(desk: Desk, event_id: int) -> None:
    desk.post(f"/{event_id}/cancellation", reason="最初").raise_for_status()
    before = desk.traces(), desk.detail(event_id), desk.audit()
    desk.enrol(1, first=201)
    for again in (
        desk.post(f"/{event_id}/cancellation", reason="二度目", notify=True),
        desk.post(f"/{event_id}/targets", member_ids=[201]),
        desk.post(f"/{event_id}/reminders"),
        desk.change(event_id, title="x"),
    ):
        assert refusal(again) == (409, "EVENT_CANCELLED")
    assert (desk.traces(), desk.detail(event_id), desk.audit()) == before


@sqlite_only
def test_wrong_input_cancels_nothing(desk: Desk, event_id: int) -> None:
    assert faults(desk.post(f"/{event_id}/cancellation", reason="あ" * 201)) == {"reason": "TOO_LONG"}
    for odd in ("a\x00b", "a\ud800", 5):
        assert faults(desk.post(f"/{event_id}/cancellation", reason=odd)) == {"reason": "INVALID_FORMAT"}
    assert faults(desk.post(f"/{event_id}/cancellation", why="x")) == {"why": "UNKNOWN_FIELD"}
    assert refusal(desk.post("/999/cancellation")) == (404, "NOT_FOUND")
    assert refusal(desk.post("/999/cancellation", notify=True)) == (404, "NOT_FOUND")
    assert desk.detail(event_id)["cancelled_at"] is None
